import { defineErrors } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'

export const mailErrors = defineErrors('mails', () => ({
  not_by_key: [403, say('mail.error.not_by_key')],
  sent: [409, say('mail.error.sent')],
  no_server: [409, say('mail.error.no_server')],
  over: [409, say('mail.error.over')],
  above_you: [403, say('mail.error.above_you')],
}))
