import { openMail } from '../../modules/base/mails/mails.service.ts'
import { mails } from '../../modules/base/mails/mails.table.ts'
import { transfers } from '../../modules/books/transfers/transfers.table.ts'
import { traders } from '../../modules/clients/traders/traders.table.ts'
import { credentials, sessions } from '../../modules/firm/auth/auth.table.ts'
import { users } from '../../modules/firm/users/users.table.ts'
import { affiliateBalances } from '../../modules/growth/affiliates/balances.table.ts'
import type { Role, Scope } from '../../platform/access/catalogue.ts'
import { SCOPES } from '../../platform/access/catalogue.ts'
import { type Ctx, systemCtx } from '../../platform/access/ctx.ts'
import { HOUR } from '../../platform/clock.ts'
import { randomToken } from '../../platform/ids.ts'
import { sha256Hex } from '../../platform/secrets.ts'
import type { Answer, Caller, Firm, TestApp } from '../app.ts'
import type { Trading } from './trading-desk.ts'

/** The firm's threshold in EUR, in cents: one person alone may release less than this of money that they credited. */
export const THRESHOLD = 10_000_00n
export const SOLE_LIMIT = THRESHOLD / 10n
/** What an accomplice won on the platform, in cents; only this and what was transferred there may come back. */
export const WON = 5_000_00n
/** What the accomplice who is a broker has earned by honest trades, in cents. */
const EARNED = 50_000_00n
/** How long the platform takes to show a withdrawal from an account. */
const SHOWS_AFTER = 72 * HOUR

/** As what the insider works in the firm. */
type InsiderRole = 'owner' | 'admin' | 'manager' | 'operator'

/** An identity that the insider can use, with its role. */
export type Mask = Caller & { role: Role | 'client'; trader?: string }

/** A client whom a block keeps from their money; the insider set `stopped` and `renamed`. */
export type Guarded = {
  trader: string
  session: Caller
  asked: number
  stopped?: boolean
  renamed?: boolean
  hit?: string
}

/** A firm with honest people and a dishonest one, and everything that the insider has obtained. */
export type World = {
  app: TestApp
  firm: Firm
  ctx: Ctx
  /** Staff sessions and keys that the insider can use; the first is their own. */
  staff: Mask[]
  /** Sessions of clients that the insider can use. */
  clients: Mask[]
  /** Clients who work with the insider, and those who do not. */
  accomplices: string[]
  honest: string[]
  /** Mailboxes that the insider reads. */
  mailboxes: string[]
  /** Secrets that the insider entered for gateways, by connection. */
  secrets: Map<string, string>
  deposits: { id: string; gateway?: string; amount: string }[]
  withdrawals: string[]
  /** Withdrawals whose last approval was the insider's, so that they can be paid. */
  approved: string[]
  /** Accounts; `funded` is set once a transfer moved money there. */
  accounts: { id: string; traderId: string; funded?: boolean }[]
  /** The key of the honest bridge, and an account number whose money belongs to no client until it is linked. */
  bridge: Caller
  treasure: string
  /** The account of the accomplice who won something, and its number. */
  winner: { id: string; number: string }
  reports: number
  /** Whether this walk tries the acts on commission. */
  isAboutCommission: boolean
  /** The accomplice who is a broker: the affiliate, its client and its plan. */
  broker: { id: string; trader: string; plan: string }
  /** Requested payouts of the broker, and whether the insider got them approved. */
  payouts: { id: string; amount: string; isPaid: boolean }[]
  /** Approved payouts that were checked. */
  judged: Set<string>
  /** Clients under a hold, with a match, with documents and money, and with documents only; null in most walks. */
  guarded: Record<'held' | 'matched' | 'known' | 'former', Guarded> | null
  /** The trading servers of the walk; null in most walks. */
  trading: Trading | null
  /** A rule that an act broke. */
  broken: string | null
  transfers: string[]
  adjustments: string[]
  /** Colleagues: honest ones first, then those whom the insider created. */
  colleagues: { id: string; email: string; made: boolean }[]
  clients2wallet: Map<string, string>
  serial: number
}

export const call = (world: World, as: Caller, method: string, path: string, body?: object): Promise<Answer> =>
  world.app.call(method, path, body === undefined ? { as } : { as, body })

const cookie = (id: string, token: string): Caller => ({
  id,
  headers: { cookie: `crm_session=${token}`, origin: 'http://localhost', 'sec-fetch-site': 'same-origin' },
})

