import { HELP_TERMS } from './help-pages.ts'
import { say } from './words.ts'

/** What the help explains, for the search: each word with its meaning. */
export const EXPLAINED = HELP_TERMS.map((term) => ({
  term,
  label: say(`help.term.${term}`),
  description: say(`help.means.${term}`),
}))
