import { Button, Group, Modal, Stack, Table, Text } from '@mantine/core'
import { say } from '../../lib/text/words.ts'
import { StatusBadge } from '../show/status-badge.tsx'
import type { BulkResult } from './send-in-groups.ts'

type BulkResultsProps = {
  title: string
  /** The result of a row that succeeded: "Approved". */
  done: string
  results: readonly BulkResult[]
  /** Returns the name of a row, since its id says little. */
  getName: (id: string) => string
  onClose: () => void
}

/** At most this many rows that succeeded are named; refused rows are always named. */
const MOST_NAMED = 200

/** Shows the result of each row of a bulk action: the refused ones come first and say why. */
export const BulkResults = ({ title, done, results, getName, onClose }: BulkResultsProps) => {
  const refused = results.filter(({ ok }) => !ok)
  const others = results.filter(({ ok }) => ok)
  const unchanged = others.filter(({ isUnchanged }) => isUnchanged).length
  const named = [...refused, ...others.slice(0, MOST_NAMED)]
  return (
    <Modal opened onClose={onClose} title={title} size="lg">
      <Stack>
        <Text size="sm" role="status">
          {refused.length > 0
            ? say('parts.bulk.done_some', { done: others.length - unchanged, all: results.length })
            : unchanged > 0
              ? say('parts.bulk.done_of', { done: others.length - unchanged, all: results.length })
              : say('parts.bulk.done', { count: results.length })}
          {unchanged > 0 && ` ${say('parts.bulk.unchanged.count', { count: unchanged })}`}
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
              {named.map(({ id, ok, message, isUnchanged = false }) => (
                <Table.Tr key={id}>
                  <Table.Td>{getName(id)}</Table.Td>
                  <Table.Td>
                    {isUnchanged ? (
                      <StatusBadge status="unchanged" label={say('parts.bulk.unchanged')} />
                    ) : (
                      <StatusBadge status={ok ? 'ok' : 'failed'} label={ok ? done : say('parts.bulk.failed')} />
                    )}
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
        {named.length < results.length && (
          <Text size="xs" c="dimmed">
            {say('parts.bulk.done_more', { count: results.length - named.length })}
          </Text>
        )}
        <Group justify="flex-end">
          <Button onClick={onClose}>{say('common.done')}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
