import { Table, Text } from '@mantine/core'
import { fieldName } from '../../lib/text/field-name.ts'
import { formatDateTime } from '../../lib/text/format.ts'
import { say } from '../../lib/text/words.ts'

type Json = Record<string, unknown> | null

// The audit log stores money in whole minor units, as the ledger does, and moments in milliseconds.
const MONEY = new Set(['amount', 'settledAmount', 'balance', 'equity', 'available', 'held'])
const isMoment = (key: string, value: unknown): value is number =>
  typeof value === 'number' && (key === 'at' || key.endsWith('At'))

const formatFieldName = (key: string): string =>
  MONEY.has(key) ? say('parts.diff.minor_units', { words: fieldName(key) }) : fieldName(key)

const show = (key: string, value: unknown): string => {
  if (value === undefined || value === null) return '—'
  if (isMoment(key, value)) return formatDateTime(new Date(value).toISOString())
  return typeof value === 'string' ? value : JSON.stringify(value, null, 1)
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/**
 * Shows two versions of a record field by field, changed fields first. A version that is null did not exist and has no
 * column.
 */
export const JsonDiff = ({ before, after }: { before: Json; after: Json }) => {
  const keys = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  const isChanged = (key: string): boolean => !same(before?.[key], after?.[key])
  const sorted = [...keys.filter(isChanged), ...keys.filter((key) => !isChanged(key))]
  if (sorted.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {say('parts.diff.empty')}
      </Text>
    )
  }
  return (
    <Table.ScrollContainer minWidth={before && after ? 320 : 280} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table className="diff" verticalSpacing={6} fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{say('parts.field')}</Table.Th>
            {before && <Table.Th>{say('parts.before')}</Table.Th>}
            {after && <Table.Th>{say('parts.after')}</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sorted.map((key) => (
            <Table.Tr key={key} data-changed={isChanged(key) || undefined}>
              <Table.Td className="diff-key">{formatFieldName(key)}</Table.Td>
              {before && (
                <Table.Td className="diff-value" data-side="before">
                  {show(key, before[key])}
                </Table.Td>
              )}
              {after && (
                <Table.Td className="diff-value" data-side="after">
                  {show(key, after[key])}
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
