import { IntlMessageFormat } from 'intl-messageformat'
import type { Language } from './language.ts'

/** Sentences by their keys, in ICU message syntax (`{name}`, `{count, plural, …}`). */
export type Sentences = Readonly<Record<string, string>>
type Format = Pick<IntlMessageFormat, 'format'>

/** Makes the format of a sentence. Most have no values, tags or quotes and need no parsing, which costs 20 µs. */
const createFormat = (text: string, language: Language): Format =>
  /[{<']/.test(text) ? new IntlMessageFormat(text, language) : { format: () => text }

/**
 * Finds the sentences of some areas, and parses each once, at its first use. `translated` has the sentences of another
 * language; one that is missing there is in English. Throws for an unknown key; `format` throws if a value that the
 * sentence names is missing.
 */
export function createFormats(
  sentences: Sentences,
  language: Language = 'en',
  translated: Sentences = {},
): (key: string) => Format {
  const formats = new Map<string, Format>()
  return (key) => {
    const known = formats.get(key)
    if (known) return known
    const own = translated[key]
    const text = own ?? sentences[key]
    if (text === undefined) throw new Error(`There is no sentence ${key}`)
    const format = createFormat(text, own === undefined ? 'en' : language)
    formats.set(key, format)
    return format
  }
}
