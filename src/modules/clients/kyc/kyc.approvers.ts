import type { Ctx } from '../../../platform/access/ctx.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { type Deed, listSetters, requireAnother } from '../../firm/independence/blocks.ts'
import { requireDecider, whyNotVote } from '../../firm/independence/independence.service.ts'
import { clientActs, IDENTITY_ACTS } from '../../firm/independence/independence.table.ts'
import { kycDocuments, kycSubmissions, type SubmissionRow } from './kyc.table.ts'

/**
 * Returns the acts whose author may not approve the documents: uploading them, changing the client's identity since the
 * last approval, and having rejected the client's documents before.
 */
function deedsOn(db: Reader, { id, traderId, handedBy, createdAt }: SubmissionRow): Deed[] {
  const documents = db.list(kycDocuments, { submissionId: id })
  const handed = [handedBy, ...documents.map(({ uploadedBy }) => uploadedBy)].filter((userId) => userId !== null)
  const approved = db.list(kycSubmissions, { traderId, status: 'approved' })
  const lookedAt = Math.max(0, ...approved.map(({ decidedAt }) => decidedAt ?? 0))
  const renamed = db.list(clientActs, { traderId, act: [...IDENTITY_ACTS] })
  return [
    ...handed.map((userId) => ({ userId, createdAt })),
    ...renamed.filter((act) => act.createdAt >= lookedAt),
    ...listSetters(db, traderId, 'papers'),
  ]
}

/** Refuses an approver, with the reason. Documents that wait again need one whose account is theirs alone. */
export function requireApprover(tx: Tx, ctx: Ctx, id: string): void {
  const row = tx.get(kycSubmissions, id)
  const { userId, people } = requireDecider(tx, ctx, row.traderId)
  const refusal = row.reopenedAt === null ? null : whyNotVote(tx.unowned, people, userId, row.traderId, tx.now)
  if (refusal) throw refusal
  requireAnother(tx.unowned, people, userId, deedsOn(tx.unowned, row), tx.now)
}
