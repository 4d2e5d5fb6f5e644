import { IconChecks, IconX } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { lazy, useState } from 'react'
import { type Column, DataList } from '../../../components/lists/data-list.tsx'
import { NewButton } from '../../../components/lists/list-actions.tsx'
import type { Asked, ListAct } from '../../../components/lists/list-acts.tsx'
import { OneRecord, settleAll, useRowRecord } from '../../../components/lists/one-record.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { Page } from '../../../components/page/page.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { opensOn, queueSort } from '../../../lib/lists/filters.ts'
import { useSearchParams } from '../../../lib/lists/search-params.ts'
import { useNewForm } from '../../../lib/lists/use-new-form.ts'
import { groupDigits } from '../../../lib/text/format.ts'
import { shownName } from '../../clients/traders/trader-names.ts'
import { BulkApprove } from './bulk-approve.tsx'
import { BulkReject, mayBeRejected } from './bulk-reject.tsx'
import { CreateWithdrawal } from './create-withdrawal.tsx'
import { Approve, Reject } from './decide-withdrawal.tsx'
import { QueueAct } from './queue-review.tsx'
import { columnsFor, WITHDRAWAL_FILTERS } from './withdrawal-columns.tsx'
import { fetchWithdrawal, fetchWithdrawals, type NamedWithdrawal } from './withdrawals.api.ts'
import { say } from './words.ts'

/** The page's own code, which is loaded when a row is shown beside the list. */
const OpenWithdrawal = lazy(async () => ({ default: (await import('./withdrawal-page.tsx')).OpenWithdrawal }))

const FILTERS = opensOn('requested', WITHDRAWAL_FILTERS)

/** The approval takes at most this many, and nobody reads more at once. */
const MOST_CHOSEN = 200

type Chosen = Asked<NamedWithdrawal> & { act: 'approve' | 'reject' }

/** Builds the column with the approve button, which a row has if the viewer may approve it. */
const buildActColumn = (approve: (row: NamedWithdrawal) => void): Column<NamedWithdrawal> => ({
  key: 'act',
  title: '',
  wide: true,
  width: 110,
  render: (row) => row.status === 'requested' && <QueueAct row={row} onApprove={() => approve(row)} />,
})

type Ask = (act: Chosen['act']) => (asked: Asked<NamedWithdrawal>) => void

/** Lists the decisions about the chosen rows, or by their keys about the marked one. */
const listActs = (ask: Ask): readonly ListAct<NamedWithdrawal>[] => {
  return [
    {
      hotkey: 'a',
      label: say('withdrawals.queue.approve'),
      icon: <IconChecks size={14} />,
      when: ({ status }) => status === 'requested',
      run: ask('approve'),
    },
    {
      hotkey: 'r',
      label: say('common.reject'),
      icon: <IconX size={14} />,
      when: mayBeRejected,
      run: ask('reject'),
    },
  ]
}

type DecideProps = { chosen: Chosen; onClose: () => void }

/** Opens the form of one withdrawal, or the one for several of them. */
const DecideChosen = ({ chosen, onClose }: DecideProps) => {
  const [row] = chosen.rows
  if (row && chosen.rows.length === 1) return <DecideOne id={row.id} {...{ chosen, onClose }} />
  return <DecideSeveral {...{ chosen, onClose }} />
}

/** The form for several withdrawals also says why the reader may not approve one. */
const DecideOne = ({ id, chosen, onClose }: DecideProps & { id: string }) => {
  const query = useRowRecord('withdrawals', id, fetchWithdrawal)
  const isApproval = chosen.act === 'approve'
  const form = { onClose, onDecided: settleAll(chosen) }
  return (
    <OneRecord
      query={query}
      title={say(isApproval ? 'withdrawals.approve.title' : 'withdrawals.reject.title')}
      onClose={onClose}
    >
      {(withdrawal) => {
        if (!isApproval) return <Reject withdrawal={withdrawal} {...form} />
        if (withdrawal.review?.viewer.mayApprove) return <Approve withdrawal={withdrawal} {...form} />
        return <DecideSeveral {...{ chosen, onClose }} />
      }}
    </OneRecord>
  )
}

const DecideSeveral = ({ chosen, onClose }: DecideProps) =>
  chosen.act === 'approve' ? (
    <BulkApprove rows={chosen.rows} onResults={chosen.settle} onClose={onClose} />
  ) : (
    <BulkReject asked={chosen} onClose={onClose} />
  )

export const WithdrawalList = () => {
  const can = useCan()
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const { opened, open, close } = useNewForm(can('operator'))
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const ask: Ask = (act) => (asked) => setChosen({ act, ...asked })
  const approve = (row: NamedWithdrawal): void => ask('approve')({ rows: [row], settle: () => undefined })
  const columns = columnsFor(search.status)
  return (
    <Page
      title={say('withdrawals.withdrawals')}
      subtitle={say('withdrawals.about')}
      actions={can('operator') && <NewButton onClick={open}>{say('withdrawals.new.title')}</NewButton>}
    >
      <DataList
        id="withdrawals"
        file="withdrawals.export"
        label={say('withdrawals.withdrawals')}
        counted="sums"
        fetch={fetchWithdrawals}
        columns={can('manager') ? [...columns, buildActColumn(approve)] : columns}
        filters={FILTERS}
        usualSort={queueSort(search, FILTERS)}
        searchPlaceholder={say('lists.search_reference')}
        href={({ id }) => `/withdrawals/${id}`}
        peek={({ id }) => <OpenWithdrawal id={id} />}
        refetchEvery={60_000}
        {...(can('manager') && {
          rowName: ({ traderName, amount, currency }: NamedWithdrawal) =>
            `${shownName(traderName)} ${groupDigits(amount)} ${currency}`,
          bulkMost: MOST_CHOSEN,
          selectable: { when: mayBeRejected, otherwise: say('withdrawals.not_selectable') },
          acts: listActs(ask),
        })}
        empty={<EmptyState title={say('withdrawals.empty.title')}>{say('withdrawals.empty.about')}</EmptyState>}
        nothingWaits={<EmptyState title={say('common.empty.waiting')}>{say('withdrawals.empty.decided')}</EmptyState>}
      />
      {opened && (
        <CreateWithdrawal
          onClose={close}
          onDone={({ id }) => void navigate({ to: '/withdrawals/$id', params: { id } })}
        />
      )}
      {chosen && <DecideChosen chosen={chosen} onClose={() => setChosen(null)} />}
    </Page>
  )
}
