import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { say } from '../../../src/words/say.ts'
import { type Column, DataList } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ExportButton, NewButton } from '../../components/list-actions.tsx'
import { Page } from '../../components/page.tsx'
import { RowAct } from '../../components/row-act.tsx'
import { opensOn, queueSort } from '../../lib/filters.ts'
import { useSearchParams } from '../../lib/search-params.ts'
import { useCan } from '../../lib/session.ts'
import { useNewForm } from '../../lib/use-new-form.ts'
import { CreateDeposit } from './create-deposit.tsx'
import { Settle } from './decide-deposit.tsx'
import { DEPOSIT_FILTERS, depositColumns } from './deposit-columns.tsx'
import { depositsCsv, fetchDeposits, type NamedDeposit } from './deposits.api.ts'

const FILTERS = opensOn('pending', DEPOSIT_FILTERS)

/** The queue of deposits. */
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
    render: (row) => row.status === 'pending' && <RowAct onClick={() => setSettling(row)}>Settle</RowAct>,
  }
  return (
    <Page
      title="Deposits"
      subtitle="Money on its way in, and what became of it."
      actions={
        <>
          {can('manager') && <ExportButton of={depositsCsv} filters={FILTERS} />}
          {can('operator') && <NewButton onClick={open}>New deposit</NewButton>}
        </>
      }
    >
      <DataList
        id="deposits"
        label="Deposits"
        counted="sums"
        fetch={fetchDeposits}
        columns={can('manager') ? [...depositColumns(search.status), act] : depositColumns(search.status)}
        filters={FILTERS}
        usualSort={queueSort(search, FILTERS)}
        searchPlaceholder={say('lists.search_reference')}
        href={({ id }) => `/deposits/${id}`}
        refetchEvery={60_000}
        empty={
          search.status ? (
            <EmptyState title="No deposits yet">
              A deposit appears here when a client announces one, when you record a bank wire, or when a gateway reports
              it.
            </EmptyState>
          ) : (
            <EmptyState title="Nothing is waiting">
              Every deposit has been decided. Clear the status filter to see them all.
            </EmptyState>
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
