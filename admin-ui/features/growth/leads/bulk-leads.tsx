import { Select, Text } from '@mantine/core'
import { RESTORE_DAYS } from '../../../../src/words/rule-figures.ts'
import { BulkForm, useBulkAct } from '../../../components/lists/bulk-form.tsx'
import type { Asked } from '../../../components/lists/list-acts.tsx'
import { UndoBar } from '../../../components/lists/undo-bar.tsx'
import { choices } from '../../../lib/text/choices.ts'
import { type LeadUndo, moveEach, removeEach, undoMoves, undoRemovals } from './bulk-leads.api.ts'
import { isLeadStatus, LEAD_STATES, NEXT } from './lead-words.tsx'
import { type Lead, leadName } from './leads.api.ts'
import { say } from './words.ts'

/** Offers to take back the last act on several leads. */
export const UndoLeads = ({ undo, onDone }: { undo: LeadUndo; onDone: () => void }) => (
  <UndoBar
    text={undo.text}
    resource="leads"
    undo={undo.takeBack}
    report={(results) => {
      const count = results.filter(({ ok }) => ok).length
      return say('leads.assign.undone', { count, failed: results.length - count })
    }}
    getName={(id) => undo.names.get(id) ?? id}
    onDone={onDone}
  />
)

export type BulkLeadsProps = { asked: Asked<Lead>; onUndo: (undo: LeadUndo | null) => void; onClose: () => void }

const nameAll = (rows: readonly Lead[]) => new Map(rows.map((lead) => [lead.id, leadName(lead)]))

const TARGETS = choices(LEAD_STATES).filter(({ value }) => value !== 'converted')

const pickFit = (rows: readonly Lead[], to: string): Lead[] =>
  rows.filter(({ status }) => NEXT[status].some((next) => next === to))

/** Moves several leads to a status; those that cannot move there are left out. */
export const MoveLeads = ({ asked: { rows, settle }, onUndo, onClose }: BulkLeadsProps) => {
  const names = nameAll(rows)
  const bulk = useBulkAct({
    initialValues: { to: '' },
    validate: {
      to: (to) => (to === '' ? say('leads.bulk.move.required') : null),
    },
    send: ({ to }, watch) => moveEach(pickFit(rows, to), to, watch),
    resource: 'leads',
    settle,
    onDone: (results, { to }) => {
      const back = undoMoves(rows, results, to)
      const label = isLeadStatus(to) ? LEAD_STATES[to].label : ''
      const text = say('leads.bulk.move.done', { count: results.filter(({ ok }) => ok).length, label })
      onUndo(back && { text, names, takeBack: back })
    },
    onClose,
  })
  const { to } = bulk.state.form.getValues()
  const left = to === '' ? 0 : rows.length - pickFit(rows, to).length
  return (
    <BulkForm
      bulk={bulk}
      title={say('leads.bulk.move.title', { count: rows.length - left })}
      submitLabel={say('leads.bulk.move')}
      done={say('leads.bulk.moved')}
      getName={(id) => names.get(id) ?? id}
      onClose={onClose}
    >
      <Select
        label={say('leads.move.label')}
        placeholder={say('leads.move.placeholder')}
        data={TARGETS.filter(({ value }) => pickFit(rows, value).length > 0)}
        nothingFoundMessage={say('leads.bulk.move.none')}
        allowDeselect={false}
        data-autofocus
        {...bulk.state.form.getInputProps('to')}
      />
      {left > 0 && (
        <Text size="xs" c="dimmed">
          {say('leads.bulk.move.left', { count: left })}
        </Text>
      )}
    </BulkForm>
  )
}

/** Removes several leads after a question; Undo restores them. */
export const RemoveLeads = ({ asked: { rows, settle }, onUndo, onClose }: BulkLeadsProps) => {
  const names = nameAll(rows)
  const bulk = useBulkAct({
    initialValues: {},
    send: (_values, watch) => removeEach(rows, watch),
    resource: 'leads',
    settle,
    onDone: (results) => {
      const removed = results.flatMap(({ id, ok }) => (ok ? [id] : []))
      const text = say('leads.bulk.remove.done', { count: removed.length })
      onUndo(removed.length > 0 ? { text, names, takeBack: (watch) => undoRemovals(removed, watch) } : null)
    },
    onClose,
  })
  return (
    <BulkForm
      bulk={bulk}
      title={say('leads.bulk.remove.title', { count: rows.length })}
      submitLabel={say('common.remove')}
      done={say('leads.bulk.removed')}
      getName={(id) => names.get(id) ?? id}
      danger
      onClose={onClose}
    >
      <Text size="sm">{say('leads.bulk.remove.about', { days: RESTORE_DAYS })}</Text>
    </BulkForm>
  )
}
