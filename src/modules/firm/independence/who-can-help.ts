import { say } from '../../../words/say.ts'
import type { People } from './people.ts'

/** Returns the detail of a refusal; if the firm has nobody else who could be the second person, it adds what to do. */
export const withHelp = (people: People, userId: string, detail: string): string =>
  people.alone('manager').every((id) => people.samePerson(id, userId))
    ? `${detail} ${say('independence.error.nobody_else')}`
    : detail
