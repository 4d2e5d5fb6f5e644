import { useMemo } from 'react'
import { type Column, DataList } from '../../../components/lists/data-list.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { When } from '../../../components/show/moment.tsx'
import { orDash } from '../../../components/show/or-dash.tsx'
import { nameCell } from '../../../lib/csv/list-csv.ts'
import type { FilterOf } from '../../../lib/lists/filters.ts'
import { type Choice, choices } from '../../../lib/text/choices.ts'
import { listServers } from '../records/of-servers.tsx'
import { InstructionDrawer } from './instruction-drawer.tsx'
import { InstructionState, KINDS, STATES, showValue } from './instruction-words.tsx'
import { fetchInstructions, type Instruction } from './orders.api.ts'
import { say } from './words.ts'

const COLUMNS: readonly Column<Instruction>[] = [
  { key: 'kind', file: nameCell(KINDS), title: say('terminals.order.what'), render: ({ kind }) => KINDS[kind] },
  {
    key: 'amount',
    title: say('terminals.order.value'),
    align: 'right',
    render: (row) => orDash(showValue(row)),
  },
  { key: 'login', title: say('terminals.record.login'), wide: true, render: ({ login }) => orDash(login) },
  {
    key: 'state',
    file: nameCell(STATES),
    title: say('common.state'),
    render: ({ state }) => <InstructionState state={state} />,
  },
  {
    key: 'answer',
    title: say('terminals.order.why'),
    wide: true,
    render: ({ why }) => orDash(why && <span className="clip">{why}</span>),
  },
  { key: 'reference', title: say('terminals.order.reference'), wide: true, render: ({ reference }) => reference },
  {
    key: 'createdAt',
    title: say('terminals.order.asked'),
    wide: true,
    card: true,
    render: ({ createdAt }) => <When at={createdAt} as="ago" />,
  },
]

type InstructionFilter = FilterOf<'platforms.instructions.list'>
const FILTERS: readonly InstructionFilter[] = [
  { key: 'state', label: say('common.state'), options: choices(STATES) },
  { key: 'kind', label: say('terminals.order.what'), options: choices(KINDS) },
]

type InstructionTableProps = {
  /** The connection, account or client whose instructions are listed. */
  fixed?: { connectionId?: string; accountId?: string; traderId?: string }
  /** The servers to choose from, if instructions of all are listed. */
  servers?: readonly Choice[]
}

const ALL = {}

/** Lists what was asked of trading servers, the newest first. */
export const InstructionTable = ({ fixed = ALL, servers }: InstructionTableProps) => {
  const all = useMemo(() => servers && listServers(servers, COLUMNS, FILTERS), [servers])
  return (
    <DataList
      id="platform-instructions"
      within={['of', Object.values(fixed).join(' ')]}
      fixed={fixed}
      file="platforms.instructions.export"
      label={say('terminals.order.page_title')}
      fetch={fetchInstructions}
      columns={all ? all.columns : COLUMNS}
      filters={all ? all.filters : FILTERS}
      counted="count"
      rowName={({ kind }) => KINDS[kind]}
      beside={(instruction, close) => <InstructionDrawer instruction={instruction} onClose={close} />}
      refetchEvery={5000}
      empty={<EmptyState title={say('terminals.order.none')}>{say('terminals.order.none_text')}</EmptyState>}
    />
  )
}
