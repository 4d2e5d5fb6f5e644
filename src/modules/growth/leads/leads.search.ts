import { type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { leads } from './leads.table.ts'

const called = alias(leads, 'called')
const named = alias(leads, 'named')

/** Selects the row ids of leads by words, digits of the phone or id; `personParams` are its parameters. */
export const LEADS_FOUND: SQL = sql`SELECT rowid FROM leads_search WHERE leads_search MATCH ?
  UNION SELECT rowid FROM leads_phones WHERE leads_phones MATCH ?
  UNION SELECT called.rid FROM leads_phones CROSS JOIN ${leads} AS called ON called.rid = leads_phones.rowid
    WHERE leads_phones MATCH ? AND ${called.tenantId} = ?
      AND (instr(${called.phone}, ?) OR instr(${called.phone}, ?))
  UNION SELECT named.rid FROM ${leads} AS named WHERE ${named.tenantId} = ? AND ${named.id} = ?`
