import { defineStates } from '../../../platform/db/states.ts'

/** RULES “Support”. A reopened ticket is open again. */
export const ticketStates = defineStates({
  open: ['pending', 'resolved', 'closed'],
  pending: ['open', 'resolved', 'closed'],
  resolved: ['open', 'closed'],
  closed: ['open'],
})
