import { defineErrors } from '../../platform/http/problem.ts'

export const supportErrors = defineErrors('support', {
  too_old: [409, 'The ticket was closed more than 14 days ago; open a new one.'],
  closed: [409, 'The ticket is closed; reopen it first.'],
  full: [409, 'The ticket is full; open a new one.'],
})
