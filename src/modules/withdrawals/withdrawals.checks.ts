import type { Static } from '@sinclair/typebox'
import type { Reader } from '../../platform/db/reader.ts'
import { readSum, sumOf } from '../../platform/db/sums.ts'
import { formatAmount } from '../../platform/money.ts'
import { type TraderRow, traders } from '../traders/traders.table.ts'
import { readPolicy } from './approval-policy.ts'
import { withdrawalErrors } from './withdrawals.errors.ts'
import type { Check } from './withdrawals.model.ts'
import type { WithdrawalRow } from './withdrawals.table.ts'

const HITS = `SELECT count(*) AS n FROM sanctions_hits WHERE tenant_id = ?1 AND trader_id = ?2 AND status IN ('open', 'confirmed')`

/** How many open or confirmed hits a trader has. `db` must see all of the firm. */
export const sanctionsHits = (db: Reader, traderId: string): number =>
  db.query<{ n: number }>(HITS, [traderId])[0]?.n ?? 0

/** Throws the 409 that stops money out: trader, hold, KYC level, sanctions. `db` must see all of the firm. rules.md “Withdrawals”. */
export function refuseBlocked(db: Reader, trader: TraderRow): void {
  if (trader.status !== 'active' || trader.deletedAt !== null) throw withdrawalErrors.trader_not_active()
  if (trader.legalHold) throw withdrawalErrors.legal_hold()
  if (trader.kycLevel < readPolicy(db).value.minKycLevel) throw withdrawalErrors.kyc_too_low()
  if (sanctionsHits(db, trader.id) > 0) throw withdrawalErrors.sanctions_hit()
}

const BY_METHOD = `SELECT method, ${sumOf('settled_amount')} AS total FROM deposits
  WHERE tenant_id = ?1 AND trader_id = ?2 AND currency = ?3 AND settled_amount IS NOT NULL GROUP BY method ORDER BY method`
const PAID = `SELECT ${sumOf('amount')} AS total, count(*) AS n FROM withdrawals
  WHERE tenant_id = ?1 AND trader_id = ?2 AND currency = ?3 AND status = 'paid'`
const SHARED = `SELECT count(DISTINCT o.trader_id) AS n FROM payout_destinations d
  JOIN payout_destinations o ON o.tenant_id = d.tenant_id AND o.fingerprint = d.fingerprint AND o.trader_id <> d.trader_id
  WHERE d.tenant_id = ?1 AND d.id = ?2`
const TRADED = 'SELECT 1 AS n FROM positions WHERE tenant_id = ?1 AND trader_id = ?2 LIMIT 1'

type Result = Static<typeof Check>

/** What is shown beside the decision. */
export function runChecks(db: Reader, withdrawal: WithdrawalRow): Result[] {
  const { traderId, currency } = withdrawal
  const trader = db.get(traders, traderId, { withDeleted: true })
  const { minKycLevel } = readPolicy(db).value
  const money = (minor: bigint) => `${formatAmount(minor, currency)} ${currency}`
  const sources = db.query<{ method: string; total: string }>(BY_METHOD, [traderId, currency])
  const [paid] = db.query<{ total: string; n: number }>(PAID, [traderId, currency])
  const deposited = sources.reduce((sum, { total }) => sum + readSum(total), 0n)
  const net = deposited - readSum(paid?.total ?? '0 0')
  const shared = db.query<{ n: number }>(SHARED, [withdrawal.destinationId])[0]?.n ?? 0
  const traded = db.query<{ n: number }>(TRADED, [traderId]).length > 0
  const hits = sanctionsHits(db, traderId)
  const check = (name: string, ok: boolean, text: string, blocks = false): Result => ({ name, ok, blocks, text })
  return [
    check(
      'trader',
      trader.status === 'active' && !trader.legalHold,
      trader.legalHold ? 'Legal hold' : `Trader is ${trader.status}`,
      true,
    ),
    check('kyc', trader.kycLevel >= minKycLevel, `KYC level ${trader.kycLevel}, needed ${minKycLevel}`, true),
    check('sanctions', hits === 0, hits === 0 ? 'No open or confirmed hit' : `${hits} open or confirmed`, true),
    check(
      'net_deposits',
      withdrawal.amount <= net,
      `Deposited ${money(deposited)}${sources.length > 0 ? ` (${sources.map(({ method, total }) => `${method} ${formatAmount(readSum(total), currency)}`).join(', ')})` : ''}, paid out ${money(readSum(paid?.total ?? '0 0'))}`,
    ),
    check(
      'first_withdrawal',
      (paid?.n ?? 0) > 0,
      (paid?.n ?? 0) > 0 ? `${paid?.n} paid before` : 'The first withdrawal in this currency',
    ),
    check(
      'destination',
      shared === 0,
      shared === 0 ? 'Nobody else uses this destination' : `${shared} other traders use this destination`,
    ),
    check('trading', traded, traded ? 'Has traded' : 'No position was ever reported'),
  ]
}
