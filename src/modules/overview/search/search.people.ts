import { type SQL, sql } from 'drizzle-orm'
import { hideIdentity } from '../../../platform/db/hidden-fields.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { findByWords, matchPhone } from '../../../platform/db/search.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { fullName } from '../../clients/traders/client-name.ts'
import { traderAliases } from '../../clients/traders/merged.table.ts'
import { contactIn, phonesIn } from '../../clients/traders/traders.search.ts'
import { traders } from '../../clients/traders/traders.table.ts'
import { leads } from '../../growth/leads/leads.table.ts'
import { buildHit, type Hit, MOST_HITS } from './search.model.ts'

/** Returns contacts in one line, without those that are missing. */
const joined = (...parts: (string | null | false)[]): string => parts.filter((part) => part).join(' · ')

type PersonRow = {
  id: string
  name: string
  email: string | null
  phone: string | null
  status: string
  traderId: string | null
  words: string
}
/** The statements that search one table; `?1` is the tenant. */
type Statements = { exact: string; words: string; digits: string; ending: string }

type Table = {
  table: typeof traders | typeof leads
  /** The table's name, which is also the first part of the names of its indices of words and of phones. */
  name: 'traders' | 'leads'
  /** The column with the client of a row. */
  traderId: SQL
  /** Selects, with the columns of a row, people whom the id (`?2`) and the address (`?3`) alone do not find. */
  also: (columns: SQL, live: SQL) => SQL
}

function buildStatements({ table, name, traderId, also }: Table): Statements {
  const columns = listed({
    id: table.id,
    name: fullName(table),
    email: table.email,
    phone: table.phone,
    status: table.status,
    traderId,
    words: sql`concat_ws(' ', ${table.firstName}, ${table.lastName}, ${table.email})`,
  })
  const live = sql`${table.tenantId} = ?1 AND ${table.deletedAt} IS NULL`
  const rows = sql.raw(`${name}.rid`)
  // the index is read from its newest row on and stops at the limit; CROSS JOIN keeps it as the outer loop
  const by = (index: string, check: SQL, limit: SQL): string =>
    statement(sql`SELECT ${columns} FROM ${sql.raw(index)} s CROSS JOIN ${table} ON ${rows} = s.rowid
      WHERE s.${sql.raw(index)} MATCH ?2 AND ${live}${check} ORDER BY s.rowid DESC LIMIT ${limit}`)
  // a stored phone must contain `?3` or `?4`: anywhere for `holds`, at its end for `ends`
  const holds = sql` AND (instr(${table.phone}, ?3) OR instr(${table.phone}, ?4))`
  const ends = sql` AND (substr(${table.phone}, -length(?3)) = ?3 OR substr(${table.phone}, -length(?4)) = ?4)`
  return {
    exact: statement(sql`SELECT ${columns} FROM ${table} WHERE ${live} AND ${table.id} = ?2
      UNION ALL SELECT ${columns} FROM ${table} WHERE ${live} AND ${table.email} = ?3
      UNION ALL ${also(columns, live)}`),
    words: by(`${name}_search`, sql``, sql`?3`),
    digits: by(`${name}_phones`, holds, sql`?5`),
    ending: by(`${name}_phones`, ends, sql`?5`),
  }
}

const CLIENTS = buildStatements({
  table: traders,
  name: 'traders',
  traderId: sql`${traders.id}`,
  also: (columns, live) => sql`SELECT ${columns} FROM ${traderAliases}
    JOIN ${traders} ON ${traders.tenantId} = ${traderAliases.tenantId} AND ${traders.id} = ${traderAliases.traderId}
    WHERE ${traderAliases.tenantId} = ?1 AND ${traderAliases.value} IN (?3, ?4) AND ${live}`,
})
const LEADS = buildStatements({
  table: leads,
  name: 'leads',
  traderId: sql`${leads.traderId}`,
  // ?4 is a phone in its normal form, for which leads have an index
  also: (columns, live) => sql`SELECT ${columns} FROM ${leads} WHERE ${live} AND ${leads.phone} = ?4`,
})

/** Returns the rows of several statements in order; a later statement runs only if there is still room. */
function readInTurn<R extends { id: string }>(...reads: (() => readonly R[])[]): R[] {
  const found = new Map<string, R>()
  for (const read of reads) {
    if (found.size >= MOST_HITS) break
    for (const row of read()) if (!found.has(row.id)) found.set(row.id, row)
  }
  return [...found.values()].slice(0, MOST_HITS)
}

/** Finds people by this exact id, address or number, by the end of the number, by words, and by digits anywhere. */
function findPeople(db: Reader, { exact, words, digits, ending }: Statements, text: string): PersonRow[] {
  const { tenantId } = db.scope
  const typed = phonesIn(db.scope, text)
  const [first = '', second = first] = typed
  const byDigits = (question: string, isEnding: boolean): PersonRow[] =>
    typed.length === 0
      ? []
      : db.query<PersonRow>(question, [matchPhone(tenantId, typed, isEnding), first, second, MOST_HITS])
  const isWhole = ({ phone }: PersonRow): boolean => phone === `+${first}` || phone === `+${second}`
  const rows = readInTurn(
    () => db.query<PersonRow>(exact, [text, contactIn(db.scope, text), `+${second}`]),
    () => byDigits(ending, true).toSorted((a, b) => Number(isWhole(b)) - Number(isWhole(a))),
    () =>
      findByWords((match, limit) => db.query<PersonRow>(words, [match, limit]), { tenantId, text, wanted: MOST_HITS }),
    () => byDigits(digits, false),
  )
  if (db.scope.veils?.includes('identity')) hideIdentity(rows)
  return rows
}

/** Finds clients by id, address (even of a merged client), any four digits of the phone, or words. */
export const findTraders = (db: Reader, text: string): Hit[] =>
  findPeople(db, CLIENTS, text).map(({ id, name, email, phone, status }) => {
    db.scope.seen?.(id)
    return buildHit({
      kind: 'trader',
      id,
      title: name || (email ?? id),
      facts: { text: joined(name !== '' && email, phone), status: status !== 'active' && status },
      traderId: id,
    })
  })

/** Finds leads in the same way as clients. */
export const findLeads = (db: Reader, text: string): Hit[] =>
  findPeople(db, LEADS, text).map(({ id, name, email, phone, status, traderId }) =>
    buildHit({
      kind: 'lead',
      id,
      title: name || (email ?? phone ?? id),
      facts: { text: joined(name !== '' && email, phone), status },
      traderId,
    }),
  )
