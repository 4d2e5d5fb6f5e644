import { readFileSync } from 'node:fs'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { sql } from 'drizzle-orm'
import { listed, statement } from '../../../platform/db/statement.ts'
import { openReader } from '../../../platform/sqlite.ts'
import { traders } from '../traders/traders.table.ts'
import { ListMalformed } from './list-facts.ts'
import { parseList } from './list-parsers.ts'
import { LIST_SOURCES } from './list-sources.ts'
import { createMatcher, type Explanation, type ListEntry } from './matcher.ts'
import { sanctionsEntries as entries, sanctionsLists as lists } from './sanctions.table.ts'

/** A text, or the path of the file that has it. */
const Part = Type.Union([Type.Object({ text: Type.String() }), Type.Object({ path: Type.String() })])
const ParseInput = Type.Object({
  source: Type.Union(LIST_SOURCES.map((source) => Type.Literal(source))),
  force: Type.Boolean(),
  files: Type.Union([Type.Object({ content: Part }), Type.Object({ sdn: Part, alt: Part, add: Part })]),
})
export type ParseInput = Static<typeof ParseInput>
type ParsedList = { entries: ListEntry[] } | { refused: { path: string; code: string; message: string } }
const ScreenInput = Type.Object({
  database: Type.String(),
  tenantId: Type.String(),
  /** Null means every client. */
  traderIds: Type.Union([Type.Array(Type.String()), Type.Null()]),
  /** Null means every current list. */
  listIds: Type.Union([Type.Array(Type.String()), Type.Null()]),
})
export type ScreenInput = Static<typeof ScreenInput>
type FoundHit = {
  traderId: string
  source: string
  reference: string
  name: string
  score: number
  explanation: Explanation
  listHash: string
}
type Screened = { screened: number; hits: FoundHit[] }

const readPart = (part: Static<typeof Part>): string => ('text' in part ? part.text : readFileSync(part.path, 'utf8'))

/** Parses a list in a child; returns its entries, or the wrong field with the reason. */
export const parseListTask = (input: unknown): ParsedList => {
  const { source, files, force } = Value.Decode(ParseInput, input)
  const texts =
    'content' in files
      ? { content: readPart(files.content) }
      : { sdn: readPart(files.sdn), alt: readPart(files.alt), add: readPart(files.add) }
  try {
    return { entries: parseList(source, texts, force) }
  } catch (error) {
    if (!(error instanceof ListMalformed)) throw error
    return { refused: { path: error.field, code: error.code, message: error.message } }
  }
}

type ListFacts = { id: string; source: string; hash: string }
type EntryRow = {
  reference: string
  kind: 'person' | 'entity'
  names: string
  births: string
  countries: string
  programme: string | null
}
type Person = {
  rid: number
  id: string
  firstName: string | null
  lastName: string | null
  dateOfBirth: string | null
  country: string | null
}

const LISTS = statement(
  sql`SELECT ${listed({ id: lists.id, source: lists.source, hash: lists.hash })} FROM ${lists}
  WHERE ${lists.tenantId} = ?1 AND ${lists.current} = 1
    AND (?2 IS NULL OR ${lists.id} IN (SELECT value FROM json_each(?2)))`,
)
const ENTRIES = statement(
  sql`SELECT ${listed({
    reference: entries.reference,
    kind: entries.kind,
    names: entries.names,
    births: entries.births,
    countries: entries.countries,
    programme: entries.programme,
  })} FROM ${entries} WHERE ${entries.tenantId} = ? AND ${entries.listId} = ?`,
)
const alive = sql`SELECT rid, ${listed({
  id: traders.id,
  firstName: traders.firstName,
  lastName: traders.lastName,
  dateOfBirth: traders.dateOfBirth,
  country: traders.country,
})} FROM ${traders} WHERE ${traders.tenantId} = ? AND ${traders.erasedAt} IS NULL`
const EVERYBODY = statement(sql`${alive} AND rid > ? ORDER BY rid LIMIT 5000`)
const SOME = statement(sql`${alive} AND ${traders.id} IN (SELECT value FROM json_each(?))`)

/**
 * Compares clients with their firm's current lists in a child. Returns every match that reaches the threshold, since
 * clearing one listed person says nothing about the next one.
 */
export function screenTask(input: unknown): Screened {
  const { database, tenantId, traderIds, listIds } = Value.Decode(ScreenInput, input)
  const db = openReader(database)
  const lists = db.all<ListFacts>(LISTS, [tenantId, listIds && JSON.stringify(listIds)]).map((list) => {
    const entries = db.all<EntryRow>(ENTRIES, [tenantId, list.id]).map(
      (row): ListEntry => ({
        ...row,
        names: JSON.parse(row.names),
        births: JSON.parse(row.births),
        countries: JSON.parse(row.countries),
      }),
    )
    return { ...list, match: createMatcher(entries) }
  })
  const result: Screened = { screened: 0, hits: [] }
  const screen = (people: readonly Person[]) => {
    for (const { id, firstName, lastName, dateOfBirth, country } of people) {
      const name = [firstName, lastName].filter(Boolean).join(' ')
      result.screened += 1
      if (name === '') continue
      for (const { source, hash, match } of lists) {
        for (const { entry, score, explanation } of match({ name, dateOfBirth, country })) {
          result.hits.push({
            traderId: id,
            source,
            reference: entry.reference,
            name: entry.names[0] ?? '',
            score,
            explanation,
            listHash: hash,
          })
        }
      }
    }
  }
  if (traderIds !== null) screen(db.all<Person>(SOME, [tenantId, JSON.stringify(traderIds)]))
  else {
    let after = 0
    for (;;) {
      const people = db.all<Person>(EVERYBODY, [tenantId, after])
      screen(people)
      const last = people.at(-1)
      if (!last) break
      after = last.rid
    }
  }
  db.close()
  return result
}
