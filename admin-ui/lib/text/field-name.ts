import { humanize } from './format.ts'
import { isWord, say } from './words.ts'

/**
 * Returns the name of a record's field; one without a name is called by its name in the interface, in plain letters.
 */
export const fieldName = (key: string): string => {
  const word = `field.${key}`
  return isWord(word) ? say(word) : humanize(key.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase())
}
