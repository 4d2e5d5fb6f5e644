import { say } from '../../../words/say.ts'
import type { People } from './people.ts'

/**
 * Returns a refusal's detail: why a person is not the second person, and what to do if the firm has no other who could
 * be.
 */
export const withHelp = (people: People, userId: string, detail: string): string =>
  people.alone('manager').every((id) => people.samePerson(id, userId))
    ? `${detail} ${say('independence.error.nobody_else')}`
    : detail
