import type { Static } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Reader } from '../../../platform/db/reader.ts'
import { getColumnName, listed, statement } from '../../../platform/db/statement.ts'
import { getTableMeta } from '../../../platform/db/tenant-table.ts'
import { formatAmount } from '../../../platform/money.ts'
import { MOST_LABELS } from '../../../words/rule-figures.ts'
import { wallets } from '../../books/wallets/wallets.table.ts'
import { payoutDestinations, withdrawalDecisions, withdrawals } from '../../books/withdrawals/withdrawals.table.ts'
import { kycSubmissions } from '../../clients/kyc/kyc.table.ts'
import { sanctionsHits } from '../../clients/sanctions/sanctions.table.ts'
import { traderAliases } from '../../clients/traders/merged.table.ts'
import type { TraderHooks } from '../../clients/traders/traders.hooks.ts'
import { type TraderRow, traders } from '../../clients/traders/traders.table.ts'
import { credentials } from '../../firm/auth/auth.table.ts'
import type { MergeOut } from './merges.model.ts'
import { MOVES } from './merges.plan.ts'

/** What a merge needs from the modules that know a client's money and records. */
export type MergeHooks = Pick<TraderHooks, 'openMoney' | 'isKept'>

type Pair = { mine: string; theirs: string }
const hitOfOther = alias(sanctionsHits, 'other')
/** Selects pairs of equal hits: one of the primary (?2) and one of the secondary (?3), like the next two statements. */
export const EQUAL_HITS = statement(
  sql`SELECT ${listed({ mine: sanctionsHits.id, theirs: hitOfOther.id })} FROM ${sanctionsHits}
  JOIN ${sanctionsHits} ${hitOfOther} ON ${hitOfOther.tenantId} = ?1 AND ${hitOfOther.traderId} = ?3
    AND ${hitOfOther.source} = ${sanctionsHits.source} AND ${hitOfOther.reference} = ${sanctionsHits.reference}
  WHERE ${sanctionsHits.tenantId} = ?1 AND ${sanctionsHits.traderId} = ?2`,
)
const destinationOfOther = alias(payoutDestinations, 'other')
export const EQUAL_DESTINATIONS = statement(
  sql`SELECT ${listed({ mine: payoutDestinations.id, theirs: destinationOfOther.id })} FROM ${payoutDestinations}
  JOIN ${payoutDestinations} ${destinationOfOther} ON ${destinationOfOther.tenantId} = ?1
    AND ${destinationOfOther.traderId} = ?3
    AND ${destinationOfOther.fingerprint} = ${payoutDestinations.fingerprint}
    AND coalesce(${destinationOfOther.holder}, '') = coalesce(${payoutDestinations.holder}, '')
  WHERE ${payoutDestinations.tenantId} = ?1 AND ${payoutDestinations.traderId} = ?2`,
)
const aliasOfOther = alias(traderAliases, 'other')
export const EQUAL_ALIASES = statement(
  sql`SELECT ${listed({ mine: traderAliases.id, theirs: aliasOfOther.id })} FROM ${traderAliases}
  JOIN ${traderAliases} ${aliasOfOther} ON ${aliasOfOther.tenantId} = ?1 AND ${aliasOfOther.traderId} = ?3
    AND ${aliasOfOther.kind} = ${traderAliases.kind} AND ${aliasOfOther.value} = ${traderAliases.value}
  WHERE ${traderAliases.tenantId} = ?1 AND ${traderAliases.traderId} = ?2`,
)
/** Selects withdrawals of either client that are not paid and have votes. */
export const VOTED = statement(
  sql`SELECT ${listed({ id: withdrawals.id, status: withdrawals.status })} FROM ${withdrawals}
  WHERE ${withdrawals.tenantId} = ?1 AND ${withdrawals.traderId} IN (?2, ?3)
    AND ${withdrawals.status} IN ('requested', 'approved') AND EXISTS (SELECT 1 FROM ${withdrawalDecisions}
      WHERE ${withdrawalDecisions.tenantId} = ?1 AND ${withdrawalDecisions.withdrawalId} = ${withdrawals.id}
        AND ${withdrawalDecisions.decision} = 'approve' AND ${withdrawalDecisions.void} = 0)`,
)

