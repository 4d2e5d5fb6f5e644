import { SQL_WORDS } from '../../../lib/text/sql-texts.ts'
import type { SqlSchema } from './sandbox.api.ts'

const MOST = 8

/** Returns the word before the caret, and where it begins; `table.col` is one word. */
export function wordBefore(text: string, caret: number): { word: string; start: number } {
  const word = /[A-Za-z_][\w.]*$/.exec(text.slice(0, caret))?.[0] ?? ''
  return { word, start: caret - word.length }
}

/** Returns the tables that a query names, by name and by alias. */
function readAliases(text: string, { tables }: SqlSchema): Map<string, string> {
  const names = new Set(tables.map(({ name }) => name))
  const found = new Map<string, string>()
  for (const [, table = '', alias] of text.matchAll(/\b(?:FROM|JOIN)\s+(\w+)(?:\s+(?:AS\s+)?(\w+))?/gi)) {
    if (!names.has(table)) continue
    found.set(table, table)
    if (alias !== undefined) found.set(alias, table)
  }
  return found
}

/** Returns completions of the word before the caret: columns of the query's tables, then tables and SQL keywords. */
export function suggestionsFor(text: string, caret: number, schema: SqlSchema): string[] {
  const { word } = wordBefore(text, caret)
  if (word.length < 2 && !word.endsWith('.')) return []
  const aliases = readAliases(text, schema)
  const [prefix = '', rest] = word.split('.')
  const listColumns = (table: string | undefined): string[] =>
    schema.tables.find(({ name }) => name === table)?.columns.map(({ name }) => name) ?? []
  const all =
    rest === undefined
      ? [
          ...new Set([...aliases.values()].flatMap(listColumns)),
          ...schema.tables.map(({ name }) => name),
          ...schema.functions.map(({ name }) => `${name}(`),
          ...SQL_WORDS,
        ]
      : listColumns(aliases.get(prefix)).map((name) => `${prefix}.${name}`)
  const begun = word.toLowerCase()
  const fits = all.filter((one) => one.toLowerCase().startsWith(begun) && one.toLowerCase() !== begun)
  return [...new Set(fits)].slice(0, MOST)
}
