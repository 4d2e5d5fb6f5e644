import { say } from '../../words/say.ts'
import { defineErrors } from '../problem.ts'
import type { Principal } from './principal.ts'

/** Refusals about the whole installation have codes of the system. */
const errors = defineErrors('system', () => ({
  not_by_key: [403, say('system.error.not_by_key')],
}))

/** Refuses a key, since only a person may do what follows. */
export function refuseKeys({ principal }: { principal: Principal }): void {
  if (principal.kind === 'api_key') throw errors.not_by_key()
}
