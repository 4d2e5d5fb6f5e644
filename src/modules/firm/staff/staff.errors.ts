import { defineErrors } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'

export const staffErrors = defineErrors('users', () => ({
  above_you: [403, say('users.error.above_you')],
  name_of_another: [403, say('users.error.name_of_another')],
  last_owner: [409, say('users.error.last_owner')],
  self: [409, say('users.error.self')],
  not_by_key: [403, say('users.error.not_by_key')],
  own_two_factor: [409, say('users.error.own_two_factor')],
  alone_already: [409, say('users.error.alone_already')],
  no_second_factor: [409, say('users.error.no_second_factor')],
  not_invited: [409, say('users.error.not_invited')],
}))
