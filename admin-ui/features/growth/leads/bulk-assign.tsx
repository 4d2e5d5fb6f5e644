import { Select } from '@mantine/core'
import { useState } from 'react'
import { FormModal } from '../../../components/forms/form-modal.tsx'
import { type BulkResult, BulkResults } from '../../../components/lists/bulk-results.tsx'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { useStaff } from '../../firm/users/users.api.ts'
import { assignLeads, type Lead, leadName } from './leads.api.ts'
import { say } from './words.ts'

type BulkAssignProps = { rows: readonly Lead[]; onResults: () => void; onClose: () => void }

/** Assigns several leads to one colleague, or to none. */
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
    </FormModal>
  )
}
