import { Stack, Table, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Loaded } from '../../../components/page/loaded.tsx'
import { When } from '../../../components/show/moment.tsx'
import { orDash } from '../../../components/show/or-dash.tsx'
import { groupDigits } from '../../../lib/text/format.ts'
import { Result } from '../../books/positions/position-columns.tsx'
import { DEAL_ENTRIES, DealState } from '../records/deal-words.tsx'
import { type Deal, fetchDeals } from '../records/records.api.ts'
import { say } from './words.ts'

/** This many deals of a position are shown; the list of deals has them all. */
const SHOWN = 100

type PositionDealsProps = { connectionId: string; position: string }

/** Shows the deals of a position as they were read, the first one first. */
export const PositionDeals = ({ connectionId, position }: PositionDealsProps) => {
  const found = useQuery({
    queryKey: ['platforms', 'position', connectionId, position],
    queryFn: () => fetchDeals({ connectionId, position, sort: 'at', limit: SHOWN }),
  })
  return (
    <Loaded query={found}>
      {({ data }) =>
        data.length > 0 && (
          <Stack gap="xs" mt="lg">
            <Title order={3} size="h5">
              {say('terminals.page.tab.deals')}
            </Title>
            <DealRows deals={data} />
            <Link
              to="/platforms/$id"
              params={{ id: connectionId }}
              search={{ tab: 'deals', position }}
              className="text-link"
            >
              {say('terminals.login.to_deals')}
            </Link>
          </Stack>
        )
      }
    </Loaded>
  )
}

const DealRows = ({ deals }: { deals: readonly Deal[] }) => (
  <Table aria-label={say('terminals.page.tab.deals')} verticalSpacing={4} horizontalSpacing="xs">
    <Table.Thead>
      <Table.Tr>
        <Table.Th>{say('terminals.deal.number')}</Table.Th>
        <Table.Th ta="right">{say('terminals.deal.lots')}</Table.Th>
        <Table.Th ta="right">{say('terminals.deal.price')}</Table.Th>
        <Table.Th ta="right">{say('parts.result')}</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {deals.map(({ id, number, at, entry, state, lots, price, profit, currency }) => (
        <Table.Tr key={id}>
          <Table.Td>
            <div>
              {number} {entry && DEAL_ENTRIES[entry]} {state !== 'live' && <DealState state={state} />}
            </div>
            <When at={at} as="second" />
          </Table.Td>
          <Table.Td ta="right">{groupDigits(lots)}</Table.Td>
          <Table.Td ta="right">{orDash(price && groupDigits(price))}</Table.Td>
          <Table.Td ta="right">
            <Result amount={profit} currency={currency} />
          </Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
)
