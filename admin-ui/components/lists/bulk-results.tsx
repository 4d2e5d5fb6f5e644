import { Button, Group, Modal, Stack, Table, Text } from '@mantine/core'
import { say } from '../../lib/text/words.ts'
import { StatusBadge } from '../show/status-badge.tsx'

export type BulkResult = { id: string; ok: boolean; message?: string }

type BulkResultsProps = {
  title: string
  /** The result of a row that succeeded: "Approved". */
  done: string
  results: readonly BulkResult[]
  /** Returns the name of a row, since its id says little. */
  getName: (id: string) => string
  onClose: () => void
}

/** Shows the result of each row of a bulk action: a refused one shows why. */
export const BulkResults = ({ title, done, results, getName, onClose }: BulkResultsProps) => {
  const failed = results.filter(({ ok }) => !ok).length
  return (
    <Modal opened onClose={onClose} title={title} size="lg">
      <Stack>
        <Text size="sm" role="status">
          {failed > 0
            ? say('parts.bulk.done_some', { done: results.length - failed, all: results.length })
            : say('parts.bulk.done', { count: results.length })}
        </Text>
        <Table.ScrollContainer minWidth={320} mah={420}>
          <Table aria-label={title} verticalSpacing={6}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{say('parts.bulk.row')}</Table.Th>
                <Table.Th>{say('parts.result')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {results.map(({ id, ok, message }) => (
                <Table.Tr key={id}>
                  <Table.Td>{getName(id)}</Table.Td>
                  <Table.Td>
                    <StatusBadge status={ok ? 'ok' : 'failed'} label={ok ? done : say('parts.bulk.failed')} />
                    {message && (
                      <Text size="xs" c="dimmed">
                        {message}
                      </Text>
                    )}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
        <Group justify="flex-end">
          <Button onClick={onClose}>{say('common.done')}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
