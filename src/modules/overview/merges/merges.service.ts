import type { Static } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { atLeast } from '../../../platform/access/catalogue.ts'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { findRole, findStaffId } from '../../../platform/access/principal.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { bare, getColumnName, statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { invalid, Problem } from '../../../platform/problem.ts'
import { MOST_LABELS } from '../../../words/rule-figures.ts'
import { say } from '../../../words/say.ts'
import { accounts } from '../../books/accounts/accounts.table.ts'
import { refusePending } from '../../clients/sanctions/sanctions.queries.ts'
import { type Moved, traderAliases, traderMerges } from '../../clients/traders/merged.table.ts'
import { toTrader, traderPayload } from '../../clients/traders/traders.model.ts'
import { RISK_LEVEL, type TraderRow, traders } from '../../clients/traders/traders.table.ts'
import { voidLinks } from '../../firm/auth/auth.own-account.ts'
import { endSessions } from '../../firm/auth/auth.service.ts'
import { credentials } from '../../firm/auth/auth.table.ts'
import { passBlocksOn } from '../../firm/independence/blocks.ts'
import { noteClientAct, requireDecider } from '../../firm/independence/independence.service.ts'
import { mailOwners } from '../../firm/users/users.notices.ts'
import { users } from '../../firm/users/users.table.ts'
import { affiliates } from '../../growth/affiliates/affiliates.table.ts'
import { noteAffiliation } from '../../growth/affiliates/attribution.ts'
import { uniteClients } from './merges.collisions.ts'
import { mergeErrors } from './merges.errors.ts'
import type { MergeIn, MergeOut } from './merges.model.ts'
import { moveMoney } from './merges.money.ts'
import { MOVES, type Move, STRETCH } from './merges.plan.ts'
import { type MergeHooks, previewMerge } from './merges.preview.ts'

type Out = Static<typeof MergeOut>

/** Returns the two clients; 422 names the field if one is unknown or both are the same. */
function getClients(db: Reader, { primaryId, secondaryId }: Static<typeof MergeIn>): [TraderRow, TraderRow] {
  if (primaryId === secondaryId) throw invalid('secondaryId', 'same', say('merges.error.same'))
  const primary = db.find(traders, { id: primaryId })
  if (!primary) throw invalid('primaryId', 'unknown', say('merges.error.unknown'))
  const secondary = db.find(traders, { id: secondaryId })
  if (!secondary) throw invalid('secondaryId', 'unknown', say('merges.error.unknown'))
  return [primary, secondary]
}

/** Throws the 403 if the secondary's money needs an admin, who must act in person and not with a key. */
function requireRole({ principal }: Ctx, { needsRole }: Pick<Out, 'needsRole'>): void {
  if (needsRole === 'admin' && principal.kind === 'api_key') throw mergeErrors.needs_person()
  const role = findRole(principal)
  if (role === null || !atLeast(role, needsRole)) throw mergeErrors.needs_admin()
}

/** Refuses a merge for every caller: the screening is incomplete, or both have what a client may have once. */
function refuseMerge(db: Reader, preview: ReturnType<typeof previewMerge>): void {
  // the money becomes another client's, who was screened under another name
  if (preview.wallets.length > 0) refusePending(db, preview.secondaryId)
  for (const { table, column, both } of Object.values(MOVES).flat()) {
    const some = (traderId: string): boolean => db.total(table, ` AND ${getColumnName(column)} = ?`, [traderId]) > 0
    if (both && some(preview.primaryId) && some(preview.secondaryId)) throw both()
  }
}

function* moveRows(tx: Tx, { sql, timed }: Move, from: string, to: string): Generator<void, number> {
  for (let moved = 0; ; ) {
    const count = tx.execute(sql, timed ? [from, to, tx.now] : [from, to])
    moved += count
    if (count < STRETCH) return moved
    yield
  }
}

/** Returns the labels of both clients, the primary's first, up to the limit. */
const union = (a: readonly string[], b: readonly string[]): string[] => [...new Set([...a, ...b])].slice(0, MOST_LABELS)

/** Returns the changes of the primary's record: the stricter hold, risk and suspension, and values that it lacks. */
function unitedRecord(primary: TraderRow, secondary: TraderRow): Partial<TraderRow> {
  const rank = ({ riskLevel }: TraderRow): number => RISK_LEVEL.indexOf(riskLevel)
  // closing a duplicate does not stop the person, but suspending it does
  const stops = secondary.status === 'suspended' && primary.status === 'active'
  const { kycStatus } = secondary
  return {
    segments: union(primary.segments, secondary.segments),
    tags: union(primary.tags, secondary.tags),
    riskLevel: rank(secondary) > rank(primary) ? secondary.riskLevel : primary.riskLevel,
    legalHold: primary.legalHold || secondary.legalHold,
    leadId: primary.leadId ?? secondary.leadId,
    affiliateId: primary.affiliateId ?? secondary.affiliateId,
    ...(stops ? { status: 'suspended', heldByManager: secondary.heldByManager } : {}),
    // waiting documents go on waiting; an approval of the other client does not raise the level
    ...(kycStatus === 'requested' ? { kycStatus } : {}),
  }
}

const KEEP_OWNER = statement(
  sql`UPDATE ${accounts} SET ${bare(accounts.firstTraderId)} = ?2 WHERE ${accounts.tenantId} = ?1
  AND ${accounts.traderId} = ?2 AND ${accounts.firstTraderId} IS NULL`,
)

