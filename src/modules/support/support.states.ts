import { defineStates } from '../../platform/db/states.ts'

/** rules.md “Support”. A reopened ticket is open again. */
export const ticketStates = defineStates({
  open: ['pending', 'resolved', 'closed'],
  pending: ['open', 'resolved', 'closed'],
  resolved: ['open', 'closed'],
  closed: ['open'],
})
