import { Select } from '@mantine/core'
import { useState } from 'react'
import { type BulkResult, BulkResults } from '../../components/bulk-results.tsx'
import { FormModal } from '../../components/form-modal.tsx'
import { useApiForm } from '../../lib/use-api-form.ts'
import { useRefresh } from '../../lib/use-record.ts'
import { useStaff } from '../users/users.api.ts'
import { assignLeads, type Lead, leadName } from './leads.api.ts'

type BulkAssignProps = { rows: readonly Lead[]; onResults: () => void; onClose: () => void }

/** Gives several leads to one colleague, or takes them from whoever has them. */
export const BulkAssign = ({ rows, onResults, onClose }: BulkAssignProps) => {
  const staff = useStaff()
  const refresh = useRefresh()
  const [results, setResults] = useState<readonly BulkResult[] | null>(null)
  const state = useApiForm({
    initialValues: { assignedTo: '' },
    submit: async ({ assignedTo }) => {
      const answer = await assignLeads(
        rows.map(({ id }) => id),
        assignedTo || null,
      )
      setResults(answer.results)
      onResults()
      await refresh('leads')
    },
  })
  if (results) {
    const names = new Map(rows.map((lead) => [lead.id, leadName(lead)]))
    return (
      <BulkResults
        title="Assigned"
        done="Assigned"
        results={results}
        nameOf={(id) => names.get(id) ?? id}
        onClose={onClose}
      />
    )
  }
  return (
    <FormModal
      state={state}
      title={rows.length === 1 ? 'Assign this lead' : `Assign ${rows.length} leads`}
      submitLabel="Assign"
      opened
      onClose={onClose}
    >
      <Select
        label="To"
        placeholder="Nobody"
        data={staff.options}
        clearable
        searchable
        data-autofocus
        {...state.form.getInputProps('assignedTo')}
      />
    </FormModal>
  )
}
