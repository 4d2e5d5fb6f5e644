import { defineErrors } from '../../platform/http/problem.ts'

export const mailErrors = defineErrors('mails', {
  above_you: [403, 'This mail is for somebody above your role: its link would make you them.'],
})
