import type { help } from '../../../src/words/en/help.ts'

type TermOf<Key> = Key extends `help.term.${infer Term}` ? Term : never
/** A word that the help explains. */
export type HelpTerm = TermOf<keyof typeof help>

let show: ((term: HelpTerm | null) => void) | null = null

/** Opens the help of the page, with one of its words on top. */
export const openHelp = (term: HelpTerm | null = null): void => show?.(term)

/** Shows the help by that function until the returned one is called. */
export const offerHelp = (open: (term: HelpTerm | null) => void): (() => void) => {
  show = open
  return () => {
    if (show === open) show = null
  }
}
