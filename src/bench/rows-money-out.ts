import { DAY, HOUR } from '../platform/clock.ts'
import type { Connection } from '../platform/sqlite.ts'
import type { Filled, Purse } from './rows.ts'
import { type Chance, insert } from './rows-chance.ts'

const KINDS = ['bank', 'card', 'wallet', 'crypto']

const SQL = {
  destination: insert(
    'payout_destinations',
    'tenant_id, id, trader_id, kind, holder, reference, fingerprint, created_by, created_at',
  ),
  withdrawal: insert(
    'withdrawals',
    'tenant_id, id, trader_id, wallet_id, destination_id, currency, amount, status, requested_by, rejection_detail, payment_reference, approved_at, paid_at, created_at, updated_at',
  ),
  transfer: insert(
    'transfers',
    'tenant_id, id, trader_id, kind, from_wallet_id, account_id, from_currency, from_amount, to_currency, to_amount, reference, created_at, updated_at',
  ),
  transaction: insert('ledger_transactions', 'tenant_id, id, kind, reference, description, created_at'),
  entry: insert(
    'ledger_entries',
    'tenant_id, id, transaction_id, trader_id, wallet_id, account, currency, amount, created_at',
  ),
  wallet: 'UPDATE wallets SET available = ?3, held = ?4 WHERE tenant_id = ?1 AND id = ?2',
}

/** Returns a status; only late rows are still open, since an old request was decided long ago. */
function pickStatus(age: number, lot: number): string {
  if (age < 14 * DAY && lot < 0.3) return lot < 0.2 ? 'requested' : 'approved'
  if (lot < 0.9) return 'paid'
  return lot < 0.96 ? 'rejected' : 'cancelled'
}

/** Times and numbers of a tenant's payments. */
type MoneyOutShape = { start: number; span: number; withdrawals: number; transfers: number }

/**
 * Adds withdrawals in every state with their destinations, and transfers to accounts, each with the balanced ledger
 * entries that it has in reality.
 */
export function fillMoneyOut(connection: Connection, chance: Chance, shape: MoneyOutShape, filled: Filled): void {
  const { random, pick, id } = chance
  const { tenantId, userId, purses } = filled
  const destinations = new Map<string, string>()
  const end = shape.start + shape.span
  const spreadTime = (position: number, total: number): number =>
    Math.floor(shape.start + (shape.span * (position + random())) / total)

  const ensureDestination = (traderId: string, at: number): string => {
    const known = destinations.get(traderId)
    if (known !== undefined) return known
    const destinationId = id('dst', at)
    destinations.set(traderId, destinationId)
    const account = `DE${String(10_000_000 + destinations.size)}`
    connection.run(SQL.destination, [tenantId, destinationId, traderId, pick(KINDS), null, account, account, null, at])
    return destinationId
  }

  const post = (kind: string, cause: string, purse: Purse, from: string, to: string, amount: number, at: number) => {
    const transactionId = id('ltx', at)
    connection.run(SQL.transaction, [tenantId, transactionId, kind, cause, '', at])
    for (const [account, sum] of [
      [from, -amount],
      [to, amount],
    ] as const) {
      const client = account.startsWith('client_')
      const whose = client ? [purse.traderId, purse.id] : [null, null]
      connection.run(SQL.entry, [tenantId, id('lte', at), transactionId, ...whose, account, purse.currency, sum, at])
    }
  }

  const funded = (): { purse: Purse; amount: number } => {
    for (;;) {
      const purse = pick(purses)
      const amount = Math.floor(purse.available * (0.05 + random() * 0.35))
      if (amount >= 100) return { purse, amount }
    }
  }

  connection.raw.run('BEGIN IMMEDIATE')
  for (let n = 0; n < shape.withdrawals; n += 1) {
    const created = spreadTime(n, shape.withdrawals)
    const { purse, amount } = funded()
    const status = pickStatus(end - created, random())
    const withdrawalId = id('wdr', created)
    const passed = status === 'paid' || status === 'approved'
    const approvedAt = passed ? created + HOUR : null
    const paidAt = status === 'paid' ? created + 2 * HOUR : null
    connection.run(SQL.withdrawal, [
      tenantId,
      withdrawalId,
      purse.traderId,
      purse.id,
      ensureDestination(purse.traderId, created),
      purse.currency,
      amount,
      status,
      random() < 0.3 ? userId : null,
      status === 'rejected' ? 'Please send a statement of this account.' : null,
      status === 'paid' ? `PAY-${n}` : null,
      approvedAt,
      paidAt,
      created,
      paidAt ?? approvedAt ?? created,
    ])
    // a rejected or cancelled withdrawal has returned what it held, so that no money moved in the end
    if (status === 'rejected' || status === 'cancelled') continue
    purse.available -= amount
    post('withdrawal_hold', withdrawalId, purse, 'client_available', 'client_held', amount, created)
    if (paidAt === null) purse.held += amount
    else post('withdrawal_pay', withdrawalId, purse, 'client_held', 'payout_clearing', amount, paidAt)
  }
  const accountByHolding = new Map(
    filled.holdings.map((holding) => [`${holding.traderId}${holding.currency}`, holding.id]),
  )
  for (let made = 0; made < shape.transfers; ) {
    const { purse, amount } = funded()
    const accountId = accountByHolding.get(`${purse.traderId}${purse.currency}`)
    if (accountId === undefined) continue
    const created = spreadTime(made, shape.transfers)
    const transferId = id('trf', created)
    const { traderId, currency } = purse
    connection.run(SQL.transfer, [
      tenantId,
      transferId,
      traderId,
      'wallet_to_account',
      purse.id,
      accountId,
      currency,
      amount,
      currency,
      amount,
      `T-${made}`,
      created,
      created,
    ])
    purse.available -= amount
    post('transfer', transferId, purse, 'client_available', 'platform_clearing', amount, created)
    made += 1
  }
  for (const { id: walletId, available, held } of purses)
    connection.run(SQL.wallet, [tenantId, walletId, available, held])
  connection.raw.run('COMMIT')
}
