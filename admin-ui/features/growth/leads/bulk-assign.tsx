import { Select } from '@mantine/core'
import { FormModal } from '../../../components/forms/form-modal.tsx'
import { BulkResults } from '../../../components/lists/bulk-results.tsx'
import { UndoBar } from '../../../components/lists/undo-bar.tsx'
import { useBulk } from '../../../components/lists/use-bulk.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { useStaff } from '../../firm/users/users.api.ts'
import { type Assignments, assignEach, listAssignments, undoAssign } from './bulk-assign.api.ts'
import { type Lead, leadName } from './leads.api.ts'
import { say } from './words.ts'

/** Offers to give assigned leads back to whoever had them. */
export const UndoAssign = ({ assignments, onDone }: { assignments: Assignments; onDone: () => void }) => (
  <UndoBar
    text={say('leads.assign.done', { count: assignments.length })}
    resource="leads"
    undo={(watch) => undoAssign(assignments, watch)}
    report={(results) => {
      const count = results.filter(({ ok }) => ok).length
      return say('leads.assign.undone', { count, failed: results.length - count })
    }}
    getName={(id) => assignments.find((lead) => lead.id === id)?.name ?? id}
    onDone={onDone}
  />
)

type BulkAssignProps = {
  rows: readonly Lead[]
  onResults: (assignments: Assignments) => void
  onClose: () => void
}

/** Assigns several leads to one colleague, or to none. */
export const BulkAssign = ({ rows, onResults, onClose }: BulkAssignProps) => {
  const staff = useStaff()
  const { state, results, progress } = useBulk({
    initialValues: { assignedTo: '' },
    send: ({ assignedTo }, watch) => assignEach(rows, assignedTo || null, watch),
    resource: 'leads',
    onResults: (answer) => {
      const changed = listAssignments(rows, answer)
      onResults(changed)
      if (!answer.every(({ ok }) => ok)) return
      // leads that all had this colleague already leave nothing to undo
      if (changed.length === 0) notify(say('leads.assign.done', { count: answer.length }))
      onClose()
    },
  })
  if (results) {
    const names = new Map(rows.map((lead) => [lead.id, leadName(lead)]))
    return (
      <BulkResults
        title={say('leads.assigned')}
        done={say('leads.assigned')}
        results={results}
        getName={(id) => names.get(id) ?? id}
        onClose={onClose}
      />
    )
  }
  return (
    <FormModal
      state={state}
      title={rows.length === 1 ? say('leads.assign.title') : say('leads.assign.title_many', { count: rows.length })}
      submitLabel={say('leads.assign')}
      opened
      onClose={onClose}
    >
      <Select
        label={say('common.to')}
        placeholder={say('leads.nobody')}
        data={staff.options}
        clearable
        searchable
        data-autofocus
        {...state.form.getInputProps('assignedTo')}
      />
      {progress}
    </FormModal>
  )
}
