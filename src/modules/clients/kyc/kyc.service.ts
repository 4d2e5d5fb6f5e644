import type { Static } from '@sinclair/typebox'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { findStaffId } from '../../../platform/access/principal.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { writeEach } from '../../../platform/http/answers/bulk-results.ts'
import { invalid } from '../../../platform/problem.ts'
import type { AuditAction } from '../../../words/audit-actions.ts'
import { say } from '../../../words/say.ts'
import { readSetting, writeSetting } from '../../base/settings/settings.service.ts'
import { listSetters, noteBlock, noteLift } from '../../firm/independence/blocks.ts'
import { personBehind, requireDecider } from '../../firm/independence/independence.service.ts'
import { namesThen } from '../../firm/users/users.names.ts'
import { traderPayload } from '../traders/traders.model.ts'
import { type TraderRow, traders } from '../traders/traders.table.ts'
import { requireApprover } from './kyc.approvers.ts'
import { getSubject } from './kyc.documents.ts'
import { kycErrors } from './kyc.errors.ts'
import {
  type BulkApproveIn,
  type BulkOut,
  type BulkRejectIn,
  kycPayload,
  type ReasonsOut,
  type RejectIn,
  type RevokeIn,
  type Submission,
  type SubmissionDetail,
  type SubmissionIn,
  toDocument,
  toOwnSubmission,
  toSubmission,
} from './kyc.model.ts'
import { revocationStates, submissionStates } from './kyc.states.ts'
import { kycDocuments, kycSubmissions, type SubmissionRow } from './kyc.table.ts'
import {
  checkReasons,
  inReadersWords,
  inStoredWords,
  type Rejection,
  type RejectReasons,
  rejectReasons,
  resolveReason,
  resolveRevocation,
} from './reject-reasons.ts'

/** Sets the KYC state of the client's row and fires `trader.updated`. */
function markTrader(tx: Tx, traderId: string, changes: Partial<Pick<TraderRow, 'kycStatus' | 'kycLevel'>>): void {
  const before = tx.get(traders, traderId, { withDeleted: true })
  const after = tx.update(traders, traderId, changes)
  const changed = (['kycStatus', 'kycLevel'] as const).filter((key) => before[key] !== after[key])
  if (changed.length > 0) tx.emit('trader.updated', { ...traderPayload(after), changed })
}

/** Submits documents for review; a client has one open submission. RULES “KYC”. */
export function submit(ctx: Ctx, input: Static<typeof SubmissionIn>): Promise<Submission> {
  return ctx.write('kyc.submit', (tx) => {
    const traderId = getSubject(ctx, tx, input.traderId)
    if (tx.find(kycSubmissions, { traderId, status: 'requested' })) throw kycErrors.open_submission()
    const [last] = tx.list(kycSubmissions, { traderId }, { orderBy: 'createdAt', descending: true, limit: 1 })
    // staff may submit again after a final rejection, the client may not
    if (ctx.principal.kind === 'trader' && last?.rejectionKind === 'final') throw kycErrors.final_rejection()
    const row = tx.insert(kycSubmissions, {
      traderId,
      level: input.level,
      note: input.note ?? null,
      handedBy: personBehind(ctx),
    })
    input.documentIds.forEach((id, index) => {
      const document = tx.find(kycDocuments, { id, traderId })
      if (!document) throw invalid(`documentIds.${index}`, 'unknown', say('kyc.field.document_unknown'))
      if (document.submissionId !== null)
        throw kycErrors.document_used({
          errors: [{ path: `documentIds.${index}`, code: 'used', message: say('kyc.field.document_used') }],
        })
      tx.update(kycDocuments, id, { submissionId: row.id })
    })
    tx.emit('kyc.requested', kycPayload(row))
    markTrader(tx, traderId, { kycStatus: 'requested' })
    return toSubmission(row)
  })
}