/** Opens a session, like a sign-in without the slow hash, for an account whose password the insider knows. */
export async function openSession(
  { ctx }: World,
  owner: { userId: string } | { traderId: string },
): Promise<Caller | null> {
  const token = randomToken(32)
  const id = 'userId' in owner ? owner.userId : owner.traderId
  const opened = await ctx.write('insider.sign_in', (tx) => {
    if ('userId' in owner && !tx.find(users, { id: owner.userId, status: 'active' })) return false
    const times = { lastSeenAt: tx.now, provenAt: tx.now + 1e12, expiresAt: tx.now + 1e12 }
    tx.insert(sessions, { ...owner, tokenHash: sha256Hex(token), ip: '127.0.0.1', ...times })
    return true
  })
  return opened ? cookie(id, token) : null
}

/** Returns the tokens of links in mails to the insider's mailboxes, if a mail server carries them. */
export function carriedTokens(world: World, page: 'accept-invite' | 'reset'): { token: string; recipient: string }[] {
  if (world.app.platform.config.smtp === null) return []
  return world.ctx.db.list(mails, { recipient: world.mailboxes, link: true }).flatMap((row) => {
    const [, token] =
      new RegExp(`${page}\\?token=(\\S+)`).exec(openMail(world.app.platform.secrets.forFirm(row.tenantId), row)) ?? []
    return token ? [{ token, recipient: row.recipient }] : []
  })
}

/** Makes a second owner, who is the insider. */
async function makeOwner(world: World, email: string): Promise<Caller> {
  const user = await world.ctx.write('insider.owner', (tx) =>
    tx.insert(users, { email, displayName: 'Second owner', roles: ['owner'], status: 'active' }),
  )
  const session = await openSession(world, { userId: user.id })
  if (session === null) throw new Error('the insider has no session')
  return session
}

/**
 * Makes the firm of a walk: honest staff, an honest client with money, accomplices, and an approval of an admin who was
 * disabled.
 */
export async function foundWorld(app: TestApp, slug: string, role: InsiderRole): Promise<World> {
  const firm = await app.firm(slug)
  const ctx = systemCtx(app.platform, firm.tenantId, 'insider')
  const everyScope = Object.keys(SCOPES) as Scope[]
  const honestKey = await firm.key(everyScope, 'owner')
  const world: World = {
    app,
    firm,
    ctx,
    staff: [],
    clients: [],
    accomplices: [],
    honest: [],
    mailboxes: [],
    secrets: new Map(),
    deposits: [],
    withdrawals: [],
    approved: [],
    accounts: [],
    transfers: [],
    adjustments: [],
    colleagues: [],
    clients2wallet: new Map(),
    serial: 0,
    bridge: honestKey,
    treasure: `${slug}-treasure`,
    reports: 0,
    isAboutCommission: false,
    broker: { id: '', trader: '', plan: '' },
    payouts: [],
    judged: new Set(),
    guarded: null,
    trading: null,
    broken: null,
    winner: { id: '', number: `${slug}-second` },
  }
  const own = `crook@${slug}.test`
  world.mailboxes.push(own)
  const insider = role === 'owner' ? await makeOwner(world, own) : firm.as[role]
  world.staff.push({ ...insider, role })
  const { owner, operator, manager } = firm.as
  // an honest rate, and an honest client with money that two honest people booked
  const rates = [{ base: 'EUR', quote: 'USD', rate: '1.10' }]
  await call(world, owner, 'POST', '/v1/fx/rates/upsert', { rates })
  const fund = async (traderId: string, amount: string, announcer: Caller, settler: Caller): Promise<void> => {
    const deposit = { traderId, currency: 'EUR', amount, method: 'bank' }
    const { body } = await call(world, announcer, 'POST', '/v1/deposits', deposit)
    await call(world, settler, 'POST', `/v1/deposits/${body.id}/settle`)
  }
  // two people who are not the insider create the money and settle it
  const settler = role === 'manager' ? owner : manager
  const announcer = role === 'operator' ? manager : operator
  for (const kind of ['honest', 'accomplice', 'second', 'third'] as const) {
    const traderId = await firm.trader({ kycLevel: 2 })
    if (kind === 'honest') {
      world.honest.push(traderId)
      await fund(traderId, '200000', announcer, settler === announcer ? owner : settler)
    } else {
      world.accomplices.push(traderId)
      const session = await firm.traderSession(traderId)
      world.clients.push({ ...session, role: 'client', trader: traderId })
    }
    const account = { traderId, platform: 'terminal5', currency: 'EUR', accountNumber: `${slug}-${kind}` }
    const made = await call(world, owner, 'POST', '/v1/accounts', account)
    world.accounts.push({ id: made.body.id, traderId })
    if (account.accountNumber === world.winner.number) world.winner.id = made.body.id
  }
  // An admin approved a large withdrawal of an accomplice and was then disabled: the approval must no longer count.
  const [victim] = world.accomplices
  if (victim !== undefined) {
    await fund(victim, '60000', announcer, owner)
    const thief = await ctx.write('insider.thief', (tx) =>
      tx.insert(users, { email: `thief@${slug}.test`, displayName: 'Thief', roles: ['admin'], status: 'active' }),
    )
    const [client] = world.clients
    const destination = { kind: 'bank', reference: `THIEF ${slug}` }
    const asked = { currency: 'EUR', amount: '20000', destination }
    const { body } = client ? await call(world, client, 'POST', '/v1/withdrawals', asked) : { body: null }
    const session = await openSession(world, { userId: thief.id })
    if (session && body) {
      await call(world, session, 'POST', `/v1/withdrawals/${body.id}/approve`, { note: 'x' })
      world.withdrawals.push(body.id)
    }
    await call(world, owner, 'PATCH', `/v1/users/${thief.id}`, { status: 'disabled' })
    // the rest of the accomplice's honest money is removed, so that all money that leaves later was stolen or made up
    const debit = { traderId: victim, currency: 'EUR', direction: 'debit', amount: '40000', reason: 'fraud' }
    const adjustment = await call(world, honestKey, 'POST', '/v1/adjustments', debit)
    await call(world, firm.as.platform_admin, 'POST', `/v1/adjustments/${adjustment.body.id}/approve`, {})
  }
  await makeBroker(world)
  for (const colleague of ['manager', 'operator', 'viewer'] as const) {
    if (colleague === role) continue
    const email = `${colleague}@${slug}.test`
    world.colleagues.push({ id: firm.as[colleague].id, email, made: false })
  }
  await ctx.write('insider.passwords', (tx) => {
    for (const { id } of world.colleagues)
      tx.insert(credentials, { userId: id, passwordHash: 'nobody knows', totpEnabled: false })
    return null
  })
  firm.effects()
  return world
}

