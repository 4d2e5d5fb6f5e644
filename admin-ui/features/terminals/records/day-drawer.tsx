import { Stack, Table, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { RecordDrawer } from '../../../components/page/record-drawer.tsx'
import { Facts } from '../../../components/page/record-page.tsx'
import { When } from '../../../components/show/moment.tsx'
import { Money } from '../../../components/show/money.tsx'
import { shiftDay } from '../../../lib/text/day-text.ts'
import { subtractDecimal } from '../../../lib/text/decimal.ts'
import { formatCount } from '../../../lib/text/format.ts'
import { DAY_TEXTS, DayState, nameDay } from './day-words.tsx'
import { type Day, fetchDays } from './records.api.ts'
import { say } from './words.ts'

type DayDrawerProps = {
  day: Day
  /** The name of its trading server; left out on the page of that server. */
  server: string | undefined
  onClose: () => void
}

/** Shows one day: its balance as a sum of what moved, what was reported, and its revisions. */
export const DayDrawer = ({ day, server, onClose }: DayDrawerProps) => {
  const { currency, connectionId } = day
  const money = (amount: string) => <Money amount={amount} currency={currency} />
  return (
    <RecordDrawer opened onClose={onClose} title={nameDay(day)}>
      <Stack gap="lg">
        <Stack gap="xs" align="flex-start">
          <DayState state={day.state} />
          <Text size="sm">{DAY_TEXTS[day.state]}</Text>
        </Stack>
        <Sum day={day} />
        <Facts
          items={[
            [
              say('terminals.record.server'),
              server === undefined ? undefined : (
                <Link key="server" to="/platforms/$id" params={{ id: connectionId }} className="text-link">
                  {server}
                </Link>
              ),
            ],
            [say('terminals.day.accounts'), formatCount(day.accounts)],
            [say('terminals.day.owed'), money(day.owed)],
            [say('terminals.day.equity'), money(day.equity)],
            [say('terminals.day.equity_at'), day.equityAt ? <When key="at" at={day.equityAt} /> : undefined],
            [say('terminals.day.credit'), money(day.credit)],
            [say('terminals.day.negative'), money(day.negative)],
            [say('terminals.day.in_flight'), money(day.inFlight)],
          ]}
        />
        <Revisions day={day} />
      </Stack>
    </RecordDrawer>
  )
}

/** Shows the balance as the sum of that of the day before and of all that moved. */
const Sum = ({ day }: { day: Day }) => {
  const moved = [
    [say('terminals.day.transfers_in'), day.transfersIn],
    [say('terminals.day.transfers_out'), subtractDecimal('0', day.transfersOut)],
    [say('terminals.day.trading'), day.trading],
    [say('terminals.day.owned'), day.owned],
    [say('terminals.day.unknown'), day.unknown],
    [say('terminals.day.unexplained'), day.unexplained],
  ] as const
  const before = moved.reduce((rest, [, amount]) => subtractDecimal(rest, amount), day.balance)
  const rows = [[say('terminals.day.before'), before], ...moved, [say('terminals.day.balance'), day.balance]] as const
  return (
    <Table aria-label={say('terminals.day.sum')} withRowBorders={false} verticalSpacing={4} horizontalSpacing={0}>
      <Table.Tbody>
        {rows.map(([label, amount], index) => (
          <Table.Tr key={label} fw={index === rows.length - 1 ? 700 : undefined}>
            <Table.Td>{label}</Table.Td>
            <Table.Td ta="right">
              <Money amount={amount} currency={day.currency} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

/** Lists the revisions of a day, the newest first, where there is more than one. */
const Revisions = ({ day: { connectionId, currency, day } }: { day: Day }) => {
  const query = { connectionId, currency, from: day, to: shiftDay(day, 1), revisions: true, limit: 50 } as const
  const { data } = useQuery({
    queryKey: ['platform-days', 'revisions', connectionId, currency, day],
    queryFn: () => fetchDays(query),
  })
  const revisions = data?.data ?? []
  if (revisions.length < 2) return null
  return (
    <section>
      <Title order={3} size="h5" mb="sm">
        {say('terminals.day.revisions')}
      </Title>
      <Stack gap="sm">
        {revisions.map((one) => (
          <div key={one.id}>
            <div className="dim">
              {say('terminals.day.revision', { number: one.revision })} <When at={one.createdAt} />
            </div>
            <Text size="sm" component="div">
              <DayState state={one.state} /> <Money amount={one.balance} currency={currency} />
              {', '}
              {say('terminals.day.unknown')} <Money amount={one.unknown} currency={currency} />
              {', '}
              {say('terminals.day.unexplained')} <Money amount={one.unexplained} currency={currency} />
            </Text>
          </div>
        ))}
      </Stack>
    </section>
  )
}
