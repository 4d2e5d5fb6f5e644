/** The largest statement, in characters and (as SQLite counts) in bytes. */
export const MOST_CHARACTERS = 20_000

export type Refusal = 'empty' | 'not_a_query' | 'several' | 'nul'
const WORD = /[A-Za-z_]/
const QUOTES: Readonly<Record<string, string>> = { "'": "'", '"': '"', '`': '`', '[': ']' }

/** Returns the end of a comment or quoted text that begins at `at`; `at` itself if none begins there. */
function behind(sql: string, at: number): number {
  const two = sql.slice(at, at + 2)
  const ends = (from: number, mark: string): number => {
    const found = sql.indexOf(mark, from)
    return found === -1 ? sql.length : found + mark.length
  }
  if (two === '--') return ends(at + 2, '\n')
  if (two === '/*') return ends(at + 2, '*/')
  const close = QUOTES[sql[at] ?? '']
  // a doubled quote is read as two quoted texts in a row, which end at the same place
  return close === undefined ? at : ends(at + 1, close)
}

/**
 * Returns why a text is not a single query; null if it may be one. This is only for a clear answer: the database itself
 * decides what a query may read, name by name.
 */
export function findRefusal(sql: string): Refusal | null {
  if (sql.includes('\0')) return 'nul'
  let word: string | null = null
  let ended = false
  for (let at = 0; at < sql.length; ) {
    const letter = sql[at] ?? ''
    const next = behind(sql, at)
    const isComment = next !== at && (letter === '-' || letter === '/')
    if (isComment || (next === at && /\s/.test(letter))) {
      at = Math.max(next, at + 1)
      continue
    }
    if (letter === ';') {
      ended = word !== null
      at += 1
      continue
    }
    if (ended) return 'several'
    if (word === null) {
      word = WORD.test(letter) ? (/^[A-Za-z_]+/.exec(sql.slice(at, at + 20))?.[0] ?? '').toUpperCase() : letter
      if (word !== 'SELECT' && word !== 'WITH' && word !== 'VALUES') return 'not_a_query'
    }
    at = Math.max(next, at + 1)
  }
  return word === null ? 'empty' : null
}
