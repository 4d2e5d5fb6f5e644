import { humanize } from './format.ts'
import { isSentenceKey, say } from './words.ts'

/** Returns the name of a record's field for people, or else its name in the API in plain letters. */
export const fieldName = (key: string): string => {
  const sentence = `field.${key}`
  return isSentenceKey(sentence) ? say(sentence) : humanize(key.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase())
}
