import { Alert, Stack, Table } from '@mantine/core'
import { formatCount } from '../../lib/format.ts'
import { inWords } from '../../lib/use-api-form.ts'
import type { ImportReport } from './leads.api.ts'

type ImportResultProps = { report: ImportReport; fieldName: (path: string) => string }

/** What an import did, or would do, with the rows that were refused and why. */
export const ImportResult = ({ report, fieldName }: ImportResultProps) => {
  const { dryRun, rows, created, duplicates, failed, errors } = report
  return (
    <Stack gap="xs" role="status">
      <Alert
        color={failed > 0 ? 'yellow' : 'green'}
        variant="light"
        title={dryRun ? 'Tried; nothing has been changed' : 'Imported'}
      >
        Of {formatCount(rows)} rows {formatCount(created)} {dryRun ? 'would be' : 'were'} added,{' '}
        {formatCount(duplicates)} {dryRun ? 'are' : 'were'} there already, {formatCount(failed)} cannot be taken.
      </Alert>
      {errors.length > 0 && (
        <Table.ScrollContainer minWidth={320} mah={260}>
          <Table aria-label="Rows that cannot be taken" verticalSpacing={4}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Line</Table.Th>
                <Table.Th>Field</Table.Th>
                <Table.Th>Why not</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {errors.map(({ row, path, message }) => (
                <Table.Tr key={`${row}-${path}`}>
                  <Table.Td>{row}</Table.Td>
                  <Table.Td>{path ? fieldName(path) : 'The whole row'}</Table.Td>
                  <Table.Td>{inWords(message)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Stack>
  )
}
