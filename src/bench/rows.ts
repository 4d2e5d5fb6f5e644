import type { Connection } from '../platform/db/client.ts'

/** How many rows a data set has in all. */
export type Shape = { tenants: number; traders: number; accounts: number; deposits: number }
type TenantShape = { index: number; end: number; span: number; traders: number; accounts: number; deposits: number }

const FIRST =
  'Anna Bruno Clara Dmitri Elena Farid Greta Hugo Ines Jonas Katya Liam Maria Nils Olga Pavel Rosa Sven Tara Yusuf'
const LAST =
  'Abel Bauer Costa Dubois Eriksen Fischer Garcia Haddad Ivanov Jensen Kowalski Lopez Meyer Novak Okafor Petrov Rossi Silva'
const FIRST_NAMES = FIRST.split(' ')
const LAST_NAMES = LAST.split(' ')
const COUNTRIES = ['DE', 'FR', 'ES', 'IT', 'PL', 'GB', 'AE', 'BR', 'ZA', 'SE']
const CURRENCIES = ['EUR', 'USD', 'GBP']
const METHODS = ['bank', 'card', 'wallet', 'crypto']
const PLATFORMS = ['mt4', 'mt5', 'ctrader']
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** `INSERT` of the named columns, prepared once by the connection. */
const insert = (table: string, columns: string): string =>
  `INSERT INTO ${table} (${columns}) VALUES (${columns
    .split(',')
    .map(() => '?')
    .join(',')})`

const SQL = {
  tenant: insert('tenants', 'id, slug, name, created_at, updated_at'),
  user: insert('users', 'tenant_id, id, email, display_name, roles, status, created_at, updated_at'),
  trader: insert(
    'traders',
    'tenant_id, id, email, phone, first_name, last_name, country, language, kyc_level, kyc_status, segments, tags, assigned_to, source, created_at, updated_at',
  ),
  account: insert(
    'accounts',
    'tenant_id, id, trader_id, platform, external_id, account_number, currency, balance, equity, created_at, updated_at',
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

/** Ids of the product's form (time, then chance), but the same in every build. */
function idsFrom(random: () => number): (prefix: string, at: number) => string {
  return (prefix, at) => {
    let text = ''
    for (let left = at, digit = 0; digit < 10; digit += 1) {
      text = `${ALPHABET[left % 32]}${text}`
      left = Math.floor(left / 32)
    }
    for (let digit = 0; digit < 16; digit += 1) text += ALPHABET[Math.floor(random() * 32)]
    return `${prefix}_${text}`
  }
}

/**
 * Fills one tenant: staff, traders with accounts and wallets, deposits in every state, and the balanced ledger entries of the settled ones.
 * Rows come in order of time.
 */
export function fillTenant(
  connection: Connection,
  random: () => number,
  shape: TenantShape,
): { tenantId: string; userId: string; traderIds: string[] } {
  const id = idsFrom(random)
  const { index, end, span } = shape
  const start = end - span
  const pick = <T>(items: readonly T[]): T => {
    const item = items[Math.floor(random() * items.length)]
    if (item === undefined) throw new Error('nothing to pick from')
    return item
  }
  const at = (position: number, total: number): number => Math.floor(start + (span * (position + random())) / total)
  const inTransaction = (fill: () => void): void => {
    connection.raw.run('BEGIN IMMEDIATE')
    fill()
    connection.raw.run('COMMIT')
  }
  const tenantId = id('ten', start)
  const userId = id('usr', start)
  const traderIds: string[] = []

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
        `${first}.${last}.${n}@example.com`.toLowerCase(),
        `+49151${String(10_000_000 + n)}`,
        first,
        last,
        pick(COUNTRIES),
        'en',
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
      connection.run(SQL.account, [
        tenantId,
        id('acc', created),
        anyTrader(),
        pick(PLATFORMS),
        `x${index}-${n}`,
        String(50_000_000 + n),
        pick(CURRENCIES),
        balance,
        balance + Math.floor(random() * 10_000),
        created,
        created,
      ])
    }
  })

  inTransaction(() => {
    const wallets = new Map<string, { id: string; traderId: string; currency: string; available: number }>()
    const entries: (string | number | null)[][] = []
    for (let n = 0; n < shape.deposits; n += 1) {
      const created = at(n, shape.deposits)
      const depositId = id('dep', created)
      const traderId = anyTrader()
      const currency = pick(CURRENCIES)
      const amount = 1000 + Math.floor(random() * 500_000)
      const chance = random()
      const status =
        chance < 0.78 ? 'settled' : chance < 0.82 ? 'partially_settled' : chance < 0.9 ? 'failed' : 'pending'
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
      const wallet = wallets.get(place) ?? { id: id('wal', created), traderId, currency, available: 0 }
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
  return { tenantId, userId, traderIds }
}
