import { say } from '../../words/say.ts'
import { defineErrors } from '../problem.ts'
import type { Principal } from './principal.ts'

/** What is done to the whole installation is refused in the words of the system. */
const errors = defineErrors('system', () => ({
  not_by_key: [403, say('system.error.not_by_key')],
}))

/** Refuses a key: what follows is for a person who is there. */
export function refuseKeys({ principal }: { principal: Principal }): void {
  if (principal.kind === 'api_key') throw errors.not_by_key()
}
