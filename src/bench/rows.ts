import { foldLetters } from '../platform/db/search-letters.ts'
import type { Connection } from '../platform/sqlite.ts'
import { type Chance, insert, RARE } from './rows-chance.ts'

type TenantShape = { index: number; end: number; span: number; traders: number; accounts: number; deposits: number }

const FIRST =
  'Anna Bruno Clara Dmitri Elena Farid Greta Hugo Ines Jonas Katya Łukasz Maria Nils Olga Pavel Rosa Sven Tara Yusuf'
const LAST =
  'Abel Bauer Costa Dubois Eriksen Fischer Garcia Haddad Ivanov Jørgensen Kowalski Lopez Müller Novak Okafor Petrov Rossi Silva'
const FIRST_NAMES = FIRST.split(' ')
const LAST_NAMES = LAST.split(' ')
const COUNTRIES = ['DE', 'FR', 'ES', 'IT', 'PL', 'GB', 'AE', 'BR', 'ZA', 'SE']
const CURRENCIES = ['EUR', 'USD', 'GBP']
const METHODS = ['bank', 'card', 'wallet', 'crypto']
const PLATFORMS = ['terminal4', 'terminal5', 'other']
const SQL = {
  tenant: insert('tenants', 'id, slug, name, created_at, updated_at'),
  user: insert('users', 'tenant_id, id, email, display_name, roles, status, created_at, updated_at'),
  trader: insert(
    'traders',
    'tenant_id, id, email, phone, first_name, last_name, country, language, status, kyc_level, kyc_status, segments, tags, assigned_to, source, created_at, updated_at',
  ),
  account: insert(
    'accounts',
    'tenant_id, id, trader_id, platform, external_id, account_number, currency, balance, equity, is_demo, status, created_at, updated_at',
  ),
  wallet: insert('wallets', 'tenant_id, id, trader_id, currency, available, created_at, updated_at'),
  deposit: insert(
    'deposits',
    'tenant_id, id, trader_id, method, currency, amount, settled_amount, status, failure_reason, settled_at, created_at, updated_at',
  ),
  transaction: insert('ledger_transactions', 'tenant_id, id, kind, reference, description, created_at'),
  entry: insert(
    'ledger_entries',
    'tenant_id, id, transaction_id, trader_id, wallet_id, account, currency, amount, created_at',
  ),
}

/** A wallet after the deposits; minor units. */
export type Purse = { id: string; traderId: string; currency: string; available: number; held: number }
/** A trading account that may have positions. */
export type Holding = { id: string; traderId: string; platform: string; number: string; currency: string }
/** The rows of a filled tenant to which further rows refer. */
export type Filled = { tenantId: string; userId: string; traderIds: string[]; purses: Purse[]; holdings: Holding[] }

/**
 * Fills one tenant with staff, traders with accounts and wallets, deposits in every state, and the balanced ledger
 * entries of the settled ones. Rows come in order of time.
 */
