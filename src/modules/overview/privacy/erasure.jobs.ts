import { type Column, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { type Ctx, systemCtx } from '../../../platform/access/ctx.ts'
import { DAY, HOUR } from '../../../platform/clock.ts'
import { auditGoes, type Erasable, eraseStatement, listFreeTextKeys } from '../../../platform/db/erasure.ts'
import { forgetDeletedWords, SEARCH_INDEXES } from '../../../platform/db/search-index.ts'
import { bare, listed, statement } from '../../../platform/db/statement.ts'
import { tablesAboutPeople } from '../../../platform/db/tenant-table.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { RESTORE_DAYS } from '../../../words/rule-figures.ts'
import { say } from '../../../words/say.ts'
import { events } from '../../base/events/events.table.ts'
import { mails } from '../../base/mails/mails.table.ts'
import { accounts } from '../../books/accounts/accounts.table.ts'
import { wallets } from '../../books/wallets/wallets.table.ts'
import { withdrawalDecisions, withdrawals } from '../../books/withdrawals/withdrawals.table.ts'
import { auditEntries as audit, auditData } from '../../clients/audit/audit.table.ts'
import { traders } from '../../clients/traders/traders.table.ts'
import { users } from '../../firm/users/users.table.ts'
import { webhookDeliveries as deliveries } from '../../firm/webhooks/webhooks.table.ts'
import { leads } from '../../growth/leads/leads.table.ts'
import { sealRecord } from './kept-records.seal.ts'
import { whyKept } from './retention.ts'

const NAME = 'traders.purge'
/** Money may have come after a client was deleted; then the client is not erased. */
const withMoney = sql`SELECT 1 FROM ${wallets} WHERE ${wallets.tenantId} = ${traders.tenantId}
  AND ${wallets.traderId} = ${traders.id} AND (${wallets.available} <> 0 OR ${wallets.held} <> 0)
  UNION ALL SELECT 1 FROM ${accounts} WHERE ${accounts.tenantId} = ${traders.tenantId}
  AND ${accounts.traderId} = ${traders.id} AND ${accounts.isDemo} = 0 AND ${accounts.balance} <> 0
  AND ${accounts.deletedAt} IS NULL`
const held = alias(traders, 'held')
/** A hold protects the person: if it is on one of the person's rows, none of them is erased. */
const heldElsewhere = sql`SELECT 1 FROM ${traders} ${held} WHERE ${held.tenantId} = ${traders.tenantId}
    AND ${held.id} = ${traders.mergedInto} AND ${held.legalHold} = 1
  UNION ALL SELECT 1 FROM ${traders} ${held} WHERE ${held.tenantId} = ${traders.tenantId}
    AND ${held.mergedInto} = coalesce(${traders.mergedInto}, ${traders.id}) AND ${held.legalHold} = 1`
const mayBeErased = sql`${traders.deletedAt} IS NOT NULL AND ${traders.erasedAt} IS NULL AND ${traders.legalHold} = 0
  AND NOT EXISTS (${heldElsewhere})`
const DUE = statement(
  sql`SELECT ${listed({ tenantId: traders.tenantId, id: traders.id })} FROM ${traders}
  WHERE ${traders.deletedAt} < ? AND ${mayBeErased} AND NOT EXISTS (${withMoney}) ORDER BY ${traders.deletedAt} LIMIT 100`,
)
const KEPT = statement(
  sql`SELECT count(*) AS n FROM ${traders} WHERE ${traders.deletedAt} < ? AND ${mayBeErased} AND EXISTS (${withMoney})`,
)

// SQL is used, since tx.update would write the erased values into the audit. A hold or a restore that came first
// prevents it.
const MARK = statement(
  sql`UPDATE ${traders} SET ${bare(traders.erasedAt)} = ?3, ${bare(traders.updatedAt)} = ?3,
    ${bare(traders.version)} = ${traders.version} + 1
  WHERE ${traders.tenantId} = ?1 AND ${traders.id} = ?2 AND ${mayBeErased}`,
)
// The indexes and the order of the join (CROSS) are named: without statistics SQLite would read the firm's whole audit,
// inside the write.
const ofTrader = sql`SELECT ${audit.seq} FROM ${audit} INDEXED BY audit_trader
  WHERE ${audit.tenantId} = ?1 AND ${audit.traderId} = ?2`
const ofEntities = (ids: SQL): SQL =>
  sql`SELECT ${audit.seq} FROM ${audit} INDEXED BY audit_entity
  WHERE ${audit.tenantId} = ?1 AND ${audit.entityId} IN (${ids})`
const aboutTheirMoney = sql`SELECT ${withdrawalDecisions.id} FROM ${withdrawalDecisions}
  WHERE ${withdrawalDecisions.tenantId} = ?1 AND ${withdrawalDecisions.withdrawalId} IN
  (SELECT ${withdrawals.id} FROM ${withdrawals} WHERE ${withdrawals.tenantId} = ?1 AND ${withdrawals.traderId} = ?2)`
const theirLeads = sql`SELECT ${leads.id} FROM ${leads} WHERE ${leads.tenantId} = ?1 AND ${leads.traderId} = ?2`
const aboutThem = sql`SELECT ${events.id} FROM ${events} WHERE ${events.tenantId} = ?1 AND ${events.traderId} = ?2`
const emptied = (body: Column): SQL => sql`${bare(body)} = json_set(${body}, '$.payload', json('{}'))`
const emptiedDeliveries = sql`UPDATE ${deliveries} SET ${emptied(deliveries.body)}
  WHERE ${deliveries.tenantId} = ?1 AND ${deliveries.eventId} IN (${aboutThem})`

/**
 * Clears what quotes the person without being one of their rows: events about them and deliveries of these, mail, and
 * the audit of their leads.
 */
const QUOTES = [
  // events and deliveries lose their content; pending deliveries are then sent without it
  sql`${emptiedDeliveries} AND ${deliveries.replayOf} IS NULL`,
  sql`${emptiedDeliveries} AND ${deliveries.replayOf} IS NOT NULL`,
  sql`UPDATE ${events} SET ${emptied(events.body)} WHERE ${events.tenantId} = ?1 AND ${events.traderId} = ?2`,
  // removes mail with links that sign the person in, and other mail to their address unless a colleague has the address
  // too
  sql`DELETE FROM ${mails} WHERE ${mails.tenantId} = ?1 AND (${mails.linkTraderId} = ?2
    OR ${mails.linkUserId} IS NULL AND ${mails.recipient} =
      (SELECT ${traders.email} FROM ${traders} WHERE ${traders.tenantId} = ?1 AND ${traders.id} = ?2)
    AND NOT EXISTS (SELECT 1 FROM ${users} WHERE ${users.tenantId} = ?1 AND ${users.email} = ${mails.recipient}))`,
  sql`DELETE FROM ${auditData} WHERE ${auditData.tenantId} = ?1 AND ${auditData.seq} IN (${ofEntities(theirLeads)})`,
].map(statement)

const said = alias(auditData, 'data')

const quoted = (texts: readonly string[]): SQL => sql.raw(texts.map((text) => `'${text}'`).join(', '))

const isFoundByColumn = ({ person: { of } }: Erasable): boolean => typeof of === 'string'

/**
 * Returns every statement that erases a person (?2) of a firm (?1), derived from what the tables declare for their
 * columns. The books, the ledger and the chain of hashes stay. Rows that are found through others come first, and
 * the client's own row comes last.
 */
function statements(): string[] {
  const tables = tablesAboutPeople().toSorted((a, b) => Number(isFoundByColumn(a)) - Number(isFoundByColumn(b)))
  const rows = tables.filter(({ name }) => name !== 'traders').map(eraseStatement)
  const whole = quoted(['mail', ...tables.filter(auditGoes).map(({ entity }) => entity)])
  const words = quoted([...new Set(tables.flatMap(listFreeTextKeys))])
  return [
    ...QUOTES,
    statement(
      sql`DELETE FROM ${auditData} WHERE ${auditData.tenantId} = ?1
        AND ${auditData.seq} IN (${ofTrader} AND ${audit.entity} IN (${whole}))`,
    ),
    // in the audit of money, free text goes and facts stay
    statement(
      sql`WITH about (seq) AS (${ofTrader} UNION ${ofEntities(aboutTheirMoney)})
      DELETE FROM ${auditData} WHERE ${auditData.tenantId} = ?1 AND ${auditData.seq} IN (SELECT ${said.seq} FROM about
        CROSS JOIN ${auditData} AS ${said} ON ${said.tenantId} = ?1 AND ${said.seq} = about.seq
        JOIN json_each(json_array(${said.before}, ${said.after})) AS side JOIN json_each(side.value) AS field
        WHERE field.type <> 'null' AND field.key IN (${words}))`,
    ),
    ...rows.filter((sql) => sql !== null),
    ...tables.filter(({ name }) => name === 'traders').map((table) => eraseStatement(table) ?? ''),
  ]
}

/**
 * Erases one deleted person inside a transaction, after sealing what the law keeps; false if a restore or a hold came
 * first.
 */
function* erase(tx: Tx, ctx: Ctx, id: string): Generator<void, boolean> {
  if (tx.execute(MARK, [id, tx.now]) === 0) return false
  const reason = whyKept(tx, id)
  const keptRecord = reason === null ? null : yield* sealRecord(tx, ctx, id, reason)
  for (const sql of statements()) {
    tx.eraseWords(() => void tx.execute(sql, [id]))
    yield
  }
  tx.audit({ entity: 'trader', entityId: id, traderId: id, ...(keptRecord && { after: { keptRecord } }) })
  return true
}

/** Erases every client deleted more than 30 days ago, unless a legal hold prevents it. RULES “Erasure”. */
export const purgeTraders = defineJob({
  name: NAME,
  every: HOUR,
  run: async ({ platform, signal }) => {
    let erased = 0
    while (!signal.aborted) {
      const due = platform.reader.all<{ tenantId: string; id: string }>(DUE, [
        platform.clock.now() - RESTORE_DAYS * DAY,
      ])
      if (due.length === 0) break
      const before = erased
      for (const { tenantId, id } of due) {
        const ctx = systemCtx(platform, tenantId, NAME)
        if (await ctx.writeSteps('trader.erase', (tx) => erase(tx, ctx, id))) erased += 1
      }
      if (erased === before) break
    }
    if (erased === 0) return null
    for (const index of SEARCH_INDEXES) await forgetDeletedWords(platform, index, signal)
    const kept = platform.reader.get<{ n: number }>(KEPT, [platform.clock.now() - RESTORE_DAYS * DAY])?.n ?? 0
    return say('jobs.persons_erased', { erased, kept })
  },
})
