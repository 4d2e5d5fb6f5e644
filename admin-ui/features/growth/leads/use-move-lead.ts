import { useMutation } from '@tanstack/react-query'
import { useUndo } from '../../../components/forms/use-undo.ts'
import { notify } from '../../../lib/api/notify.tsx'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { LEAD_STATES, NEXT } from './lead-words.tsx'
import { type Lead, type LeadStatus, leadName, updateLead } from './leads.api.ts'
import { say } from './words.ts'

export type Target = Exclude<LeadStatus, 'converted'>

/** Moves a lead to another status, and offers to move it back where the states allow that. */
export const useMoveLead = () => {
  const refresh = useRefresh()
  const offerUndo = useUndo('leads')
  return useMutation({
    mutationFn: ({ lead, to }: { lead: Lead; to: Target }) => updateLead(lead, { status: to }),
    onSuccess: (after, { lead }) => {
      const [before, label] = [LEAD_STATES[lead.status].label, LEAD_STATES[after.status].label]
      const done = say('leads.move.done', { leadName: leadName(after), before, label })
      const back = NEXT[after.status].find((status) => status === lead.status)
      if (back) offerUndo(done, () => updateLead(after, { status: back }))
      else notify(done)
    },
    onSettled: () => refresh('leads'),
  })
}
