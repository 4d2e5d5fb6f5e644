import { Button, SegmentedControl } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconFileImport, IconUserShare } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { type Column, DataList } from '../../../components/lists/data-list.tsx'
import { NewButton } from '../../../components/lists/list-actions.tsx'
import { BulkAct } from '../../../components/lists/list-bulk.tsx'
import { RowAct } from '../../../components/lists/row-action.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { Page } from '../../../components/page/page.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { useSearchParams } from '../../../lib/lists/search-params.ts'
import { useNewForm } from '../../../lib/lists/use-new-form.ts'
import { useAssignees, useStaff } from '../../firm/users/users.api.ts'
import type { Assignments } from './bulk-assign.api.ts'
import { BulkAssign, UndoAssign } from './bulk-assign.tsx'
import { LeadBoard } from './lead-board.tsx'
import { LeadDrawer } from './lead-drawer.tsx'
import { LeadForm } from './lead-form.tsx'
import { ImportLeads } from './lead-import.tsx'
import { leadColumns, leadFilters, mayConvert } from './lead-words.tsx'
import { fetchLeads, type Lead, leadName } from './leads.api.ts'
import { say } from './words.ts'

type Chosen = { rows: Lead[]; clear: () => void }
const VIEWS = [
  { value: 'list', label: say('leads.list') },
  { value: 'board', label: say('leads.board') },
]

/** Shows people who are not clients yet, as a list or as a board by status. */
export const LeadList = () => {
  const can = useCan()
  const [search, setSearch] = useSearchParams()
  const add = useNewForm(can('operator'))
  const [importing, load] = useDisclosure()
  const [converting, setConverting] = useState<string | null>(null)
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const setShown = (id: string | null): void => {
    setConverting(null)
    setSearch({ lead: id ?? undefined })
  }
  const board = search.view === 'board'
  const create = can('operator') && <NewButton onClick={add.open}>{say('leads.new.title')}</NewButton>
  return (
    <Page
      title={say('leads.leads')}
      subtitle={say('leads.about')}
      actions={
        <>
          <SegmentedControl
            aria-label={say('leads.view')}
            data={VIEWS}
            value={board ? 'board' : 'list'}
            onChange={(view) => setSearch({ view: view === 'board' ? 'board' : undefined })}
          />
          {can('manager') && (
            <Button variant="default" leftSection={<IconFileImport size={16} />} onClick={load.open}>
              {say('leads.import.submit')}
            </Button>
          )}
          {create}
        </>
      }
    >
      <Assigning chosen={chosen} onClose={() => setChosen(null)} />
      {board ? (
        <LeadBoard query={{}} onOpen={({ id }) => setShown(id)} />
      ) : (
        <LeadTable
          shown={search.lead ?? null}
          onShow={setShown}
          onConvert={setConverting}
          onAssign={setChosen}
          create={create}
        />
      )}
      {add.opened && <LeadForm onClose={add.close} />}
      {importing && <ImportLeads onClose={load.close} />}
      {converting && <LeadDrawer id={converting} ask="convert" onClose={() => setShown(null)} />}
      {board && search.lead && <LeadDrawer id={search.lead} onClose={() => setShown(null)} />}
    </Page>
  )
}

/** Assigns the chosen leads, and offers to undo the last assignment. */
const Assigning = ({ chosen, onClose }: { chosen: Chosen | null; onClose: () => void }) => {
  const [assigned, setAssigned] = useState<Assignments>([])
  return (
    <>
      {assigned.length > 0 && <UndoAssign assignments={assigned} onDone={() => setAssigned([])} />}
      {chosen && (
        <BulkAssign
          rows={chosen.rows}
          onResults={(done) => {
            setAssigned(done)
            chosen.clear()
          }}
          onClose={onClose}
        />
      )}
    </>
  )
}

type LeadTableProps = {
  shown: string | null
  onShow: (id: string | null) => void
  onConvert: (id: string) => void
  onAssign: (chosen: Chosen) => void
  /** This button is shown in an empty list, where the reader may add a lead. */
  create: ReactNode
}

/** Lists the leads, with the acts that the reader's role may do on one or on several of them. */
const LeadTable = ({ shown, onShow, onConvert, onAssign, create }: LeadTableProps) => {
  const can = useCan()
  const staff = useStaff()
  const assignees = useAssignees()
  const act: Column<Lead> = {
    key: 'act',
    title: '',
    wide: true,
    render: (lead) => mayConvert(lead) && <RowAct onClick={() => onConvert(lead.id)}>{say('leads.convert')}</RowAct>,
  }
  return (
    <DataList
      counted="count"
      id="leads"
      file="leads.export"
      label={say('leads.leads')}
      fetch={fetchLeads}
      columns={can('operator') ? [...leadColumns(staff.findStaffName), act] : leadColumns(staff.findStaffName)}
      filters={leadFilters(assignees)}
      searchPlaceholder={say(can('operator') ? 'leads.search.with_phone' : 'leads.search')}
      besideAt={{ id: shown, show: onShow, draw: (id, close) => <LeadDrawer id={id} onClose={close} /> }}
      {...(can('manager') && {
        rowName: leadName,
        bulk: (rows: Lead[], clear: () => void) => (
          <BulkAct hotkey="A" leftSection={<IconUserShare size={14} />} onClick={() => onAssign({ rows, clear })}>
            {say('leads.assign')}
          </BulkAct>
        ),
      })}
      empty={
        <EmptyState title={say('leads.empty.title')} action={create}>
          {say('leads.empty.about')}
        </EmptyState>
      }
    />
  )
}
