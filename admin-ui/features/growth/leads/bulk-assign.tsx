import { Select } from '@mantine/core'
import { FormModal } from '../../../components/forms/form-modal.tsx'
import { BulkResults } from '../../../components/lists/bulk-results.tsx'
import { sendInGroups } from '../../../components/lists/send-in-groups.ts'
import { useBulk } from '../../../components/lists/use-bulk.tsx'
import { useStaff } from '../../firm/users/users.api.ts'
import { assignLeads, type Lead, leadName } from './leads.api.ts'
import { say } from './words.ts'

type BulkAssignProps = { rows: readonly Lead[]; onResults: () => void; onClose: () => void }

/** One call takes at most this many leads. */
const MOST = 500

/** Assigns several leads to one colleague, or to none. */
export const BulkAssign = ({ rows, onResults, onClose }: BulkAssignProps) => {
  const staff = useStaff()
  const { state, results, progress } = useBulk({
    initialValues: { assignedTo: '' },
    send: ({ assignedTo }, watch) => {
      const ids = rows.map(({ id }) => id)
      return sendInGroups(ids, MOST, async (some) => (await assignLeads(some, assignedTo || null)).results, watch)
    },
    resource: 'leads',
    onResults,
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
