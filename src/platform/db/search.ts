/** A word that somebody looks for; `ended` by a sign that stands behind it, so that nothing may follow in the row. */
type Word = { text: string; ended: boolean }

/** No tenant is called so: a search for nothing searchable finds nothing. */
const NOTHING = 'tenant : "nobody"'
/** Letters of a word that the indexes know as its beginning (`prefix` in the migrations). */
const KNOWN_BEGINNING = 3
/** Rows that are looked at one by one, newest first, before the index has to gather everything that begins so. */
const LOOKED_AT = 250
/** Fewer than this many of them: a word is so rare that gathering all its rows is cheap. */
const RARE = 8

/** As the tokenizer folds a text: small letters without accents. */
const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
const split = (text: string): string[] => text.split(/[^\p{L}\p{N}_]+/u).filter((word) => word !== '')

/** The words of a search, at most eight. In an address (with an @) all but the last of its words are whole. */
function wordsOf(text: string): Word[] {
  return text
    .normalize('NFC')
    .split(/\s+/)
    .flatMap((part) => {
      const words = split(part)
      return words.map((word, at) => ({ text: word, ended: part.includes('@') && at < words.length - 1 }))
    })
    .slice(0, 8)
}

const quoted = ({ text }: Word): string => `"${text}"`
/** A single letter begins too much: it is a word. */
const begun = (word: Word): string => (word.ended || word.text.length === 1 ? quoted(word) : `${quoted(word)} *`)

/** The tenant's own token comes first and is needed, so that a match never leaves the tenant. */
const within = (tenantId: string, words: readonly Word[], form: (word: Word) => string): string =>
  words.length === 0 ? NOTHING : `tenant : "${tenantId}" AND text : (${words.map(form).join(' AND ')})`

/**
 * Words of a search as an FTS5 query: each the beginning of a word, all needed, within the tenant. The words are split
 * as the tokenizer split the stored text, and quoted, so that nobody writes FTS5 syntax.
 */
export const matchQuery = (tenantId: string, text: string): string => within(tenantId, wordsOf(text), begun)

/** Whether the index would have to gather a word's rows, and a row's text can be asked instead. */
const isLong = ({ text, ended }: Word): boolean =>
  !ended && text.length > KNOWN_BEGINNING && /^[\x21-\x7e]+$/.test(folded(text))
const shortened = (word: Word): string => (isLong(word) ? `"${word.text.slice(0, KNOWN_BEGINNING)}" *` : begun(word))

/**
 * Rows whose text has all words of a search: those that have them whole first, then those with words that begin so;
 * newest first among equals, as `read` answers them. Quick whatever the words: FTS5 answers whole words and beginnings
 * of up to three letters one row at a time, but gathers all rows of a longer beginning before the first. So the newest
 * rows of the short beginning are looked at first; where they do not hold enough, the beginning is rare and gathered.
 */
export function findByWords<R extends { id: string; words: string | null }>(
  read: (match: string, limit: number) => R[],
  { tenantId, text, wanted }: { tenantId: string; text: string; wanted: number },
): R[] {
  const words = wordsOf(text)
  if (words.length === 0) return []
  const found = new Map<string, R>()
  const add = (rows: readonly R[]): void => {
    for (const row of rows) if (found.size < wanted && !found.has(row.id)) found.set(row.id, row)
  }
  add(read(within(tenantId, words, quoted), wanted))
  if (found.size >= wanted || words.every(({ ended }) => ended)) return [...found.values()]
  const long = words.filter(isLong)
  const has = (row: R, word: Word): boolean =>
    split(folded(row.words ?? '')).some((stored) => stored.startsWith(folded(word.text)))
  const whole = (rows: readonly R[]): R[] => rows.filter((row) => long.every((word) => has(row, word)))
  const limit = long.length === 0 ? wanted * 2 : LOOKED_AT
  const near = read(within(tenantId, words, shortened), limit)
  add(whole(near))
  if (found.size >= wanted || near.length < limit) return [...found.values()]
  const rare = new Set(long.filter((word) => near.filter((row) => has(row, word)).length < RARE))
  add(
    whole(
      read(
        within(tenantId, words, (word) => (rare.has(word) ? begun(word) : shortened(word))),
        limit,
      ),
    ),
  )
  return [...found.values()]
}

const unpatterned = (text: string): string => text.replace(/[\\%_]/g, '\\$&')
/** LIKE patterns that find `text` anywhere, and at the beginning; `%` and `_` mean themselves (ESCAPE '\'). */
export const containing = (text: string): string => `%${unpatterned(text)}%`
export const beginningLike = (text: string): string => `${unpatterned(text)}%`

/** Digits of a search: the shortest that say something, and more than any number has. */
const LEAST_DIGITS = 4
const MOST_DIGITS = 20

/**
 * What a text may be of a phone number: its digits, and those behind the zeros that a number is dialled with. Nothing
 * where it has other signs than a phone number or fewer than four digits.
 */
export function phoneDigits(text: string): string[] {
  if (!/^[\d\s+()./-]+$/.test(text)) return []
  const digits = text.replace('(0)', '').replace(/\D/g, '')
  const behind = digits.replace(/^00?/, '')
  return [...new Set([digits, behind])].filter(({ length }) => length >= LEAST_DIGITS && length <= MOST_DIGITS)
}

/**
 * Runs of four digits that a number with these digits has: the last four and the four before them, which tell numbers
 * apart; the first ones are the country's, and asking for what all share is slow.
 */
const runsOf = (digits: string): string[] => {
  const start = digits.length - LEAST_DIGITS
  return [...new Set([start, Math.max(0, start - LEAST_DIGITS)])].map((at) => digits.slice(at, at + LEAST_DIGITS))
}

/**
 * Digits as an FTS5 query for phones of a tenant that have runs of them; with `ending` the last run at the end of the
 * number. The rows are still to be asked for the digits as a whole.
 */
export function matchPhone(tenantId: string, digits: readonly string[], ending = false): string {
  const one = (part: string): string =>
    `(${runsOf(part)
      .map((run, at) => `"${tenantId}_${ending && at === 0 ? 'z' : ''}${run}"`)
      .join(' AND ')})`
  return digits.length === 0 ? '"nobody"' : digits.map(one).join(' OR ')
}