/** Returns the primary's affiliate; null if that affiliate is now the primary itself. */
function affiliateAfter(tx: Tx, primary: TraderRow): string | null {
  const affiliate = primary.affiliateId === null ? undefined : tx.find(affiliates, { id: primary.affiliateId })
  return affiliate?.traderId === primary.id ? null : primary.affiliateId
}

const REPOINT = statement(
  sql`UPDATE ${traders} SET ${bare(traders.mergedInto)} = ?3
  WHERE ${traders.tenantId} = ?1 AND ${traders.mergedInto} = ?2`,
)

/** Removes the secondary's sign-in, keeps its contacts as aliases, and deletes the row. */
function retire(tx: Tx, primary: TraderRow, secondary: TraderRow): void {
  const { id, email, phone } = secondary
  endSessions(tx, { traderId: id })
  voidLinks(tx, { traderId: id })
  const credential = tx.find(credentials, { traderId: id })
  if (credential) tx.remove(credentials, credential.id)
  for (const [kind, value, own] of [
    ['email', email, primary.email],
    ['phone', phone, primary.phone],
  ] as const) {
    if (value === null || value === own) continue
    const known = tx.find(traderAliases, { traderId: primary.id, kind, value })
    if (!known) tx.insert(traderAliases, { traderId: primary.id, kind, value })
  }
  tx.execute(REPOINT, [id, primary.id])
  // a hold moves to the primary, where it can be lifted
  const row = tx.update(traders, id, { mergedInto: primary.id, deletedAt: tx.now, legalHold: false })
  tx.emit('trader.deleted', traderPayload(row))
}

/** Mails every owner that a client whose records the law keeps was merged away, as for a deletion. */
function mailMerge(tx: Tx, ctx: Ctx, mergedBy: string, primaryId: string): void {
  const { displayName } = tx.unowned.get(users, mergedBy, { withDeleted: true })
  const facts = { displayName, url: `${ctx.config.publicUrl}/admin/traders/${primaryId}` }
  mailOwners(tx, ctx, () => ({
    subject: say('merges.mail.merged', facts),
    text: say('merges.mail.merged_text', facts),
  }))
}

/**
 * Merges two clients who are the same person: everything of the secondary moves to the primary, in one transaction
 * whose steps let reads run in between. `dryRun` answers what would be moved, joined and lost. 403 if money moves and
 * the caller is no admin, 409 if both have what a client may have once. Fires `trader.updated` and `trader.deleted`.
 * RULES “Merges”.
 */
export function mergeTraders(ctx: Ctx, hooks: MergeHooks, input: Static<typeof MergeIn>): Promise<Out> | Out {
  if (input.dryRun) {
    const preview = previewMerge(ctx.db, hooks, ...getClients(ctx.db, input), ctx.now())
    refuseMerge(ctx.db, preview)
    return { id: null, dryRun: true, ...preview }
  }
  return ctx.writeSteps('trader.merge', function* (tx): Generator<void, Out> {
    const [primary, secondary] = getClients(tx, input)
    for (const { id } of [primary, secondary]) requireDecider(tx, ctx, id)
    const preview = previewMerge(tx, hooks, primary, secondary, tx.now)
    requireRole(ctx, preview)
    refuseMerge(tx, preview)
    const mergedBy = findStaffId(ctx.principal)
    if (mergedBy === null) throw new Problem(403, 'forbidden', say('merges.error.staff_only'))
    const id = ctx.ids.next('mrg')
    if (hooks.isKept(tx, secondary.id)) mailMerge(tx, ctx, mergedBy, primary.id)
    yield* uniteClients(tx, ctx, primary.id, secondary.id)
    moveMoney(tx, id, primary.id, secondary.id)
    // even without money now, since money of one client may come to the other later because of this merge
    noteClientAct(tx, mergedBy, primary.id, 'transfer')
    noteClientAct(tx, mergedBy, primary.id, 'merged')
    passBlocksOn(tx, secondary.id, primary.id)
    yield
    tx.execute(KEEP_OWNER, [secondary.id])
    const moved: Moved = {}
    for (const move of Object.values(MOVES).flat()) {
      const count = yield* moveRows(tx, move, secondary.id, primary.id)
      if (count > 0) moved[move.entity] = (moved[move.entity] ?? 0) + count
    }
    // the merge alone makes the money on these accounts the primary's
    if (moved.account) noteClientAct(tx, mergedBy, primary.id, 'linked_account')
    const before = tx.get(traders, primary.id)
    const joining = tx.get(traders, secondary.id)
    const united = unitedRecord(before, joining)
    const lastActiveAt = Math.max(before.lastActiveAt, joining.lastActiveAt)
    retire(tx, primary, secondary)
    const affiliateId = affiliateAfter(tx, { ...before, ...united })
    const after = tx.update(traders, primary.id, { ...united, affiliateId, lastActiveAt })
    if (affiliateId !== before.affiliateId)
      noteAffiliation(tx, primary.id, { affiliateId, via: 'staff', setBy: mergedBy })
    const was = new Map<string, unknown>(Object.entries(toTrader(before)))
    const changed = Object.entries(toTrader(after))
      .filter(([key, value]) => key in united && JSON.stringify(was.get(key)) !== JSON.stringify(value))
      .map(([key]) => key)
    if (changed.length > 0) tx.emit('trader.updated', { ...traderPayload(after), changed })
    tx.insert(traderMerges, { id, primaryId: primary.id, secondaryId: secondary.id, mergedBy, moved })
    tx.audit({
      entity: 'trader',
      entityId: primary.id,
      traderId: primary.id,
      after: { merged: secondary.id, moved, wallets: preview.wallets },
    })
    return { id, dryRun: false, ...preview }
  })
}
