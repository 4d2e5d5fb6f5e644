import { IconChecks, IconX } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { lazy, useState } from 'react'
import { type Column, DataList } from '../../../components/lists/data-list.tsx'
import { NewButton } from '../../../components/lists/list-actions.tsx'
import type { Asked, ListAct } from '../../../components/lists/list-acts.tsx'
import { settleAll } from '../../../components/lists/one-record.tsx'
import { RowAct } from '../../../components/lists/row-action.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { Page } from '../../../components/page/page.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { opensOn, queueSort } from '../../../lib/lists/filters.ts'
import { useSearchParams } from '../../../lib/lists/search-params.ts'
import { useNewForm } from '../../../lib/lists/use-new-form.ts'
import { groupDigits } from '../../../lib/text/format.ts'
import { shownName } from '../../clients/traders/trader-names.ts'
import { BulkFail } from './bulk-fail.tsx'
import { BulkSettle } from './bulk-settle.tsx'
import { CreateDeposit } from './create-deposit.tsx'
import { Fail, Settle } from './decide-deposit.tsx'
import { DEPOSIT_FILTERS, depositColumns } from './deposit-columns.tsx'
import { fetchDeposits, MOST_SETTLED, type NamedDeposit } from './deposits.api.ts'
import { say } from './words.ts'

/** The page's own code, which is loaded when a row is shown beside the list. */
const OpenDeposit = lazy(async () => ({ default: (await import('./deposit-page.tsx')).OpenDeposit }))

const FILTERS = opensOn('pending', DEPOSIT_FILTERS)

type Chosen = Asked<NamedDeposit> & { act: 'settle' | 'fail' }

const CAN_SETTLE = {
  when: ({ status }: NamedDeposit) => status === 'pending',
  otherwise: say('deposits.bulk.not_selectable'),
}

type Ask = (act: Chosen['act']) => (asked: Asked<NamedDeposit>) => void

/** Lists the decisions about the chosen rows, or by their keys about the marked one. */
const listActs = (ask: Ask): readonly ListAct<NamedDeposit>[] => {
  return [
    {
      hotkey: 's',
      label: say('deposits.settle'),
      icon: <IconChecks size={14} />,
      when: CAN_SETTLE.when,
      run: ask('settle'),
    },
    {
      hotkey: 'r',
      label: say('deposits.fail.title'),
      icon: <IconX size={14} />,
      when: CAN_SETTLE.when,
      run: ask('fail'),
    },
  ]
}

/** Opens the form of one deposit, or the one for several of them. */
const DecideChosen = ({ chosen, onClose }: { chosen: Chosen; onClose: () => void }) => {
  const { act, rows, settle } = chosen
  const [deposit] = rows
  if (deposit && rows.length === 1) {
    const Form = act === 'settle' ? Settle : Fail
    return <Form deposit={deposit} onDecided={settleAll(chosen)} onClose={onClose} />
  }
  if (act === 'settle') return <BulkSettle rows={rows} onResults={settle} onClose={onClose} />
  return <BulkFail asked={chosen} onClose={onClose} />
}

export const DepositList = () => {
  const can = useCan()
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const { opened, open, close } = useNewForm(can('operator'))
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const ask: Ask = (act) => (asked) => setChosen({ act, ...asked })
  const act: Column<NamedDeposit> = {
    key: 'act',
    title: '',
    wide: true,
    render: (row) =>
      row.status === 'pending' && (
        <RowAct onClick={() => ask('settle')({ rows: [row], settle: () => undefined })}>
          {say('deposits.settle')}
        </RowAct>
      ),
  }
  return (
    <Page
      title={say('deposits.deposits')}
      subtitle={say('deposits.about')}
      actions={can('operator') && <NewButton onClick={open}>{say('deposits.new.title')}</NewButton>}
    >
      <DataList
        id="deposits"
        file="deposits.export"
        label={say('deposits.deposits')}
        counted="sums"
        fetch={fetchDeposits}
        columns={can('manager') ? [...depositColumns(search.status), act] : depositColumns(search.status)}
        filters={FILTERS}
        usualSort={queueSort(search, FILTERS)}
        searchPlaceholder={say('lists.search_reference')}
        href={({ id }) => `/deposits/${id}`}
        peek={({ id }) => <OpenDeposit id={id} />}
        refetchEvery={60_000}
        selectable={CAN_SETTLE}
        {...(can('manager') && {
          rowName: ({ traderName, amount, currency }: NamedDeposit) =>
            `${shownName(traderName)} ${groupDigits(amount)} ${currency}`,
          bulkMost: MOST_SETTLED,
          acts: listActs(ask),
        })}
        empty={<EmptyState title={say('deposits.empty.title')}>{say('deposits.empty.about')}</EmptyState>}
        nothingWaits={<EmptyState title={say('common.empty.waiting')}>{say('deposits.empty.decided')}</EmptyState>}
      />
      {chosen && <DecideChosen chosen={chosen} onClose={() => setChosen(null)} />}
      {opened && (
        <CreateDeposit onClose={close} onDone={({ id }) => void navigate({ to: '/deposits/$id', params: { id } })} />
      )}
    </Page>
  )
}