export function fillTenant(connection: Connection, chance: Chance, shape: TenantShape): Filled {
  const { random, id, pick } = chance
  const { index, end, span } = shape
  const start = end - span
  const at = (position: number, total: number): number => Math.floor(start + (span * (position + random())) / total)
  const inTransaction = (fill: () => void): void => {
    connection.raw.run('BEGIN IMMEDIATE')
    fill()
    connection.raw.run('COMMIT')
  }
  const tenantId = id('ten', start)
  const userId = id('usr', start)
  const traderIds: string[] = []
  const holdings: Holding[] = []

  inTransaction(() => {
    connection.run(SQL.tenant, [tenantId, `bench-${index}`, `Bench Brokers ${index}`, start, start])
    const owner = [tenantId, userId, `owner${index}@example.com`, 'Olivia Owner', '["owner"]', 'active', start, start]
    connection.run(SQL.user, owner)
    for (let n = 0; n < shape.traders; n += 1) {
      const created = at(n, shape.traders)
      const traderId = id('trd', created)
      traderIds.push(traderId)
      const first = pick(FIRST_NAMES)
      const last = pick(LAST_NAMES)
      const approved = random() < 0.6
      connection.run(SQL.trader, [
        tenantId,
        traderId,
        foldLetters(`${first}.${last}.${n}@example.com`),
        `+49151${String(10_000_000 + n)}`,
        first,
        last,
        random() < RARE ? 'LU' : pick(COUNTRIES),
        'en',
        random() < 0.02 ? pick(['suspended', 'closed']) : 'active',
        approved ? 2 : 0,
        approved ? 'approved' : 'none',
        random() < 0.1 ? '["vip"]' : '[]',
        random() < 0.05 ? '["call-back","webinar"]' : '[]',
        random() < 0.3 ? userId : null,
        pick(['website', 'referral', 'campaign']),
        created,
        created,
      ])
    }
  })
  const anyTrader = (): string => pick(traderIds)

  inTransaction(() => {
    for (let n = 0; n < shape.accounts; n += 1) {
      const created = at(n, shape.accounts)
      const balance = Math.floor(random() * 1_000_000)
      const holding = {
        id: id('acc', created),
        traderId: anyTrader(),
        platform: pick(PLATFORMS),
        number: String(50_000_000 + n),
        currency: pick(CURRENCIES),
      }
      holdings.push(holding)
      connection.run(SQL.account, [
        tenantId,
        holding.id,
        holding.traderId,
        holding.platform,
        `x${index}-${n}`,
        holding.number,
        holding.currency,
        balance,
        balance + Math.floor(random() * 10_000),
        random() < 0.1 ? 1 : 0,
        random() < RARE ? 'suspended' : random() < 0.03 ? 'closed' : 'active',
        created,
        created,
      ])
    }
  })

  const wallets = new Map<string, Purse>()
  inTransaction(() => {
    const entries: (string | number | null)[][] = []
    for (let n = 0; n < shape.deposits; n += 1) {
      const created = at(n, shape.deposits)
      const depositId = id('dep', created)
      const traderId = anyTrader()
      const currency = pick(CURRENCIES)
      const amount = 1000 + Math.floor(random() * 500_000)
      const lot = random()
      const status = lot < 0.78 ? 'settled' : lot < 0.82 ? 'partially_settled' : lot < 0.9 ? 'failed' : 'pending'
      const settled = status === 'settled' ? amount : status === 'partially_settled' ? Math.floor(amount / 2) : null
      const settledAt = settled === null ? null : created + 60_000
      connection.run(SQL.deposit, [
        tenantId,
        depositId,
        traderId,
        pick(METHODS),
        currency,
        amount,
        settled,
        status,
        status === 'failed' ? 'declined' : null,
        settledAt,
        created,
        settledAt ?? created,
      ])
      if (settled === null || settledAt === null) continue
      const place = `${traderId}${currency}`
      const wallet = wallets.get(place) ?? { id: id('wal', created), traderId, currency, available: 0, held: 0 }
      wallet.available += settled
      wallets.set(place, wallet)
      const transactionId = id('ltx', settledAt)
      connection.run(SQL.transaction, [tenantId, transactionId, 'deposit', depositId, '', settledAt])
      const common = [tenantId, id('lte', settledAt), transactionId, traderId]
      entries.push([...common, null, 'gateway_clearing', currency, -settled, settledAt])
      common[1] = id('lte', settledAt)
      entries.push([...common, wallet.id, 'client_available', currency, settled, settledAt])
    }
    for (const wallet of wallets.values()) {
      const { traderId, currency, available } = wallet
      connection.run(SQL.wallet, [tenantId, wallet.id, traderId, currency, available, start, end])
    }
    for (const entry of entries) connection.run(SQL.entry, entry)
  })
  return { tenantId, userId, traderIds, purses: [...wallets.values()], holdings }
}
