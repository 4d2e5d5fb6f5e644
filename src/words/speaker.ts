import { IntlMessageFormat } from 'intl-messageformat'
import type { Language } from './language.ts'

/** Sentences by their keys, in ICU message syntax (`{name}`, `{count, plural, …}`). */
export type Sentences = Readonly<Record<string, string>>
type Format = Pick<IntlMessageFormat, 'format'>

/** A sentence without values, tags and quotes needs no parsing: most are, and parsing one costs 20 µs. */
const formatOf = (text: string, language: Language): Format =>
  /[{<']/.test(text) ? new IntlMessageFormat(text, language) : { format: () => text }

/**
 * Finds the sentences of some areas: each is parsed once, at its first use. `translated` has those of another language;
 * one that is missing there is English. Throws for an unknown key; `format` throws if a value that the sentence names
 * is missing.
 */
export function formatsOf(
  sentences: Sentences,
  language: Language = 'en',
  translated: Sentences = {},
): (word: string) => Format {
  const formats = new Map<string, Format>()
  return (word) => {
    const known = formats.get(word)
    if (known) return known
    const own = translated[word]
    const text = own ?? sentences[word]
    if (text === undefined) throw new Error(`There is no sentence ${word}`)
    const format = formatOf(text, own === undefined ? 'en' : language)
    formats.set(word, format)
    return format
  }
}
