import { IntlMessageFormat } from 'intl-messageformat'
import { en } from './en.ts'

const LOCALE = 'en'
/** A sentence of the catalogue. One that is not there does not compile. */
export type Word = keyof typeof en & string
const sentences: Readonly<Record<string, string>> = en
type Values = Readonly<Record<string, string | number | Date>>

const formats = new Map<Word, IntlMessageFormat>()

/**
 * What a person reads: the sentence of the catalogue, in ICU message syntax (`{name}`, `{count, plural, …}`), with
 * `values` in it. Throws where a value that the sentence names is not given.
 */
export function say(word: Word, values?: Values): string {
  let format = formats.get(word)
  if (!format) {
    format = new IntlMessageFormat(sentences[word] ?? word, LOCALE)
    formats.set(word, format)
  }
  return String(format.format(values))
}

/** Whether a text is the key of a sentence: for words that are made of what a server answered. */
export const isWord = (text: string): text is Word => Object.hasOwn(en, text)
