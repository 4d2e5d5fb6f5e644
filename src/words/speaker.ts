import { IntlMessageFormat } from 'intl-messageformat'

const LOCALE = 'en'
/** Sentences by their keys, in ICU message syntax (`{name}`, `{count, plural, …}`). */
export type Sentences = Readonly<Record<string, string>>
type Format = Pick<IntlMessageFormat, 'format'>

/** A sentence without values, tags and quotes says itself: most are, and reading one costs 20 µs. */
const formatOf = (text: string): Format =>
  /[{<']/.test(text) ? new IntlMessageFormat(text, LOCALE) : { format: () => text }

/**
 * Finds the sentences of some areas: each is read once, when it is first said. Throws for a key that is not there;
 * `format` throws where a value that the sentence names is not given.
 */
export function formatsOf(sentences: Sentences): (word: string) => Format {
  const formats = new Map<string, Format>()
  return (word) => {
    const known = formats.get(word)
    if (known) return known
    const text = sentences[word]
    if (text === undefined) throw new Error(`There is no sentence ${word}`)
    const format = formatOf(text)
    formats.set(word, format)
    return format
  }
}
