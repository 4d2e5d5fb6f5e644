import { defineStates } from '../../../platform/db/states.ts'

/** The states of a ticket; a reopened one is open again. RULES “Support”. */
export const ticketStates = defineStates({
  open: ['pending', 'resolved', 'closed'],
  pending: ['open', 'resolved', 'closed'],
  resolved: ['open', 'closed'],
  closed: ['open'],
})
