import { useNavigate } from '@tanstack/react-router'
import { lazy, useState } from 'react'
import { type Column, DataList } from '../../../components/lists/data-list.tsx'
import { NewButton } from '../../../components/lists/list-actions.tsx'
import { RowAct } from '../../../components/lists/row-action.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { Page } from '../../../components/page/page.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { opensOn, queueSort } from '../../../lib/lists/filters.ts'
import { useSearchParams } from '../../../lib/lists/search-params.ts'
import { useNewForm } from '../../../lib/lists/use-new-form.ts'
import { CreateDeposit } from './create-deposit.tsx'
import { Settle } from './decide-deposit.tsx'
import { DEPOSIT_FILTERS, depositColumns } from './deposit-columns.tsx'
import { fetchDeposits, type NamedDeposit } from './deposits.api.ts'
import { say } from './words.ts'

/** The page's own code, which is loaded when a row is looked at. */
const OpenDeposit = lazy(async () => ({ default: (await import('./deposit-page.tsx')).OpenDeposit }))

const FILTERS = opensOn('pending', DEPOSIT_FILTERS)

export const DepositList = () => {
  const can = useCan()
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const { opened, open, close } = useNewForm(can('operator'))
  const [settling, setSettling] = useState<NamedDeposit | null>(null)
  const act: Column<NamedDeposit> = {
    key: 'act',
    title: '',
    wide: true,
    render: (row) =>
      row.status === 'pending' && <RowAct onClick={() => setSettling(row)}>{say('deposits.settle')}</RowAct>,
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
        empty={
          search.status ? (
            <EmptyState title={say('deposits.empty.title')}>{say('deposits.empty.about')}</EmptyState>
          ) : (
            <EmptyState title={say('common.empty.waiting')}>{say('deposits.empty.decided')}</EmptyState>
          )
        }
      />
      {settling && <Settle deposit={settling} onClose={() => setSettling(null)} />}
      {opened && (
        <CreateDeposit onClose={close} onDone={({ id }) => void navigate({ to: '/deposits/$id', params: { id } })} />
      )}
    </Page>
  )
}
