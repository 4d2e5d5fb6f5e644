import { sql } from 'drizzle-orm'
import { toIso } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { findCurrency, getTableMeta, type TableMeta } from '../../../platform/db/tenant-table.ts'
import { formatAmount } from '../../../platform/money.ts'
import { auditEntries as audit } from '../../clients/audit/audit.table.ts'
import { listPersonRows } from '../../clients/traders/person-rows.ts'
import { LOGINS_OF_CLIENT } from '../../terminals/contract/of-client.ts'
import { terminalDeals } from '../../terminals/deals/deals.table.ts'
import { BUNDLE_PARTS, type BundlePart, buildTail, tell } from './privacy.plan.ts'

/** One read takes this many rows, in a few milliseconds. */
const BATCH = 200
type Values = Readonly<Record<string, unknown>>

/** Returns a value in a form for people: amounts with their decimals, times in UTC. */
function readable(meta: TableMeta, key: string, value: unknown, row: Values): unknown {
  if (typeof value === 'bigint') {
    const currency = findCurrency(meta, key, row)
    return currency ? formatAmount(value, currency) : value.toString()
  }
  return typeof value === 'number' && meta.byKey.get(key)?.said.isTime ? toIso(value) : value
}

function tellRow({ table, keys }: BundlePart, row: Values): object {
  const meta = getTableMeta(table)
  const told = keys.filter((key) => key !== 'note' || meta.isOwnNote?.(row))
  return Object.fromEntries(told.map((key) => [key, readable(meta, key, row[key], row)]))
}

function* readSection(db: Reader, told: BundlePart, traderId: string): Generator<object[]> {
  const tail = buildTail(told)
  let last = { createdAt: Number.MAX_SAFE_INTEGER, id: '' }
  for (;;) {
    const after = [told.walk === 'written' ? db.scope.tenantId : last.createdAt, last.id]
    const rows: Values[] = db.select(told.table, tail, [traderId, ...after, BATCH], { withDeleted: true })
    yield rows.filter((row) => told.isTold?.(row) ?? true).map((row) => tellRow(told, row))
    const end = rows.at(-1)
    if (!end || rows.length < BATCH) return
    last = { createdAt: Number(end.createdAt), id: String(end.id) }
  }
}

const OWN_ACTS = statement(
  sql`SELECT ${listed({
    seq: audit.seq,
    at: audit.at,
    action: audit.action,
    entity: audit.entity,
    entityId: audit.entityId,
    ip: audit.ip,
  })} FROM ${audit} INDEXED BY audit_actor
  WHERE ${audit.tenantId} = ?1 AND ${audit.actorId} = ?2 AND ${audit.actorKind} = 'trader'
    AND ${audit.impersonatorId} IS NULL AND ${audit.seq} < ?3 ORDER BY ${audit.seq} DESC LIMIT ?4`,
)
type Act = { seq: number; at: number; action: string; entity: string; entityId: string | null; ip: string | null }

/** Yields the person's own acts from the audit, without acts of colleagues who viewed as them. */
function* ownActs(db: Reader, traderId: string): Generator<object[]> {
  let before = Number.MAX_SAFE_INTEGER
  for (;;) {
    const rows = db.query<Act>(OWN_ACTS, [traderId, before, BATCH])
    yield rows.map(({ seq: _, at, ...act }) => ({ at: toIso(at), ...act }))
    const last = rows.at(-1)
    if (!last || rows.length < BATCH) return
    before = last.seq
  }
}

const DEALS = tell('deals', terminalDeals)
// in the order of the index by login
const OF_LOGIN = ` AND connection_id = ? AND login = ? AND (at, id) < (?, ?) ORDER BY at DESC, id DESC LIMIT ?`

/** Yields the deals of the logins that the person’s accounts are linked to. */
function* readDeals(db: Reader, traderId: string): Generator<object[]> {
  for (const { connectionId, login } of db.query<{ connectionId: string; login: string }>(LOGINS_OF_CLIENT, [
    traderId,
  ])) {
    let last = { at: Number.MAX_SAFE_INTEGER, id: '' }
    for (;;) {
      const rows = db.select(terminalDeals, OF_LOGIN, [connectionId, login, last.at, last.id, BATCH])
      yield rows.map((row) => tellRow(DEALS, row))
      const end = rows.at(-1)
      if (!end || rows.length < BATCH) break
      last = end
    }
  }
}

/** Yields batches as a JSON list. */
function* formatList(batches: Iterable<object[]>): Generator<string> {
  yield '['
  let first = true
  for (const batch of batches) {
    if (batch.length === 0) continue
    yield `${first ? '' : ','}\n${batch.map((row) => JSON.stringify(row)).join(',\n')}`
    first = false
  }
  yield ']'
}

/** A list in a bundle: its name, and a reader of one client's rows in batches. */
export type Section = { name: string; readRows: (db: Reader, traderId: string) => Iterable<object[]> }

const [person, ...others] = BUNDLE_PARTS
/** The sections about a person besides the person's own record. */
export const BUNDLE_SECTIONS: readonly Section[] = [
  ...others.map((told) => ({ name: told.section, readRows: (db: Reader, id: string) => readSection(db, told, id) })),
  { name: 'deals', readRows: readDeals },
  { name: 'ownActs', readRows: ownActs },
]

/**
 * Yields the text of `bundle.json` while it is sent. The first section is the person; the others are lists, which
 * include rows of clients merged into this one. `made` has the time and the firm.
 */
export function* buildBundle(
  db: Reader,
  traderId: string,
  made: { at: number; firm: string },
  sections: readonly Section[] = BUNDLE_SECTIONS,
): Generator<string> {
  const { at, firm } = made
  const row: Values = { ...(person && db.find(person.table, { id: traderId }, { withDeleted: true })) }
  const told = person ? tellRow(person, row) : {}
  yield `{"madeAt":${JSON.stringify(toIso(at))},"firm":${JSON.stringify(firm)},\n"person":${JSON.stringify(told)},\n`
  yield `"contacts":${JSON.stringify({ email: row.email, phone: row.phone })},\n`
  // the firm stores no consents apart from the requests that state them
  yield `"consents":[]`
  // clients who were merged into this one are the same person, and keep their wallets and entries
  const ids = listPersonRows(db, traderId)
  const ofAll = function* (read: (id: string) => Iterable<object[]>): Generator<object[]> {
    for (const id of ids) yield* read(id)
  }
  for (const { name, readRows } of sections) {
    yield `,\n"${name}":`
    yield* formatList(ofAll((id) => readRows(db, id)))
  }
  yield '}\n'
}
