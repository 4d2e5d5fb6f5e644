import { humanize } from './format.ts'
import { isSentenceKey, type SentenceKey, say } from './words.ts'

/** The states, risks and priorities that have a name for people; what is not among them needs one where it is shown. */
export type NamedState = SentenceKey extends infer Key
  ? Key extends `parts.status.${infer State}`
    ? State
    : never
  : never

/** Returns the name of a state, risk or priority for people, or else its name in the API in plain letters. */
export const stateName = (state: string): string => {
  const sentence = `parts.status.${state}`
  return isSentenceKey(sentence) ? say(sentence) : humanize(state)
}
