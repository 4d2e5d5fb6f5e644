import type { Static } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import type { Principal } from '../../../platform/access/principal.ts'
import { DAY, toIso } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { readSum, sumAsText } from '../../../platform/db/sums.ts'
import { formatAmount } from '../../../platform/money.ts'
import { Problem } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'
import { papersWait } from '../../clients/kyc/kyc.reopened.ts'
import { sanctionsErrors } from '../../clients/sanctions/sanctions.errors.ts'
import { isPending, screeningState } from '../../clients/sanctions/sanctions.queries.ts'
import { sanctionsHits as hits } from '../../clients/sanctions/sanctions.table.ts'
import { type TraderRow, traders } from '../../clients/traders/traders.table.ts'
import { readPolicy } from '../approval-policy/approval-policy.ts'
import { deposits } from '../deposits/deposits.table.ts'
import { positions } from '../positions/positions.table.ts'
import { checkAccess } from './access.check.ts'
import { destinationChecks } from './destination.checks.ts'
import { withdrawalErrors } from './withdrawals.errors.ts'
import type { Check } from './withdrawals.model.ts'
import { type WithdrawalRow, withdrawals } from './withdrawals.table.ts'

/** Returns how many open or confirmed hits a client has. `db` must see the whole firm. */
export const sanctionsHits = (db: Reader, traderId: string): number =>
  db.count(hits, { traderId, status: ['open', 'confirmed'] })

/** A reason that blocks a client's money: the check that shows it, its condition, and its refusal. */
type Block = {
  shows: 'trader' | 'kyc' | 'sanctions'
  holds: (db: Reader, trader: TraderRow) => boolean
  refusal: Refusal
}
type Refusal = () => Problem

/** The first of these that holds is the refusal. */
const BLOCKS: readonly Block[] = [
  {
    shows: 'trader',
    holds: (_, { status, deletedAt }) => status !== 'active' || deletedAt !== null,
    refusal: withdrawalErrors.trader_not_active,
  },
  { shows: 'trader', holds: (_, { legalHold }) => legalHold, refusal: withdrawalErrors.legal_hold },
  {
    shows: 'kyc',
    holds: (db, { kycLevel }) => kycLevel < readPolicy(db).value.minKycLevel,
    refusal: withdrawalErrors.kyc_too_low,
  },
  { shows: 'kyc', holds: (db, { id }) => papersWait(db, id), refusal: withdrawalErrors.kyc_waits },
  { shows: 'sanctions', holds: (db, { id }) => sanctionsHits(db, id) > 0, refusal: withdrawalErrors.sanctions_hit },
  { shows: 'sanctions', holds: (db, { id }) => isPending(db, id), refusal: sanctionsErrors.screening_pending },
]

/**
 * Throws the 409 of the first reason that blocks a client's money: client, hold, KYC level, sanctions, incomplete
 * screening. `db` must see the whole firm. RULES “Withdrawals”.
 */
export function refuseBlocked(db: Reader, trader: TraderRow): void {
  const block = BLOCKS.find(({ holds }) => holds(db, trader))
  if (block) throw block.refusal()
}

const DISCREET: ReadonlySet<string> = new Set([
  'withdrawals.legal_hold',
  'withdrawals.sanctions_hit',
  'transfers.legal_hold',
  'transfers.sanctions_hit',
  'screening_pending',
])

/**
 * Runs checks whose reason only staff may learn, since the law forbids to warn a suspect. Throws their refusal, but for
 * a client 409 `under_review`.
 */
export function discreetly(principal: Principal, checks: () => void): void {
  try {
    checks()
  } catch (error) {
    if (principal.kind === 'trader' && error instanceof Problem && DISCREET.has(error.code))
      throw withdrawalErrors.under_review()
    throw error
  }
}

const BY_METHOD = statement(
  sql`SELECT ${listed({ method: deposits.method, total: sumAsText(deposits.settledAmount) })} FROM ${deposits}
  WHERE ${deposits.tenantId} = ?1 AND ${deposits.traderId} = ?2 AND ${deposits.currency} = ?3
    AND ${deposits.settledAmount} IS NOT NULL
  GROUP BY ${deposits.method} ORDER BY ${deposits.method}`,
)
const PAID = statement(
  sql`SELECT ${sumAsText(withdrawals.amount)} AS total, count(*) AS n FROM ${withdrawals}
  WHERE ${withdrawals.tenantId} = ?1 AND ${withdrawals.traderId} = ?2 AND ${withdrawals.currency} = ?3
    AND ${withdrawals.status} = 'paid'`,
)
const TRADED = statement(
  sql`SELECT 1 AS n FROM ${positions} WHERE ${positions.tenantId} = ?1 AND ${positions.traderId} = ?2 LIMIT 1`,
)
const FEED = statement(sql`SELECT 1 AS n FROM ${positions} WHERE ${positions.tenantId} = ?1 LIMIT 1`)

