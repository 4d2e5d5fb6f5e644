import { Select } from '@mantine/core'
import { BulkForm, useBulkAct } from '../../../components/lists/bulk-form.tsx'
import { useStaff } from '../../firm/users/users.api.ts'
import { assignEach, undoAssignments } from './bulk-leads.api.ts'
import type { BulkLeadsProps } from './bulk-leads.tsx'
import { leadName } from './leads.api.ts'
import { say } from './words.ts'

/** Assigns several leads to one colleague, or to none. */
export const BulkAssign = ({ asked: { rows, settle }, onUndo, onClose }: BulkLeadsProps) => {
  const staff = useStaff()
  const names = new Map(rows.map((lead) => [lead.id, leadName(lead)]))
  const bulk = useBulkAct({
    initialValues: { assignedTo: '' },
    send: ({ assignedTo }, watch) => assignEach(rows, assignedTo || null, watch),
    resource: 'leads',
    settle,
    onDone: (results) => {
      const { count, takeBack } = undoAssignments(results)
      onUndo(count > 0 ? { text: say('leads.assign.done', { count }), names, takeBack } : null)
    },
    onClose,
  })
  return (
    <BulkForm
      bulk={bulk}
      title={rows.length === 1 ? say('leads.assign.title') : say('leads.assign.title_many', { count: rows.length })}
      submitLabel={say('leads.assign')}
      done={say('leads.assigned')}
      getName={(id) => names.get(id) ?? id}
      onClose={onClose}
    >
      <Select
        label={say('common.to')}
        placeholder={say('leads.nobody')}
        data={staff.options}
        clearable
        searchable
        data-autofocus
        {...bulk.state.form.getInputProps('assignedTo')}
      />
    </BulkForm>
  )
}
