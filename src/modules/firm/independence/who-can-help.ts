import { say } from '../../../words/say.ts'
import type { People } from './people.ts'

/**
 * Why somebody is not the second person, and what to do where the firm has nobody else who could be: for the detail of
 * a refusal.
 */
export const withHelp = (people: People, userId: string, detail: string): string =>
  people.alone('manager').every((id) => people.samePerson(id, userId))
    ? `${detail} ${say('independence.error.nobody_else')}`
    : detail
