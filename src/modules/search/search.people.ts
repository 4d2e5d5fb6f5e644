import { type SQL, sql } from 'drizzle-orm'
import type { Reader } from '../../platform/db/reader.ts'
import { findByWords, matchPhone, phoneDigits } from '../../platform/db/search.ts'
import { listed, statement } from '../../platform/db/statement.ts'
import { foldEmail } from '../../platform/http/fields.ts'
import { leads } from '../leads/leads.table.ts'
import { traderAliases } from '../merges/merges.table.ts'
import { traders } from '../traders/traders.table.ts'
import { type Hit, MOST_HITS } from './search.model.ts'

type PersonRow = {
  id: string
  name: string
  email: string | null
  phone: string | null
  status: string
  traderId: string | null
  words: string
}
/** The questions of one table; `?1` is the tenant. */
type Questions = { exact: string; words: string; digits: string; ending: string }

const person = (table: typeof traders | typeof leads, traderId: SQL): SQL =>
  listed({
    id: table.id,
    name: sql`concat_ws(' ', ${table.firstName}, ${table.lastName})`,
    email: table.email,
    phone: table.phone,
    status: table.status,
    traderId,
    words: sql`concat_ws(' ', ${table.firstName}, ${table.lastName}, ${table.email})`,
  })
/** What a stored phone has to hold: `?3` or `?4`, somewhere or at its end. */
const holds = (table: typeof traders | typeof leads): SQL =>
  sql`(instr(${table.phone}, ?3) OR instr(${table.phone}, ?4))`
const ends = (table: typeof traders | typeof leads): SQL =>
  sql`(substr(${table.phone}, -length(?3)) = ?3 OR substr(${table.phone}, -length(?4)) = ?4)`

const client = person(traders, sql`${traders.id}`)
const live = sql`${traders.tenantId} = ?1 AND ${traders.deletedAt} IS NULL`
// An index walks from its newest row and stops at the limit; CROSS JOIN keeps it in front.
const clientsBy = (match: SQL, check: SQL, limit: SQL): string =>
  statement(sql`SELECT ${client} FROM ${match} AND ${live}${check} ORDER BY s.rowid DESC LIMIT ${limit}`)
const CLIENT_WORDS = sql`traders_search s CROSS JOIN ${traders} ON traders.rid = s.rowid WHERE s.traders_search MATCH ?2`
const CLIENT_PHONES = sql`traders_phones s CROSS JOIN ${traders} ON traders.rid = s.rowid WHERE s.traders_phones MATCH ?2`
const CLIENTS: Questions = {
  exact: statement(sql`SELECT ${client} FROM ${traders} WHERE ${live} AND ${traders.id} = ?2
    UNION ALL SELECT ${client} FROM ${traders} WHERE ${live} AND ${traders.email} = ?3
    UNION ALL SELECT ${client} FROM ${traderAliases}
      JOIN ${traders} ON ${traders.tenantId} = ${traderAliases.tenantId} AND ${traders.id} = ${traderAliases.traderId}
      WHERE ${traderAliases.tenantId} = ?1 AND ${traderAliases.value} IN (?3, ?4) AND ${live}`),
  words: clientsBy(CLIENT_WORDS, sql``, sql`?3`),
  digits: clientsBy(CLIENT_PHONES, sql` AND ${holds(traders)}`, sql`?5`),
  ending: clientsBy(CLIENT_PHONES, sql` AND ${ends(traders)}`, sql`?5`),
}

const lead = person(leads, sql`${leads.traderId}`)
const open = sql`${leads.tenantId} = ?1 AND ${leads.deletedAt} IS NULL`
const leadsBy = (match: SQL, check: SQL, limit: SQL): string =>
  statement(sql`SELECT ${lead} FROM ${match} AND ${open}${check} ORDER BY s.rowid DESC LIMIT ${limit}`)
const LEAD_WORDS = sql`leads_search s CROSS JOIN ${leads} ON leads.rid = s.rowid WHERE s.leads_search MATCH ?2`
const LEAD_PHONES = sql`leads_phones s CROSS JOIN ${leads} ON leads.rid = s.rowid WHERE s.leads_phones MATCH ?2`
const LEADS: Questions = {
  // ?4 is a phone in its one form, which leads have an index of
  exact: statement(sql`SELECT ${lead} FROM ${leads} WHERE ${open} AND ${leads.id} = ?2
    UNION ALL SELECT ${lead} FROM ${leads} WHERE ${open} AND ${leads.email} = ?3
    UNION ALL SELECT ${lead} FROM ${leads} WHERE ${open} AND ${leads.phone} = ?4`),
  words: leadsBy(LEAD_WORDS, sql``, sql`?3`),
  digits: leadsBy(LEAD_PHONES, sql` AND ${holds(leads)}`, sql`?5`),
  ending: leadsBy(LEAD_PHONES, sql` AND ${ends(leads)}`, sql`?5`),
}

/** Rows of several questions, the first question's first; a later one is asked only while there is room. */
function inTurn<R extends { id: string }>(...questions: (() => readonly R[])[]): R[] {
  const found = new Map<string, R>()
  for (const ask of questions) {
    if (found.size >= MOST_HITS) break
    for (const row of ask()) if (!found.has(row.id)) found.set(row.id, row)
  }
  return [...found.values()].slice(0, MOST_HITS)
}

/** Who has exactly this id, address or number; whose number ends so; then by words, and by digits anywhere. */
function findPeople(db: Reader, { exact, words, digits, ending }: Questions, text: string): PersonRow[] {
  const { tenantId } = db.scope
  const typed = phoneDigits(text)
  const [first = '', second = first] = typed
  const byDigits = (question: string, isEnding: boolean): PersonRow[] =>
    typed.length === 0
      ? []
      : db.query<PersonRow>(question, [matchPhone(tenantId, typed, isEnding), first, second, MOST_HITS])
  const isWhole = ({ phone }: PersonRow): boolean => phone === `+${first}` || phone === `+${second}`
  return inTurn(
    () => db.query<PersonRow>(exact, [text, foldEmail(text), `+${second}`]),
    () => byDigits(ending, true).toSorted((a, b) => Number(isWhole(b)) - Number(isWhole(a))),
    () =>
      findByWords((match, limit) => db.query<PersonRow>(words, [match, limit]), { tenantId, text, wanted: MOST_HITS }),
    () => byDigits(digits, false),
  )
}

const joined = (...parts: (string | null | false)[]): string => parts.filter((part) => part).join(' · ')

/** Clients by id, address (also one of somebody merged into them), any four digits of the phone, or words. */
export const findTraders = (db: Reader, text: string): Hit[] =>
  findPeople(db, CLIENTS, text).map(({ id, name, email, phone, status }) => ({
    kind: 'trader',
    id,
    title: name || (email ?? id),
    subtitle: joined(name !== '' && email, phone, status !== 'active' && status),
    traderId: id,
  }))

/** Leads, found as clients are. */
export const findLeads = (db: Reader, text: string): Hit[] =>
  findPeople(db, LEADS, text).map(({ id, name, email, phone, status, traderId }) => ({
    kind: 'lead',
    id,
    title: name || (email ?? phone ?? id),
    subtitle: joined(name !== '' && email, phone, status),
    traderId,
  }))