function approveInside(tx: Tx, ctx: Ctx, id: string, note: string | undefined, expect?: number): SubmissionRow {
  requireApprover(tx, ctx, id)
  const changes = {
    decidedBy: findStaffId(ctx.principal),
    decidedAt: tx.now,
    ...(note === undefined ? {} : { rejectionNote: note }),
  }
  const row = tx.transition(kycSubmissions, id, submissionStates, 'approved', changes, { expect })
  tx.emit('kyc.approved', kycPayload(row))
  if (listSetters(tx.unowned, row.traderId, 'papers').length > 0 && changes.decidedBy !== null)
    noteLift(tx, ctx, row.traderId, 'papers', [changes.decidedBy])
  // an approval may raise the level but never lowers it
  const { kycLevel } = tx.get(traders, row.traderId, { withDeleted: true })
  markTrader(tx, row.traderId, { kycStatus: 'approved', kycLevel: Math.max(kycLevel, row.level) })
  return row
}

function rejectInside(
  tx: Tx,
  ctx: Ctx,
  id: string,
  reason: Rejection,
  note: string | undefined,
  expect?: number,
): SubmissionRow {
  const { reopenedAt, traderId } = tx.get(kycSubmissions, id)
  requireDecider(tx, ctx, traderId)
  const row = rejectRow(tx, ctx, id, submissionStates, reason, note, { expect })
  if (row.rejectionKind === 'final') noteBlock(tx, ctx, traderId, 'papers')
  // if the identity changed since, the earlier approvals were of somebody else and are revoked too
  if (!reason.revokes && reopenedAt === null) markTrader(tx, traderId, { kycStatus: 'rejected' })
  else {
    for (const { id: standing } of tx.list(kycSubmissions, { traderId, status: 'approved' }))
      rejectRow(tx, ctx, standing, revocationStates, reason, note, { action: 'kyc.revoke' })
    markTrader(tx, traderId, { kycStatus: 'rejected', kycLevel: 0 })
  }
  return row
}

/**
 * Rejects a submission with the given states and fires the event with the text for the client. The caller sets the
 * client's state.
 */
function rejectRow(
  tx: Tx,
  ctx: Ctx,
  id: string,
  states: typeof submissionStates,
  { code, kind, detail }: Rejection,
  note: string | undefined,
  options: { expect?: number | undefined; action?: AuditAction },
): SubmissionRow {
  const changes = {
    decidedBy: findStaffId(ctx.principal),
    decidedAt: tx.now,
    rejectionCode: code,
    rejectionKind: kind,
    rejectionDetail: detail,
    rejectionNote: note ?? null,
  }
  const row = tx.transition(kycSubmissions, id, states, 'rejected', changes, options)
  tx.emit('kyc.rejected', { ...kycPayload(row), detail })
  return row
}

/**
 * Closes a waiting submission of a client who is merged into another one; a new submission is allowed. Fires
 * `kyc.rejected`.
 */
export function closeForMerge(tx: Tx, ctx: Ctx, id: string, detail: string): void {
  rejectRow(tx, ctx, id, submissionStates, resolveReason(tx, { detail, kind: 'retry' }), undefined, {})
}

/** Approves a submission and grants its level; fires `kyc.approved`. */
export const approve = (
  ctx: Ctx,
  id: string,
  note: string | undefined,
  expect: number | undefined,
): Promise<Submission> => ctx.write('kyc.approve', (tx) => toSubmission(approveInside(tx, ctx, id, note, expect)))

/**
 * Rejects a submission with a reason. Receivers get the text for the client in `payload.detail`, and never the note of
 * staff. RULES “KYC”.
 */
export function reject(
  ctx: Ctx,
  id: string,
  { note, ...input }: Static<typeof RejectIn>,
  expect: number | undefined,
): Promise<Submission> {
  return ctx.write('kyc.reject', (tx) =>
    toSubmission(rejectInside(tx, ctx, id, resolveReason(tx, input), note, expect)),
  )
}

