import { Alert, Stack, Table, Text } from '@mantine/core'
import { formatMessage } from '../../../lib/forms/use-api-form.ts'
import { formatCount } from '../../../lib/text/format.ts'
import type { ImportReport } from './leads.api.ts'
import { say } from './words.ts'

type ImportResultProps = { report: ImportReport; fieldName: (path: string) => string }

/** Shows what an import did, or would do, and which rows were refused and why. */
export const ImportResult = ({ report, fieldName }: ImportResultProps) => {
  const { dryRun, rows, created, duplicates, failed, errors, notes } = report
  return (
    <Stack gap="xs" role="status">
      <Alert
        color={failed > 0 ? 'yellow' : 'green'}
        variant="light"
        title={dryRun ? say('leads.import.tried') : say('leads.import.done')}
      >
        {say('leads.import.result', {
          rows: formatCount(rows),
          created: formatCount(created),
          dryRun: String(Boolean(dryRun)),
          duplicates: formatCount(duplicates),
          failed: formatCount(failed),
        })}
      </Alert>
      {notes.length > 0 && <Text size="sm">{say('leads.import.kept', { count: notes.length })}</Text>}
      {errors.length > 0 && (
        <Table.ScrollContainer minWidth={320} mah={260}>
          <Table aria-label={say('leads.import.refused')} verticalSpacing={4}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{say('leads.import.line')}</Table.Th>
                <Table.Th>{say('parts.field')}</Table.Th>
                <Table.Th>{say('leads.import.why')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {errors.map(({ row, path, message }) => (
                <Table.Tr key={`${row}-${path}`}>
                  <Table.Td>{row}</Table.Td>
                  <Table.Td>{path ? fieldName(path) : say('leads.import.whole_row')}</Table.Td>
                  <Table.Td>{formatMessage(message)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Stack>
  )
}