/** A list that is older than this says little about the present. */
const LIST_LIFE = 30 * DAY

type Result = Static<typeof Check>
type State = Result['state']

/** Returns one check. `ok` and `blocks` mean what they meant before `state` existed. */
const check = (name: string, state: State, text: string, ok = state !== 'look_closer' && state !== 'blocks') => ({
  name,
  state,
  ok,
  blocks: BLOCKING.has(name),
  text,
})
const BLOCKING: ReadonlySet<string> = new Set(BLOCKS.map(({ shows }) => shows))

/** Returns a client's checks before any request: a check blocks exactly where `refuseBlocked` refuses. */
export function checkClient(db: Reader, trader: TraderRow, now: number): Result[] {
  const stops = new Set(BLOCKS.filter(({ holds }) => holds(db, trader)).map(({ shows }) => shows))
  const shown = (shows: Block['shows'], text: string, otherwise: State = 'fine') =>
    check(shows, stops.has(shows) ? 'blocks' : otherwise, text)
  const { kycLevel, status, legalHold, deletedAt } = trader
  const { minKycLevel } = readPolicy(db).value
  const standing = deletedAt === null ? say('withdrawals.check.client', { status }) : say('withdrawals.check.deleted')
  return [
    shown('trader', legalHold ? say('withdrawals.check.legal_hold') : standing),
    shown(
      'kyc',
      papersWait(db, trader.id)
        ? say('withdrawals.check.papers_wait')
        : say('withdrawals.check.kyc_level', { kycLevel, minKycLevel }),
    ),
    shown('sanctions', ...screeningText(db, trader.id, now)),
  ]
}

/** Returns a client's screening as a sentence, and the state of the check if nothing blocks the money. */
function screeningText(db: Reader, traderId: string, now: number): [text: string, otherwise: State] {
  const hits = sanctionsHits(db, traderId)
  if (hits > 0) return [say('withdrawals.check.sanctions_hits', { hits }), 'fine']
  const { newestListAt: newest, pending } = screeningState(db, traderId)
  if (pending) return [say('withdrawals.check.sanctions_pending'), 'fine']
  if (newest === null) return [say('withdrawals.check.sanctions_no_list'), 'not_checked']
  const date = toIso(newest).slice(0, 10)
  return now - newest > LIST_LIFE
    ? [say('withdrawals.check.sanctions_old_list', { date }), 'not_checked']
    : [say('withdrawals.check.sanctions_clear', { date }), 'fine']
}

/** Returns the checks that are shown beside a decision. RULES “Withdrawals”. */
export function runChecks(db: Reader, withdrawal: WithdrawalRow, now: number): Result[] {
  const { traderId, currency } = withdrawal
  const trader = db.get(traders, traderId, { withDeleted: true })
  const money = (minor: bigint) => `${formatAmount(minor, currency)} ${currency}`
  const sources = db.query<{ method: string; total: string }>(BY_METHOD, [traderId, currency])
  const [paid] = db.query<{ total: string; n: number }>(PAID, [traderId, currency])
  const deposited = sources.reduce((sum, { total }) => sum + readSum(total), 0n)
  const net = deposited - readSum(paid?.total ?? '0 0')
  const before = paid?.n ?? 0
  const traded = db.query(TRADED, [traderId]).length > 0
  const untraded = db.query(FEED).length > 0 ? 'fine' : 'not_checked'
  const bySource = sources
    .map(({ method, total }) =>
      say('withdrawals.check.by_method', { method, sum: formatAmount(readSum(total), currency) }),
    )
    .join(', ')
  return [
    ...checkClient(db, trader, now),
    check(
      'net_deposits',
      withdrawal.amount <= net ? 'fine' : 'look_closer',
      say('withdrawals.check.net_deposits', {
        deposited: money(deposited),
        hasSources: String(sources.length > 0),
        sources: bySource,
        paidOut: money(readSum(paid?.total ?? '0 0')),
      }),
    ),
    check(
      'first_withdrawal',
      'fine',
      before > 0 ? say('withdrawals.check.withdrawals_before', { before }) : say('withdrawals.check.first_withdrawal'),
      before > 0,
    ),
    ...destinationChecks(db, withdrawal, trader, now),
    check('access', ...checkAccess(db, traderId, now)),
    traded
      ? check('trading', 'fine', say('withdrawals.check.traded'))
      : check(
          'trading',
          untraded,
          untraded === 'fine' ? say('withdrawals.check.untraded') : say('withdrawals.check.no_platform'),
          false,
        ),
  ]
}
