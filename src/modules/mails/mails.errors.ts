import { defineErrors } from '../../platform/http/problem.ts'

export const mailErrors = defineErrors('mails', {
  not_by_key: [403, 'The text of a mail is for signed-in people, not for API keys.'],
  sent: [409, 'It was sent: the link in it is for whoever reads that mailbox.'],
  above_you: [403, 'This mail is for somebody above your role: its link would make you them.'],
})
