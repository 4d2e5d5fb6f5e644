import { defineErrors } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'

export const fileErrors = defineErrors('files', () => ({
  bad_signature: [403, say('files.error.bad_signature')],
  too_many_open: [429, say('files.error.too_many_open')],
  client_full: [409, say('files.error.client_full')],
  firm_full: [409, say('files.error.firm_full')],
  expired: [410, say('files.error.expired')],
  wrong_type: [415, say('files.error.wrong_type')],
  wrong_size: [422, say('files.error.wrong_size')],
  wrong_content: [422, say('files.error.wrong_content')],
}))
