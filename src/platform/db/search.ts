import { type Column, type SQL, sql } from 'drizzle-orm'
import { foldLetters, globbing, LONG_LETTERS, otherWidths, plainLetters } from './search-letters.ts'

/** A word of a search; `ended` by a sign behind it, so that the row's word must end there too. */
type Word = { text: string; ended: boolean }

/** No tenant has this name, so a search without words finds nothing. */
const NOTHING = 'tenant : "nobody"'
/** The indexes know beginnings of up to this many letters (`prefix` in the migrations). */
const KNOWN_BEGINNING = 3
/** This many of the newest rows are checked one by one before the index gathers all rows with a beginning. */
const LOOKED_AT = 250
/** With fewer hits among these the word is so rare that gathering all its rows is cheap. */
const RARE = 8

const split = (text: string): string[] => text.split(/[^\p{L}\p{N}\p{M}_]+/u).filter((word) => word !== '')

/** Returns the words of a search, at most eight. In an address (with an @) all but the last are whole words. */
function splitWords(text: string): Word[] {
  return text
    .normalize('NFKC')
    .split(/\s+/)
    .flatMap((part) => {
      const words = split(part)
      return words.map((word, at) => ({ text: word, ended: part.includes('@') && at < words.length - 1 }))
    })
    .slice(0, 8)
}

/** German writes ä as ae on a keyboard without it, and Danish å as aa. */
const SPREAD: readonly (readonly [letter: RegExp, spread: string, written: RegExp, plain: string])[] = [
  [/ä/gi, 'ae', /ae/g, 'a'],
  [/[öø]/gi, 'oe', /oe/g, 'o'],
  [/ü/gi, 'ue', /ue/g, 'u'],
  [/å/gi, 'aa', /aa/g, 'a'],
]
/** Returns a word as rows may have it: in plain letters, with ae for ä and the other way round, in other widths. */
function listSpellings(text: string): string[] {
  let [spread, collapsed] = [text, foldLetters(text)]
  for (const [letter, letters, written, plain] of SPREAD) {
    spread = spread.replace(letter, letters)
    collapsed = collapsed.replace(written, plain)
  }
  const plain = plainLetters(text)
  return [...new Set([plain, plainLetters(spread), collapsed, ...otherWidths(plain)])]
}
const either = (spellings: readonly string[], end = ''): string =>
  spellings.length === 1 ? `"${spellings[0]}"${end}` : `(${spellings.map((text) => `"${text}"${end}`).join(' OR ')})`
const quoted = ({ text }: Word): string => either(listSpellings(text))
/** A single letter is matched as a word, since too many words begin with it. */
const begun = (word: Word): string =>
  word.ended || word.text.length === 1 ? quoted(word) : either(listSpellings(word.text), ' *')

/** The tenant's token comes first and is required, so that a match never leaves the tenant. */
const within = (tenantId: string, words: readonly Word[], form: (word: Word) => string): string =>
  words.length === 0 ? NOTHING : `tenant : "${tenantId}" AND text : (${words.map(form).join(' AND ')})`

/**
 * Returns a search as an FTS5 query: each word as a beginning, all required, within the tenant. Words are split like
 * the stored text, and quoted, so that the caller cannot write FTS5 syntax.
 */
export const matchQuery = (tenantId: string, text: string): string => within(tenantId, splitWords(text), begun)

/** Returns whether the index would have to gather a word's rows, and the row's text can be checked instead. */
const isLong = ({ text, ended }: Word): boolean =>
  !ended && text.length > KNOWN_BEGINNING && /^[\x21-\x7e]+$/.test(foldLetters(text))
const shortened = (word: Word): string =>
  isLong(word)
    ? either([...new Set(listSpellings(word.text).map((text) => text.slice(0, KNOWN_BEGINNING)))], ' *')
    : begun(word)

/**
 * Finds rows whose text has all words of a search: whole words first, then beginnings; newest first among equals, as
 * `read` returns them. FTS5 returns whole words and beginnings of up to three letters row by row, but gathers all rows
 * of a longer beginning first. So the newest rows of the short beginning are checked first; if they are not enough, the
 * longer one is rare and is gathered.
 */
export function findByWords<R extends { id: string; words: string | null }>(
  read: (match: string, limit: number) => R[],
  { tenantId, text, wanted }: { tenantId: string; text: string; wanted: number },
): R[] {
  const words = splitWords(text)
  if (words.length === 0) return []
  const found = new Map<string, R>()
  const add = (rows: readonly R[]): void => {
    for (const row of rows) if (found.size < wanted && !found.has(row.id)) found.set(row.id, row)
  }
  add(read(within(tenantId, words, quoted), wanted))
  if (found.size >= wanted || words.every(({ ended }) => ended)) return [...found.values()]
  const long = words.filter(isLong)
  const spellings = new Map(words.map((word) => [word, [...new Set(listSpellings(word.text).map(foldLetters))]]))
  const has = (row: R, word: Word): boolean => {
    const stored = split(foldLetters(row.words ?? ''))
    return (spellings.get(word) ?? []).some((text) => stored.some((one) => one.startsWith(text)))
  }
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

/** A GLOB pattern that finds a text anywhere, or at the beginning, in any case and with or without accents. */
export const containing = (text: string): string => `*${globbing(text)}*`
export const beginning = (text: string): string => `${globbing(text)}*`

/** Returns SQL that is true if a column matches what `containing` or `beginning` made of a text. */
export const holds = (column: Column | SQL, pattern: SQL): SQL =>
  sql`${LONG_LETTERS.reduce((inner, [letter, plain]) => sql`replace(${inner}, ${quote(letter)}, ${quote(plain)})`, sql`${column}`)} GLOB ${pattern}`
const quote = (letters: string): SQL => sql.raw(`'${letters}'`)

/** A search by fewer digits is of no use, and no number has more than `MOST_DIGITS`. */
const LEAST_DIGITS = 4
const MOST_DIGITS = 20

/**
 * Returns the digits of a text that may be a phone number, and those after its leading zeros. None if it has other
 * signs or fewer than four digits.
 */
export function phoneDigits(text: string): string[] {
  if (!/^[\d\s+()./-]+$/.test(text)) return []
  const digits = text.replace('(0)', '').replace(/\D/g, '')
  const behind = digits.replace(/^00?/, '')
  return [...new Set([digits, behind])].filter(({ length }) => length >= LEAST_DIGITS && length <= MOST_DIGITS)
}

/**
 * Returns runs of four digits of a number: the last four and the four before, which distinguish numbers. The first
 * digits are those of the country, and slow to search.
 */
const listRuns = (digits: string): string[] => {
  const start = digits.length - LEAST_DIGITS
  return [...new Set([start, Math.max(0, start - LEAST_DIGITS)])].map((at) => digits.slice(at, at + LEAST_DIGITS))
}

/**
 * Returns digits as an FTS5 query for phones of a tenant; with `ending` the last run is at the end of the number. The
 * rows still have to be compared with all digits.
 */
export function matchPhone(tenantId: string, digits: readonly string[], ending = false): string {
  const one = (part: string): string =>
    `(${listRuns(part)
      .map((run, at) => `"${tenantId}_${ending && at === 0 ? 'z' : ''}${run}"`)
      .join(' AND ')})`
  return digits.length === 0 ? '"nobody"' : digits.map(one).join(' OR ')
}
