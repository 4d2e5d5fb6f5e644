import { defineErrors } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'

export const supportErrors = {
  // these codes stand in RULES “Support” without the module's name
  ...defineErrors('', () => ({
    too_many_open: [409, say('support.error.too_many_open')],
    too_many_words: [429, say('support.error.too_many_words')],
  })),
  ...defineErrors('support', () => ({
    too_old: [409, say('support.error.too_old')],
    closed: [409, say('support.error.closed')],
    full: [409, say('support.error.full')],
  })),
}
