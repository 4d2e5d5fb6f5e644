import { Table, Text } from '@mantine/core'

type Json = Record<string, unknown> | null

const show = (value: unknown): string => {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value, null, 1)
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Two versions of a record field by field, changed fields first. Null stands for "did not exist". */
export const JsonDiff = ({ before, after }: { before: Json; after: Json }) => {
  const keys = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  const isChanged = (key: string): boolean => !same(before?.[key], after?.[key])
  const sorted = [...keys.filter(isChanged), ...keys.filter((key) => !isChanged(key))]
  if (sorted.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No field values were recorded.
      </Text>
    )
  }
  return (
    <Table.ScrollContainer minWidth={420}>
      <Table className="diff" verticalSpacing={6} fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Field</Table.Th>
            <Table.Th>Before</Table.Th>
            <Table.Th>After</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sorted.map((key) => (
            <Table.Tr key={key} data-changed={isChanged(key) || undefined}>
              <Table.Td className="diff-key">{key}</Table.Td>
              <Table.Td className="diff-value" data-side="before">
                {show(before?.[key])}
              </Table.Td>
              <Table.Td className="diff-value" data-side="after">
                {show(after?.[key])}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
