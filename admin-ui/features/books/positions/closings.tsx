import { Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Loaded } from '../../../components/page/loaded.tsx'
import { When } from '../../../components/show/moment.tsx'
import { groupDigits } from '../../../lib/text/format.ts'
import { Result } from './position-columns.tsx'
import { type Closing, fetchPosition, type Position } from './positions.api.ts'
import { say } from './words.ts'

/**
 * Shows the lots of a position that were closed, one row for each closing, the newest first; a single one says nothing
 * that its position does not.
 */
export const Closings = ({ position }: { position: Position }) => {
  const { id, version } = position
  const found = useQuery({ queryKey: ['positions', 'one', id, version], queryFn: () => fetchPosition(id) })
  return (
    <Loaded query={found}>
      {({ closings, closingsTotal, currency }) =>
        (closingsTotal > 1 || closings.some((closing) => closing.void)) && (
          <Stack gap="xs" mt="md">
            <Table aria-label={say('positions.closed_lots')} verticalSpacing={4} horizontalSpacing="xs">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th ta="right">{say('positions.lots_column')}</Table.Th>
                  <Table.Th>{`${say('positions.opened')} – ${say('common.closed')}`}</Table.Th>
                  <Table.Th ta="right">{say('parts.result')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {closings.map((closing) => (
                  <Row key={closing.id} closing={closing} currency={currency} />
                ))}
              </Table.Tbody>
            </Table>
            {closings.length < closingsTotal && (
              <Text size="sm" c="dimmed">
                {say('positions.closings.more', { shown: closings.length, total: closingsTotal })}
              </Text>
            )}
          </Stack>
        )
      }
    </Loaded>
  )
}

const Row = ({ closing, currency }: { closing: Closing; currency: string | null }) => (
  <Table.Tr>
    <Table.Td ta="right">
      {groupDigits(closing.lots)}
      {closing.void && (
        <Text size="xs" c="dimmed">
          {say('positions.closings.void')}
        </Text>
      )}
    </Table.Td>
    <Table.Td>
      <div>
        <When at={closing.openedAt} />
      </div>
      <When at={closing.closedAt} />
    </Table.Td>
    <Table.Td ta="right">
      <Result amount={closing.profit} currency={currency} />
    </Table.Td>
  </Table.Tr>
)
