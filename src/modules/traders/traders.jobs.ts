import { systemCtx } from '../../platform/access/ctx.ts'
import { DAY, HOUR } from '../../platform/clock.ts'
import { auditGoes, eraseStatement, wordKeysOf } from '../../platform/db/erasure.ts'
import { forgetDeletedWords } from '../../platform/db/search-index.ts'
import { tablesAboutPeople } from '../../platform/db/tenant-table.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import { RESTORE_DAYS } from './traders.service.ts'

const NAME = 'traders.purge'
/** Somebody was deleted with money by an earlier version: they stay, or nobody could give it back. */
const WITH_MONEY = `SELECT 1 FROM wallets w WHERE w.tenant_id = traders.tenant_id AND w.trader_id = traders.id AND (w.available <> 0 OR w.held <> 0)`
const DUE = `SELECT tenant_id AS tenantId, id FROM traders WHERE deleted_at < ? AND deleted_at IS NOT NULL AND erased_at IS NULL AND legal_hold = 0
  AND NOT EXISTS (${WITH_MONEY}) ORDER BY deleted_at LIMIT 100`
const KEPT = `SELECT count(*) AS n FROM traders WHERE deleted_at < ? AND deleted_at IS NOT NULL AND erased_at IS NULL AND legal_hold = 0
  AND EXISTS (${WITH_MONEY})`

// By SQL, not by tx.update: that would write what is erased into the audit. A hold or a restore that came first wins.
const MARK = `UPDATE traders SET erased_at = ?3, updated_at = ?3, version = version + 1
  WHERE tenant_id = ?1 AND id = ?2 AND deleted_at IS NOT NULL AND erased_at IS NULL AND legal_hold = 0`
// The indexes and the order of the join (CROSS) are named: without statistics
// SQLite would walk the whole audit of the firm, inside the write.
const OF_TRADER = 'SELECT seq FROM audit INDEXED BY audit_trader WHERE tenant_id = ?1 AND trader_id = ?2'
const OF_ENTITIES = (ids: string) =>
  `SELECT seq FROM audit INDEXED BY audit_entity WHERE tenant_id = ?1 AND entity_id IN (${ids})`
const THEIR_WALLETS = 'SELECT id FROM wallets WHERE tenant_id = ?1 AND trader_id = ?2'
const TO_THEM = `SELECT id FROM transfers WHERE tenant_id = ?1 AND to_wallet_id IN (${THEIR_WALLETS})`
const ABOUT_THEIR_MONEY = `SELECT id FROM withdrawal_decisions WHERE tenant_id = ?1
  AND withdrawal_id IN (SELECT id FROM withdrawals WHERE tenant_id = ?1 AND trader_id = ?2)`
const ABOUT_THEM = 'SELECT id FROM events WHERE tenant_id = ?1 AND trader_id = ?2'
const WITHOUT_PAYLOAD = `json_set(body, '$.payload', json('{}'))`

/**
 * What quotes the person without being a row of theirs: events and deliveries of them, mail, the audit of their leads.
 */
const QUOTES = [
  // what was told of them and what was sent of it; pending deliveries go out without words
  `UPDATE webhook_deliveries SET body = ${WITHOUT_PAYLOAD} WHERE tenant_id = ?1 AND replay_of IS NULL AND event_id IN (${ABOUT_THEM})`,
  `UPDATE webhook_deliveries SET body = ${WITHOUT_PAYLOAD} WHERE tenant_id = ?1 AND replay_of IS NOT NULL AND event_id IN (${ABOUT_THEM})`,
  `UPDATE events SET body = ${WITHOUT_PAYLOAD} WHERE tenant_id = ?1 AND trader_id = ?2`,
  'DELETE FROM mails WHERE tenant_id = ?1 AND recipient = (SELECT email FROM traders WHERE tenant_id = ?1 AND id = ?2)',
  `DELETE FROM audit_data WHERE tenant_id = ?1 AND seq IN (${OF_ENTITIES('SELECT id FROM leads WHERE tenant_id = ?1 AND trader_id = ?2')})`,
] as const

const quoted = (texts: readonly string[]): string => texts.map((text) => `'${text}'`).join(', ')

/**
 * Every statement that erases a person (?2) of a firm (?1), derived from what the tables say of their columns. The
 * books, the ledger and the chain of hashes stay; the trader's own row comes last, since others are found by it.
 */
function statements(): string[] {
  const tables = tablesAboutPeople()
  const rows = tables.filter(({ name }) => name !== 'traders').map(eraseStatement)
  const whole = quoted(['mail', ...tables.filter(auditGoes).map(({ entity }) => entity)])
  const words = quoted([...new Set(tables.flatMap(wordKeysOf))])
  return [
    ...QUOTES,
    `DELETE FROM audit_data WHERE tenant_id = ?1 AND seq IN (${OF_TRADER} AND entity IN (${whole}))`,
    // of money, what was said goes and what was done stays
    `WITH about (seq) AS (${OF_TRADER} UNION ${OF_ENTITIES(TO_THEM)} UNION ${OF_ENTITIES(ABOUT_THEIR_MONEY)})
      DELETE FROM audit_data WHERE tenant_id = ?1 AND seq IN (SELECT data.seq FROM about
        CROSS JOIN audit_data AS data ON data.tenant_id = ?1 AND data.seq = about.seq
        JOIN json_each(json_array(data.before, data.after)) AS side JOIN json_each(side.value) AS field
        WHERE field.type <> 'null' AND field.key IN (${words}))`,
    ...rows.filter((sql) => sql !== null),
    ...tables.filter(({ name }) => name === 'traders').map((table) => eraseStatement(table) ?? ''),
  ]
}

/** Erases one deleted person inside a transaction; false when a restore or a hold came first. */
function erase(tx: Tx, id: string): boolean {
  if (tx.execute(MARK, [id, tx.now]) === 0) return false
  tx.eraseWords(() => {
    for (const sql of statements()) tx.execute(sql, [id])
  })
  tx.audit({ entity: 'trader', entityId: id, traderId: id })
  return true
}

/**
 * Erases the person of every trader deleted more than 30 days ago, unless a legal hold stops it. rules.md “Traders”.
 */
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
        if (await systemCtx(platform, tenantId, NAME).write('trader.erase', (tx) => erase(tx, id))) erased += 1
      }
      if (erased === before) break
    }
    if (erased === 0) return null
    await forgetDeletedWords(platform, 'traders_search', signal)
    await forgetDeletedWords(platform, 'leads_search', signal)
    await forgetDeletedWords(platform, 'accounts_search', signal)
    const kept = platform.reader.get<{ n: number }>(KEPT, [platform.clock.now() - RESTORE_DAYS * DAY])?.n ?? 0
    return `${erased} persons erased${kept === 0 ? '' : `, ${kept} kept because they still have money`}`
  },
})
