import { useMemo } from 'react'
import { type Column, DataList } from '../../../components/lists/data-list.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { Money } from '../../../components/show/money.tsx'
import { orDash } from '../../../components/show/or-dash.tsx'
import { AMOUNT_CELL, nameCell } from '../../../lib/csv/list-csv.ts'
import { buildFlag, type FilterOf } from '../../../lib/lists/filters.ts'
import { choices } from '../../../lib/text/choices.ts'
import { CURRENCY_OPTIONS } from '../../../lib/text/currencies.ts'
import { dayText } from '../../../lib/text/day-text.ts'
import { DayDrawer } from './day-drawer.tsx'
import { DAY_STATES, DayState, nameDay } from './day-words.tsx'
import { listServers, type OfServers } from './of-servers.tsx'
import { type Day, fetchDays } from './records.api.ts'
import { say } from './words.ts'

type Figure = 'balance' | 'owed' | 'transfersIn' | 'transfersOut' | 'trading' | 'owned' | 'unknown' | 'unexplained'
const figure = (key: Figure, title: string, look: Partial<Column<Day>> = { wide: true }): Column<Day> => ({
  key,
  file: AMOUNT_CELL,
  title,
  align: 'right',
  render: (day) => orDash(Number(day[key]) !== 0 && <Money amount={day[key]} currency={day.currency} />),
  ...look,
})

const COLUMNS: readonly Column<Day>[] = [
  { key: 'day', title: say('terminals.day.day'), render: ({ day }) => dayText(day) },
  {
    key: 'state',
    file: nameCell(DAY_STATES),
    title: say('common.state'),
    render: ({ state }) => <DayState state={state} />,
  },
  figure('balance', say('terminals.day.balance'), {
    render: ({ balance, currency }) => <Money amount={balance} currency={currency} />,
  }),
  figure('owed', say('terminals.day.owed')),
  figure('transfersIn', say('terminals.day.transfers_in')),
  figure('transfersOut', say('terminals.day.transfers_out')),
  figure('trading', say('terminals.day.trading')),
  figure('owned', say('terminals.day.owned'), { wide: true, optional: true }),
  figure('unknown', say('terminals.day.unknown')),
  figure('unexplained', say('terminals.day.unexplained')),
]

type DayFilter = FilterOf<'platforms.days.list'>
const FILTERS: readonly DayFilter[] = [
  { key: 'state', label: say('common.state'), options: choices(DAY_STATES) },
  { key: 'from', until: 'to', label: say('terminals.day.day'), kind: 'days' },
  { key: 'currency', label: say('common.currency'), options: CURRENCY_OPTIONS, several: true },
  buildFlag('revisions', say('terminals.day.revisions'), say('terminals.day.revisions_too')),
]

/** Lists what lay on trading servers at the end of each day, the newest first. */
export const DayTable = (props: OfServers) => {
  const servers = 'servers' in props ? props.servers : null
  const all = useMemo(() => servers && listServers(servers, COLUMNS, FILTERS), [servers])
  return (
    <DataList
      id="platform-days"
      {...('connectionId' in props && {
        within: ['of', props.connectionId] as const,
        fixed: { connectionId: props.connectionId },
      })}
      file="platforms.days.export"
      label={say(all ? 'terminals.day.title' : 'terminals.page.tab.days')}
      fetch={fetchDays}
      columns={all ? all.columns : COLUMNS}
      filters={all ? all.filters : FILTERS}
      counted="count"
      rowName={nameDay}
      beside={(day, close) => <DayDrawer day={day} server={all?.names[day.connectionId]} onClose={close} />}
      empty={<EmptyState title={say('terminals.day.none')}>{say('terminals.day.none_text')}</EmptyState>}
    />
  )
}
