import { sql } from 'drizzle-orm'
import type { Reader } from '../../../platform/db/reader.ts'
import { statement } from '../../../platform/db/statement.ts'
import { ledgerEntries as entries } from '../../books/wallets/wallets.table.ts'
import { withdrawalDecisions as votes, withdrawals } from '../../books/withdrawals/withdrawals.table.ts'
import { auditEntries as audit } from '../../clients/audit/audit.table.ts'
import type { KeptReason } from '../../clients/kept-records/kept-records.table.ts'
import { kycSubmissions } from '../../clients/kyc/kyc.table.ts'
import { sanctionsHits as hits } from '../../clients/sanctions/sanctions.table.ts'
import { listPersonRows } from '../../clients/traders/person-rows.ts'
import { traders } from '../../clients/traders/traders.table.ts'

// approved documents may be revoked or wait again after a change of identity, so the audit of their approval counts
const PAPERS = statement(
  sql`SELECT 1 FROM ${kycSubmissions} WHERE ${kycSubmissions.tenantId} = ?1 AND ${kycSubmissions.traderId} = ?2
    AND (${kycSubmissions.status} = 'approved' OR EXISTS (SELECT 1 FROM ${audit} INDEXED BY audit_entity
      WHERE ${audit.tenantId} = ?1 AND ${audit.entityId} = ${kycSubmissions.id} AND ${audit.action} = 'kyc.approve'))
    LIMIT 1`,
)
const MONEY = statement(
  sql`SELECT 1 FROM ${entries} INDEXED BY ledger_entries_trader
  WHERE ${entries.tenantId} = ?1 AND ${entries.traderId} = ?2 LIMIT 1`,
)

// entries are never rewritten, so the one that was written last is the last act
const LAST = statement(
  sql`SELECT max(at) AS at FROM (SELECT * FROM (SELECT ${entries.createdAt} AS at FROM ${entries} INDEXED BY ledger_entries_trader
      WHERE ${entries.tenantId} = ?1 AND ${entries.traderId} = ?2 ORDER BY ${entries}.rowid DESC LIMIT 1)
    UNION ALL SELECT max(coalesce(${kycSubmissions.decidedAt}, ${kycSubmissions.reopenedAt})) FROM ${kycSubmissions}
      WHERE ${kycSubmissions.tenantId} = ?1 AND ${kycSubmissions.traderId} = ?2
    UNION ALL SELECT max(${hits.decidedAt}) FROM ${hits} WHERE ${hits.tenantId} = ?1 AND ${hits.traderId} = ?2
    UNION ALL SELECT max(${votes.createdAt}) FROM ${votes} WHERE ${votes.tenantId} = ?1 AND ${votes.withdrawalId} IN
      (SELECT ${withdrawals.id} FROM ${withdrawals} WHERE ${withdrawals.tenantId} = ?1 AND ${withdrawals.traderId} = ?2))`,
)

/** Returns every row of the person behind a client, whichever of the rows is given. */
const wholePerson = (db: Reader, traderId: string): string[] =>
  listPersonRows(db, db.get(traders, traderId, { withDeleted: true }).mergedInto ?? traderId)

/**
 * Returns why the law requires keeping a person's data: documents that were ever approved, or money in the books. Null
 * without both. RULES “Erasure”.
 */
export function whyKept(db: Reader, traderId: string): KeptReason | null {
  const rows = wholePerson(db, traderId)
  const has = (query: string): boolean => rows.some((id) => db.query(query, [id]).length > 0)
  const [papers, money] = [has(PAPERS), has(MONEY)]
  if (papers) return money ? 'documents_and_money' : 'documents'
  return money ? 'money' : null
}

/** Returns the time of a person's last movement of money or last decision. */
export const findLastAct = (db: Reader, traderId: string): number =>
  Math.max(...wholePerson(db, traderId).map((id) => db.query<{ at: number | null }>(LAST, [id])[0]?.at ?? 0))
