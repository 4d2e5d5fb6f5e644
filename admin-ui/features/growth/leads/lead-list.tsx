import { Button, SegmentedControl } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconArrowRight, IconFileImport, IconTrash, IconUserShare } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { type Column, DataList } from '../../../components/lists/data-list.tsx'
import { NewButton } from '../../../components/lists/list-actions.tsx'
import type { Asked, ListAct } from '../../../components/lists/list-acts.tsx'
import { RowAct } from '../../../components/lists/row-action.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { Page } from '../../../components/page/page.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { useSearchParams } from '../../../lib/lists/search-params.ts'
import { useNewForm } from '../../../lib/lists/use-new-form.ts'
import { useAssignees, useStaff } from '../../firm/users/users.api.ts'
import { BulkAssign } from './bulk-assign.tsx'
import type { LeadUndo } from './bulk-leads.api.ts'
import { MoveLeads, RemoveLeads, UndoLeads } from './bulk-leads.tsx'
import { LeadBoard } from './lead-board.tsx'
import { LeadDrawer } from './lead-drawer.tsx'
import { LeadForm } from './lead-form.tsx'
import { ImportLeads } from './lead-import.tsx'
import { leadColumns, leadFilters, mayConvert, NEXT } from './lead-words.tsx'
import { fetchLeads, type Lead, leadName } from './leads.api.ts'
import { say } from './words.ts'

const BULK = { assign: BulkAssign, move: MoveLeads, remove: RemoveLeads } as const

type Chosen = Asked<Lead> & { act: keyof typeof BULK }
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
      <Bulk chosen={chosen} onClose={() => setChosen(null)} />
      {board ? (
        <LeadBoard query={{}} onOpen={({ id }) => setShown(id)} />
      ) : (
        <LeadTable
          shown={search.lead ?? null}
          onShow={setShown}
          onConvert={setConverting}
          onAct={setChosen}
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

/** Asks for the act on the chosen leads, and offers to take back the last one. */
const Bulk = ({ chosen, onClose }: { chosen: Chosen | null; onClose: () => void }) => {
  const [undo, setUndo] = useState<LeadUndo | null>(null)
  const Form = chosen && BULK[chosen.act]
  return (
    <>
      {undo && <UndoLeads key={undo.text} undo={undo} onDone={() => setUndo(null)} />}
      {Form && <Form asked={chosen} onUndo={setUndo} onClose={onClose} />}
    </>
  )
}

type LeadTableProps = {
  shown: string | null
  onShow: (id: string | null) => void
  onConvert: (id: string) => void
  onAct: (chosen: Chosen) => void
  /** This button is shown in an empty list, where the reader may add a lead. */
  create: ReactNode
}

/** Lists the acts on one or several leads; only managers assign and remove. */
const listActs = (
  isManager: boolean,
  onAct: (chosen: Chosen) => void,
  onConvert: (id: string) => void,
): readonly ListAct<Lead>[] => {
  const ask = (act: Chosen['act']) => (asked: Asked<Lead>) => onAct({ act, ...asked })
  const move = {
    hotkey: 'm',
    label: say('leads.bulk.move'),
    icon: <IconArrowRight size={14} />,
    when: ({ status }: Lead) => NEXT[status].length > 0,
    run: ask('move'),
  }
  const convert = {
    hotkey: 'c',
    label: say('leads.convert'),
    when: mayConvert,
    single: true,
    run: ({ rows: [lead] }: Asked<Lead>) => lead && onConvert(lead.id),
  }
  if (!isManager) return [move, convert]
  return [
    { hotkey: 'a', label: say('leads.assign'), icon: <IconUserShare size={14} />, run: ask('assign') },
    move,
    { label: say('common.remove'), icon: <IconTrash size={14} />, run: ask('remove') },
    convert,
  ]
}

/** Lists the leads, with the acts that the reader's role may do on one or on several of them. */
const LeadTable = ({ shown, onShow, onConvert, onAct, create }: LeadTableProps) => {
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
      rowName={leadName}
      {...(can('operator') && { acts: listActs(can('manager'), onAct, onConvert) })}
      empty={
        <EmptyState title={say('leads.empty.title')} action={create}>
          {say('leads.empty.about')}
        </EmptyState>
      }
    />
  )
}
