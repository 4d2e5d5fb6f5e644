import { sql } from 'drizzle-orm'
import type { Reader } from '../../../platform/db/reader.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import type { TraderRow } from '../traders/traders.table.ts'
import { kycPayload } from './kyc.model.ts'
import { reopenStates } from './kyc.states.ts'
import { kycSubmissions as submissions } from './kyc.table.ts'

const WAITS = statement(
  sql`SELECT 1 AS n FROM ${submissions} WHERE ${submissions.tenantId} = ?1 AND ${submissions.traderId} = ?2
    AND ${submissions.status} = 'requested' AND ${submissions.reopenedAt} IS NOT NULL`,
)

/** Returns whether a client's documents wait again after a change of identity. `db` must see the whole firm. */
export const papersWait = (db: Reader, traderId: string): boolean => db.query(WAITS, [traderId]).length > 0

/**
 * Makes a client's documents wait again after a change of identity: the open submission, or without one the highest
 * approved one, which fires `kyc.requested`. Returns the changes of the client's row. RULES “KYC”.
 */
export function reopenPapers(tx: Tx, traderId: string): Partial<TraderRow> {
  const [highest] = tx.list(
    submissions,
    { traderId, status: 'approved' },
    { orderBy: 'level', descending: true, limit: 1 },
  )
  const open = tx.find(submissions, { traderId, status: 'requested' })
  if (open && (highest || open.reopenedAt !== null)) tx.update(submissions, open.id, { reopenedAt: tx.now })
  else if (highest) {
    const undecided = { reopenedAt: tx.now, decidedBy: null, decidedAt: null }
    const row = tx.transition(submissions, highest.id, reopenStates, 'requested', undecided, { action: 'kyc.reopen' })
    tx.emit('kyc.requested', kycPayload(row))
  } else return {}
  return { kycStatus: 'requested' }
}