/**
 * Revokes an approval: the client's level falls to the highest one that is still approved, which blocks open
 * withdrawals if the policy needs more. Fires `kyc.rejected` with the text for the client; the reason is for staff
 * only. RULES “KYC”.
 */
export function revoke(
  ctx: Ctx,
  id: string,
  { reason, detail }: Static<typeof RevokeIn>,
  expect: number | undefined,
): Promise<Submission> {
  return ctx.write('kyc.revoke', (tx) => {
    const row = rejectRow(tx, ctx, id, revocationStates, resolveRevocation(tx, detail), reason, { expect })
    const { traderId } = row
    requireDecider(tx, ctx, traderId)
    noteBlock(tx, ctx, traderId, 'papers')
    const standing = Math.max(0, ...tx.list(kycSubmissions, { traderId, status: 'approved' }).map(({ level }) => level))
    const { kycLevel, kycStatus } = tx.get(traders, traderId, { withDeleted: true })
    markTrader(tx, traderId, {
      kycLevel: Math.min(kycLevel, standing),
      // documents that wait go on waiting
      kycStatus: kycStatus === 'requested' ? 'requested' : standing > 0 ? 'approved' : 'rejected',
    })
    return toSubmission(row)
  })
}

/** Decides the open submission of each client, with a result for each. RULES “Bulk”. */
async function decideEach(
  ctx: Ctx,
  ids: readonly string[],
  action: AuditAction,
  decide: (tx: Tx, submission: SubmissionRow) => void,
): Promise<Static<typeof BulkOut>> {
  return writeEach(ctx, action, ids, (tx, id) => {
    tx.get(traders, id)
    const open = tx.find(kycSubmissions, { traderId: id, status: 'requested' })
    if (!open) throw kycErrors.nothing_open()
    decide(tx, open)
    return { submissionId: open.id }
  })
}

export const bulkApprove = (ctx: Ctx, { ids, note }: Static<typeof BulkApproveIn>) =>
  decideEach(ctx, ids, 'kyc.approve', (tx, { id }) => approveInside(tx, ctx, id, note))

export function bulkReject(ctx: Ctx, { ids, note, ...input }: Static<typeof BulkRejectIn>) {
  const reason = resolveReason(ctx.db, input)
  return decideEach(ctx, ids, 'kyc.reject', (tx, { id }) => rejectInside(tx, ctx, id, reason, note))
}

/** Answers one submission with its documents; staff also see the decider and the note. */
export function readSubmission(ctx: Ctx, id: string): Static<typeof SubmissionDetail> {
  const row = ctx.db.get(kycSubmissions, id)
  const documents = ctx.db.list(kycDocuments, { submissionId: id }, { orderBy: 'createdAt' }).map(toDocument)
  if (findStaffId(ctx.principal) === null) return { ...toOwnSubmission(row), documents, staff: null }
  const nameThen = namesThen(ctx.db, [row.decidedBy])
  const { rejectionCode, rejectionNote, decidedBy } = row
  return {
    ...toSubmission(row),
    documents,
    staff: { rejectionCode, rejectionNote, decidedBy, decidedByName: nameThen(decidedBy, row.decidedAt ?? 0) },
  }
}

export function readReasons(ctx: Ctx): Static<typeof ReasonsOut> {
  const { value, version } = readSetting(ctx.db, rejectReasons)
  return { ...inReadersWords(value), version }
}

/** Sets the catalogue of reasons; earlier decisions keep their texts. */
export function setReasons(
  ctx: Ctx,
  value: Static<typeof RejectReasons>,
  expect: number | undefined,
): Promise<Static<typeof ReasonsOut>> {
  checkReasons(value)
  return ctx.write('kyc_reject_reasons.set', (tx) => {
    const written = writeSetting(tx, rejectReasons, inStoredWords(value), expect)
    return { ...inReadersWords(written.value), version: written.version }
  })
}
