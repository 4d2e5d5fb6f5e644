import type { Answer, Row } from '../operations.ts'

const AT = '2026-11-20T10:00:00.000Z'
const times = { createdAt: AT, updatedAt: AT }

/** Builds a wallet with money in it. */
export const wallet = (with_: Partial<Row<'wallets.list'>> = {}): Row<'wallets.list'> => ({
  id: 'wal_eur',
  traderId: 'trd_1',
  traderName: 'Ana Lima',
  currency: 'EUR',
  available: '1200.00',
  held: '0.00',
  version: 1,
  ...times,
  ...with_,
})

/** Builds a live trading account. */
export const account = (with_: Partial<Row<'accounts.list'>> = {}): Row<'accounts.list'> => ({
  id: 'acc_1',
  traderId: 'trd_1',
  traderName: 'Ana Lima',
  platform: 'terminal5',
  server: '',
  externalId: null,
  accountNumber: '7000001',
  currency: 'USD',
  balance: '500.00',
  equity: '510.00',
  leverage: 100,
  isDemo: false,
  status: 'active',
  metadata: {},
  version: 2,
  ...times,
  ...with_,
})

/** Builds an adjustment that a colleague asked for. */
export const adjustment = (with_: Partial<Row<'adjustments.list'>> = {}): Row<'adjustments.list'> => ({
  id: 'adj_1',
  traderId: 'trd_1',
  traderName: 'Ana Lima',
  walletId: 'wal_eur',
  direction: 'credit',
  currency: 'EUR',
  amount: '1500.00',
  reason: 'The bank charged twice',
  status: 'requested',
  requestedBy: 'usr_marco',
  decidedBy: null,
  decisionNote: null,
  decidedAt: null,
  version: 5,
  ...times,
  ...with_,
})

/** Builds a withdrawal with its checks, which the reader may approve. */
export const withdrawal = (with_: Partial<Answer<'withdrawals.get'>> = {}): Answer<'withdrawals.get'> => ({
  id: 'wdr_1',
  traderId: 'trd_1',
  walletId: 'wal_eur',
  currency: 'EUR',
  amount: '1500.00',
  status: 'requested',
  destinationId: 'dst_1',
  note: null,
  rejectionDetail: null,
  rejectionNote: null,
  paymentReference: null,
  approvedAt: null,
  paidAt: null,
  lapsedAt: null,
  payBefore: null,
  version: 3,
  requestedBy: 'usr_marco',
  destination: { id: 'dst_1', kind: 'bank', holder: 'Ana Lima', reference: 'PT50000201231234567890154' },
  review: {
    approvalsNeeded: 1,
    adminNeeded: false,
    reason: 'Below the limit',
    decisions: [],
    helpers: null,
    checks: [],
    viewer: { mayApprove: true, why: null, noteOn: [], needsSecond: null },
  },
  ...times,
  ...with_,
})

/** Builds the same withdrawal as a row of the list. */
export const withdrawalRow = (with_: Partial<Row<'withdrawals.list'>> = {}): Row<'withdrawals.list'> => {
  const { review: _, requestedBy: __, rejectionNote: ___, ...row } = withdrawal()
  return { ...row, traderName: 'Ana Lima', ...with_ }
}

/** Builds a rate that the firm set itself. */
export const rate = (with_: Partial<Row<'fx.rates.list'>> = {}): Row<'fx.rates.list'> => ({
  id: 'fx_1',
  base: 'EUR',
  quote: 'USD',
  rate: '1.0845',
  pool: 'tenant',
  source: 'manual',
  asOf: AT,
  ageSeconds: 60,
  since: null,
  unconfirmed: false,
  confirmation: null,
  ...with_,
})

/** Builds the conversion of 250 euros to dollars. */
export const conversion = (with_: Partial<Answer<'fx.convert'>> = {}): Answer<'fx.convert'> => ({
  amount: '250.00',
  base: 'EUR',
  quote: 'USD',
  result: '271.12',
  rate: '1.0845',
  via: 'direct',
  pool: 'tenant',
  source: 'manual',
  rateIds: ['fx_1'],
  asOf: AT,
  ageSeconds: 60,
  ...with_,
})

/** Builds a transfer from a wallet to a trading account in another currency. */
export const transfer = (with_: Partial<Row<'transfers.list'>> = {}): Row<'transfers.list'> => ({
  id: 'trf_1',
  traderId: 'trd_1',
  traderName: 'Ana Lima',
  kind: 'wallet_to_account',
  fromWalletId: 'wal_eur',
  toWalletId: null,
  accountId: 'acc_1',
  fromCurrency: 'EUR',
  fromAmount: '250.00',
  toCurrency: 'USD',
  toAmount: '271.12',
  rate: '1.0845',
  rateSource: 'manual',
  rateAsOf: AT,
  rateIds: ['fx_1'],
  reference: 'TRF-1',
  state: 'sent',
  acknowledgedAt: null,
  platformReference: null,
  refusalReason: null,
  note: null,
  ...times,
  ...with_,
})

/** Builds an open position on an account that is linked to a client. */
export const position = (with_: Partial<Row<'positions.list'>> = {}): Row<'positions.list'> => ({
  id: 'pos_1',
  traderId: 'trd_1',
  traderName: 'Ana Lima',
  accountId: 'acc_1',
  accountNumber: '7000001',
  platform: 'terminal5',
  server: 'Live-1',
  ticket: '880001',
  symbol: 'EURUSD',
  side: 'long',
  volume: '1250.5',
  openedVolume: '1250.5',
  closedVolume: '0.00',
  openPrice: '1.0845',
  currentPrice: '1.0901',
  currency: 'USD',
  profit: '-1500.25',
  swap: '-3.10',
  commission: '7.00',
  spread: null,
  status: 'open',
  openedAt: AT,
  closedAt: null,
  version: 1,
  ...times,
  ...with_,
})