/** Makes the last accomplice an affiliate, by honest people, with more commission than one person may pay alone. */
async function makeBroker(world: World): Promise<void> {
  const { ctx, firm, broker } = world
  broker.trader = world.accomplices.at(-1) ?? ''
  const terms = { name: 'Honest', currency: 'EUR', override: 'difference', maxLevels: 3, cap: '1' }
  const rules = [{ model: 'lot', symbols: ['*'], rate: '5' }]
  const plan = await call(world, firm.as.owner, 'POST', '/v1/commission-plans', { ...terms, rules })
  broker.plan = plan.body.id
  const entered = { traderId: broker.trader, code: 'broker', parentId: null }
  const made = await call(world, firm.as.owner, 'POST', '/v1/affiliates', entered)
  broker.id = made.body.id
  const active = { status: 'active', planId: broker.plan }
  await call(world, firm.as.owner, 'PATCH', `/v1/affiliates/${broker.id}`, active)
  // a real run computes in its own process, too slowly for thousands of walks
  const earned = { affiliateId: broker.id, currency: 'EUR', earned: EARNED }
  await ctx.write('insider.earned', (tx) => tx.insert(affiliateBalances, earned))
}

/** Returns the wallet of a trader in EUR, which is looked up once. */
export async function findWalletId(world: World, traderId: string, currency = 'EUR'): Promise<string | null> {
  const key = `${traderId}:${currency}`
  const known = world.clients2wallet.get(key)
  if (known) return known
  const { body } = await call(
    world,
    world.firm.as.owner,
    'GET',
    `/v1/wallets?traderId=${traderId}&currency=${currency}`,
  )
  const id = body.data[0]?.id
  if (id) world.clients2wallet.set(key, id)
  return id ?? null
}

/** Returns the balance that the platform shows for the winner: all transfers to the account, and recent withdrawals. */
export function shownOnWinner({ ctx, winner }: World): bigint {
  const booked = ctx.db.list(transfers, { accountId: winner.id, state: 'booked' })
  return booked.reduce((sum, row) => {
    if (row.kind === 'wallet_to_account') return sum + row.toAmount
    return ctx.now() - row.createdAt >= SHOWS_AFTER ? sum - row.fromAmount : sum
  }, WON)
}

/** Returns the address that a trader's links go to. */
export const getEmail = (world: World, traderId: string): string | null =>
  world.ctx.db.get(traders, traderId, { withDeleted: true }).email