/** Returns the rows that both clients have, as pairs. */
export const listRowPairs = (db: Reader, equal: string, primaryId: string, secondaryId: string): Pair[] =>
  db.query<Pair>(equal, [primaryId, secondaryId])

/** Columns of a client that move, are compared separately, or belong to the row and not to the person. */
const ELSEWHERE = [
  ...(['email', 'phone', 'segments', 'tags', 'kycLevel', 'kycStatus', 'riskLevel', 'status', 'legalHold'] as const),
  ...(['id', 'tenantId', 'emailBy', 'affiliateId', 'leadId', 'heldByManager', 'mergedInto', 'version'] as const),
  ...(['createdAt', 'updatedAt', 'deletedAt', 'erasedAt'] as const),
]
const elsewhere: readonly string[] = ELSEWHERE
type Field = Exclude<keyof TraderRow, (typeof ELSEWHERE)[number]>
/** The other fields of a client's record; in a merge the primary's value stays. */
const FIELDS = getTableMeta(traders)
  .columns.map(({ key }) => key)
  .filter((key): key is Field => !elsewhere.includes(key))
const isEmpty = (value: unknown): boolean => value === null || JSON.stringify(value) === '{}'

/** Returns what a merge loses of the secondary: fields that differ, labels above the limit, the sign-in. */
function listLost(db: Reader, primary: TraderRow, secondary: TraderRow): string[] {
  const lost: string[] = FIELDS.filter(
    (key) => !isEmpty(secondary[key]) && JSON.stringify(primary[key]) !== JSON.stringify(secondary[key]),
  )
  if (secondary.kycLevel > primary.kycLevel) lost.push('kycLevel')
  for (const key of ['segments', 'tags'] as const)
    if (new Set([...primary[key], ...secondary[key]]).size > MOST_LABELS) lost.push(key)
  if (db.find(credentials, { traderId: secondary.id })?.passwordHash) lost.push('password')
  return lost
}

/** Returns which rows of each kind a merge would move, join and lose; it changes nothing. */
export function previewMerge(
  db: Reader,
  { openMoney, isKept }: MergeHooks,
  primary: TraderRow,
  secondary: TraderRow,
  now: number,
): Omit<Static<typeof MergeOut>, 'id' | 'dryRun'> {
  const [mine, theirs] = [primary.id, secondary.id]
  const both = { traderId: theirs, status: 'requested' } as const
  const open = db.find(kycSubmissions, both) && db.find(kycSubmissions, { ...both, traderId: mine }) ? 1 : 0
  const full = db.list(wallets, { traderId: theirs }).filter(({ available, held }) => available !== 0n || held !== 0n)
  const counted = (kind: string, count: number) => ({ kind, count })
  return {
    primaryId: mine,
    secondaryId: theirs,
    // money on its way to a wallet counts like money in the wallet
    needsRole: isKept(db, theirs) || openMoney(db, theirs, null, now).length > 0 ? 'admin' : 'manager',
    moves: Object.values(MOVES).flatMap((moves) =>
      moves
        .filter(({ shown }) => shown)
        .map(({ table, column, entity }) =>
          counted(entity, db.total(table, ` AND ${getColumnName(column)} = ?`, [theirs], { withDeleted: true })),
        )
        .filter(({ count }) => count > 0),
    ),
    collisions: [
      counted('kyc_submission', open),
      counted('payout_destination', listRowPairs(db, EQUAL_DESTINATIONS, mine, theirs).length),
      counted('sanctions_hit', listRowPairs(db, EQUAL_HITS, mine, theirs).length),
      counted('approval', db.query(VOTED, [mine, theirs]).length),
    ].filter(({ count }) => count > 0),
    lost: listLost(db, primary, secondary),
    wallets: full.map(({ currency, available, held }) => ({
      currency,
      available: formatAmount(available, currency),
      held: formatAmount(held, currency),
    })),
  }
}
