import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { bare, statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { say } from '../../../words/say.ts'
import { voidApprovals } from '../../books/withdrawals/withdrawals.service.ts'
import { listDestinationAuthors, payoutDestinations, withdrawals } from '../../books/withdrawals/withdrawals.table.ts'
import { closeForMerge } from '../../clients/kyc/kyc.service.ts'
import { kycSubmissions } from '../../clients/kyc/kyc.table.ts'
import { type HitRow, sanctionsHits } from '../../clients/sanctions/sanctions.table.ts'
import { traderAliases } from '../../clients/traders/merged.table.ts'
import { EQUAL_ALIASES, EQUAL_DESTINATIONS, EQUAL_HITS, listRowPairs, VOTED } from './merges.preview.ts'

const REPOINT = statement(
  sql`UPDATE ${withdrawals} SET ${bare(withdrawals.destinationId)} = ?3
  WHERE ${withdrawals.tenantId} = ?1 AND ${withdrawals.destinationId} = ?2`,
)

/** Returns how strict a decision is: if both clients have a hit on one listed person, the stricter one stays. */
const strictness = ({ status }: HitRow): number => ({ cleared: 0, open: 1, confirmed: 2 })[status]

/** A first approval was about only one of the two hits, so it is removed. */
const NO_FIRST_APPROVAL = { firstWordBy: null, firstWordAt: null }

function uniteHits(tx: Tx, mine: HitRow, theirs: HitRow): void {
  const { status, reason, decidedBy, decidedAt } = theirs
  if (strictness(theirs) > strictness(mine))
    tx.update(sanctionsHits, mine.id, { status, reason, decidedBy, decidedAt, ...NO_FIRST_APPROVAL })
  else if (mine.firstWordBy !== null) tx.update(sanctionsHits, mine.id, NO_FIRST_APPROVAL)
  tx.remove(sanctionsHits, theirs.id)
}

/** Joins two destinations: the joint one is as young as the younger of them, and has the authors of both. */
function uniteDestinations(tx: Tx, mineId: string, theirsId: string): void {
  const [mine, theirs] = [tx.get(payoutDestinations, mineId), tx.get(payoutDestinations, theirsId)]
  tx.execute(REPOINT, [theirsId, mineId])
  tx.remove(payoutDestinations, theirsId)
  tx.update(payoutDestinations, mineId, {
    createdBy: mine.createdBy ?? theirs.createdBy,
    alsoBy: [...new Set([...mine.alsoBy, ...listDestinationAuthors(theirs)])],
    createdAt: Math.max(mine.createdAt, theirs.createdAt),
  })
}

/**
 * Before anything moves, joins what both clients have and one client may have only once, and voids the approvals of
 * their withdrawals, which were about another client. RULES “Merges”.
 */
export function* uniteClients(tx: Tx, ctx: Ctx, primaryId: string, secondaryId: string): Generator<void, void> {
  const waiting = { status: 'requested' } as const
  const theirs = tx.find(kycSubmissions, { ...waiting, traderId: secondaryId })
  if (theirs && tx.find(kycSubmissions, { ...waiting, traderId: primaryId }))
    closeForMerge(tx, ctx, theirs.id, say('merges.kyc.closed'))
  for (const pair of listRowPairs(tx, EQUAL_HITS, primaryId, secondaryId)) {
    uniteHits(tx, tx.get(sanctionsHits, pair.mine), tx.get(sanctionsHits, pair.theirs))
    yield
  }
  for (const pair of listRowPairs(tx, EQUAL_DESTINATIONS, primaryId, secondaryId)) {
    uniteDestinations(tx, pair.mine, pair.theirs)
    yield
  }
  for (const { theirs: id } of listRowPairs(tx, EQUAL_ALIASES, primaryId, secondaryId)) tx.remove(traderAliases, id)
  for (const { id } of tx.query<{ id: string }>(VOTED, [primaryId, secondaryId])) {
    voidApprovals(tx, id)
    yield
  }
}
