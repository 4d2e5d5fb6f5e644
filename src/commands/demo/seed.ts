import { accountHooks, traderHooks } from '../../composition.ts'
import { createAccount } from '../../modules/accounts/accounts.service.ts'
import { hashPassword } from '../../modules/auth/auth.passwords.ts'
import { setPassword } from '../../modules/auth/auth.service.ts'
import {
  createDeposit,
  failDeposit,
  partialSettleDeposit,
  settleDeposit,
} from '../../modules/deposits/deposits.service.ts'
import { createPsp } from '../../modules/psp/psp.service.ts'
import { foundTenant } from '../../modules/tenants/tenants.service.ts'
import { addNote, createTrader, deleteTrader, updateTrader } from '../../modules/traders/traders.service.ts'
import { traders } from '../../modules/traders/traders.table.ts'
import { users } from '../../modules/users/users.table.ts'
import { createSubscription } from '../../modules/webhooks/webhooks.service.ts'
import { type Role, topRole } from '../../platform/access/catalogue.ts'
import { type Ctx, createCtx, foundingCtx } from '../../platform/access/ctx.ts'
import type { Principal } from '../../platform/access/principal.ts'
import { DAY, HOUR, MINUTE } from '../../platform/clock.ts'
import { createDirectory } from '../../platform/db/directory.ts'
import type { WriteHooks } from '../../platform/db/writer-queue.ts'
import { Problem } from '../../platform/http/problem.ts'
import { formatAmount, scaleOf } from '../../platform/money.ts'
import type { Platform } from '../../platform/platform.ts'
import { createRandom, places, plain, type Random } from './people.ts'
import { DEMO_SUBSCRIPTION } from './receiver.ts'
import { seedAdmin } from './seed-admin.ts'
import { seedAds } from './seed-ads.ts'
import { seedAffiliates } from './seed-affiliates.ts'
import { seedCurrencies } from './seed-currencies.ts'
import { type Client, seedAdjustments, seedKyc, seedLeads, seedTickets, seedWithdrawals } from './seed-desk.ts'
import { seedMachines, seedRates, seedSanctions, seedTransfers } from './seed-firm.ts'
import { seedTrades } from './seed-trades.ts'

/**
 * Who the demo is signed in as. The password is public on purpose:
 * the demo listens on this machine only and holds invented people.
 */
export const DEMO = {
  firm: 'Meridian Markets',
  email: 'elena@meridian.example',
  password: 'meridian-demo',
  tenantSlug: 'meridian',
  settings: { timeZone: 'Europe/Nicosia', currency: 'EUR' },
} as const

/** Settles whatever version a deposit has. */
const AS_IT_IS = { expect: undefined, accepted: () => {} }

const TRADERS = 2000
const MONTHS = 18
const SEED = 20_261_121

/** Staff who act in the demo. */
export type Desk = Readonly<Record<'owner' | 'admin' | 'manager' | 'second' | 'operator' | 'helper', Principal>>
/** Something that happened at a time. */
export type Step = { at: number; run: () => Promise<unknown> }

/**
 * A platform whose writes run at once inside one open transaction, at a time of the past: only while nothing else runs.
 */
function pastPlatform(platform: Platform): { past: Platform; set(now: number): void } {
  let now = 0
  const writer: Platform['writer'] = {
    ...platform.writer,
    submit: async (run) => {
      const hooks: WriteHooks = { onRelease: undefined, isMoney: false }
      const result = run(hooks)
      hooks.onRelease?.()
      return result
    },
    submitSteps: async (steps) => {
      const hooks: WriteHooks = { onRelease: undefined, isMoney: false }
      const generator = steps(hooks)
      let step = generator.next()
      while (!step.done) step = generator.next()
      hooks.onRelease?.()
      return step.value
    },
  }
  return {
    past: {
      ...platform,
      writer,
      reader: { ...platform.connection, recall: (_, read) => read() },
      directory: createDirectory(platform.connection),
      clock: { ...platform.clock, now: () => now },
    },
    set: (at) => {
      now = at
    },
  }
}

/**
 * Fills an empty database with a brokerage that has been running for 18 months: the same one every time, ending now.
 */
export async function seedDemo(platform: Platform): Promise<void> {
  const end = platform.clock.now() - 2 * MINUTE
  const start = end - MONTHS * 30 * DAY
  const random = createRandom(SEED)
  const { past, set } = pastPlatform(platform)
  const { connection } = platform
  const passwordHash = await hashPassword(DEMO.password)
  connection.run('BEGIN IMMEDIATE')
  set(start - 3 * DAY)
  const owner = {
    email: DEMO.email,
    displayName: 'Elena Markou',
    passwordHash,
    roles: ['owner', 'platform_admin'] as Role[],
  }
  const { id: tenantId } = await foundTenant(foundingCtx(past), {
    name: DEMO.firm,
    slug: DEMO.tenantSlug,
    owner,
    settings: DEMO.settings,
  })
  // nobody loses anything with it, and the demo's owner is not asked to write its key down
  const statement = 'Nowhere: all of this is invented.'
  platform.recoveryKey.noteKept({ how: 'elsewhere', statement, by: null }, start)
  const as = (principal: Principal): Ctx =>
    createCtx(past, { principal, tenantId, requestId: 'demo', ip: '192.0.2.10' })
  const desk = await hire(as, passwordHash)
  const gateways = [
    await createPsp(as(desk.admin), { name: 'Cardlane', kind: 'generic', secret: 'demo secret of the card gateway' }),
    await createPsp(as(desk.admin), {
      name: 'Baltic Bank Wires',
      kind: 'generic',
      secret: 'demo secret of the bank gateway',
    }),
  ] as const
  const steps: Step[] = []
  const clients: Client[] = []
  const gatewayIds = [gateways[0].id, gateways[1].id] as const
  for (let number = 0; number < TRADERS; number++) {
    const { client, steps: life } = traderLife({ random, number, start, end, as, desk, gateways: gatewayIds })
    clients.push(client)
    steps.push(...life)
  }
  const seed = { random, start, end, as, desk }
  steps.push(
    ...seedRates(seed),
    ...seedLeads(seed, 160),
    ...seedTickets(seed, clients, 140),
    ...seedAdjustments(seed, clients),
    ...seedTransfers(seed, clients),
    ...seedTrades(seed),
    ...seedAffiliates(seed, clients),
    ...seedMachines(seed),
    ...seedSanctions(seed, clients),
    ...seedAds(seed),
    ...seedAdmin(seed, clients),
    ...seedCurrencies(seed, clients),
  )
  // the last day's events reach the receiver when the demo starts
  steps.push({ at: end - DAY, run: () => createSubscription(as(desk.admin), DEMO_SUBSCRIPTION) })
  steps.sort((a, b) => a.at - b.at)
  for (const [index, step] of steps.entries()) {
    set(step.at)
    // a refusal by the rules (a client who left, no money yet) is part of life; anything else is a fault
    await step.run().catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error
    })
    if (index % 1000 === 999) {
      platform.audit.sealHeads()
      connection.run('COMMIT')
      connection.run('BEGIN IMMEDIATE')
    }
  }
  platform.audit.sealHeads()
  connection.run('COMMIT')
}

/** Staff of every role, one of them invited and not yet in. */
async function hire(as: (principal: Principal) => Ctx, passwordHash: string): Promise<Desk> {
  const founder: Principal = { kind: 'system', id: 'demo' }
  const hireOne = (displayName: string, role: Role, status: 'active' | 'invited' = 'active') =>
    as(founder).write('user.invite', (tx): Principal => {
      const email = `${plain(displayName.split(' ')[0] ?? '')}@meridian.example`
      const user = tx.insert(users, { email, displayName, roles: [role], status })
      if (status === 'active') setPassword(tx, { userId: user.id }, passwordHash)
      return { kind: 'user', id: user.id, role, roles: [role], sessionId: '', impersonatorId: null }
    })
  const [owner] = await as(founder).write('demo.read', (tx) => tx.list(users, {}, { limit: 1 }))
  if (!owner) throw new Error('the demo firm has no owner')
  const desk = {
    owner: {
      kind: 'user',
      id: owner.id,
      role: topRole(owner.roles),
      roles: owner.roles,
      sessionId: '',
      impersonatorId: null,
    },
    admin: await hireOne('Stavros Kyriakou', 'admin'),
    manager: await hireOne('Ingrid Solheim', 'manager'),
    second: await hireOne('Rafael Duarte', 'manager'),
    operator: await hireOne('Priya Raman', 'operator'),
    helper: await hireOne('Tomasz Lis', 'operator'),
  } as const
  await hireOne('Beatrix Auditor', 'viewer')
  await hireOne('Noah Lindqvist', 'operator', 'invited')
  return desk
}

type Life = {
  random: Random
  number: number
  start: number
  end: number
  as: (principal: Principal) => Ctx
  desk: Desk
  gateways: readonly [string, string]
}

const SEGMENTS = ['retail', 'retail', 'retail', 'professional', 'vip'] as const
const SOURCES = ['Website', 'Referral', 'Google Ads', 'Webinar', 'Partner', 'Trade fair'] as const
const NOTES = [
  'Called about platform access; sorted out.',
  'Prefers to be contacted by e-mail in the afternoon.',
  'Asked for the fee schedule of metals.',
  'Bank confirmed the sender of the last wire.',
  'Interested in a professional account, sent the criteria.',
  'Moved house, new address confirmed by utility bill.',
] as const

/** Everything that happens to one trader, each step at its time; steps run later share what earlier ones made. */
function traderLife({ random, number, start, end, as, desk, gateways }: Life): { client: Client; steps: Step[] } {
  const place = random.pick(places(random))
  const firstName = random.pick(place.first)
  const lastName = random.pick(place.last)
  // more clients join as the firm grows
  const joined = start + Math.floor(Math.sqrt(random.next()) * (end - start))
  const steps: Step[] = []
  const later = (after: number, run: () => Promise<unknown>) => {
    if (joined + after < end) steps.push({ at: joined + after, run })
  }
  const made = { id: '' }
  const clerk = random.chance(0.5) ? desk.operator : desk.helper
  const manager = random.chance(0.6) ? desk.manager : desk.second
  const segment = random.pick(SEGMENTS)
  const profile = {
    email: `${plain(firstName)}.${plain(lastName)}${number}@mail.example`,
    phone: place.dial(),
    firstName,
    lastName,
    country: place.country,
    language: place.language,
    dateOfBirth: `${random.between(1955, 2004)}-${String(random.between(1, 12)).padStart(2, '0')}-${String(random.between(1, 28)).padStart(2, '0')}`,
    address: {
      street: `${random.between(1, 180)} ${random.pick(['Harbour Road', 'Mill Lane', 'Station Street', 'Olive Avenue'])}`,
      city: random.pick(place.cities),
    },
    segments: [segment],
    tags: random.chance(0.15) ? [random.pick(['newsletter', 'swap-free', 'high-volume', 'call-back'])] : [],
    source: random.pick(SOURCES),
    assignedTo: clerk.kind === 'user' && random.chance(0.7) ? clerk.id : null,
  }
  later(0, async () => {
    made.id = (await createTrader(as(clerk), traderHooks, profile)).id
  })
  const name = `${firstName} ${lastName}`
  const client: Client = { made, name, country: place.country, joined, currency: place.currency, manager, clerk }
  const seed = { random, start, end, as, desk }
  const level = random.chance(0.75) ? random.between(1, 3) : 0
  // real papers for the newest clients; for the others the outcome is enough
  if (level > 0 && end - joined < 45 * DAY) steps.push(...seedKyc(seed, client, level))
  else if (level > 0) {
    later(random.between(4, 70) * HOUR, () =>
      as(manager).write('kyc.approve', (tx) => {
        tx.update(traders, made.id, { kycLevel: level, kycStatus: 'approved' })
        return null
      }),
    )
  }
  addAccounts({ random, later, made, as, clerk, currency: place.currency, number })
  addDeposits({ random, later, made, as, clerk, manager, currency: place.currency, gateways, span: end - joined })
  steps.push(...seedWithdrawals(seed, client))
  if (random.chance(0.3))
    later(random.between(2, 60) * DAY, () => addNote(as(clerk), made.id, { body: random.pick(NOTES) }))
  if (random.chance(0.03))
    later(random.between(30, 200) * DAY, () =>
      updateTrader(as(manager), traderHooks, made.id, { status: 'suspended', riskLevel: 'high' }, undefined),
    )
  else if (random.chance(0.1))
    later(random.between(5, 100) * DAY, () =>
      updateTrader(as(clerk), traderHooks, made.id, { riskLevel: 'medium' }, undefined),
    )
  if (number % 401 === 7)
    steps.push({
      at: end - random.between(1, 20) * DAY,
      run: async () => (made.id === '' ? null : deleteTrader(as(manager), traderHooks, made.id, undefined)),
    })
  return { client, steps }
}

/** An amount of so many whole units, with cents where the currency has them. */
const minor = (random: Random, currency: string, low: number, high: number): bigint => {
  const scale = 10 ** scaleOf(currency)
  const yen = currency === 'JPY' ? 150 : 1
  return BigInt(random.between(low, high) * yen * scale + (random.chance(0.3) ? random.between(0, scale - 1) : 0))
}

type Money = {
  random: Random
  later: (after: number, run: () => Promise<unknown>) => void
  made: { id: string }
  as: (principal: Principal) => Ctx
  clerk: Principal
  manager: Principal
  currency: string
  gateways: readonly [string, string]
  span: number
}

type Trading = Pick<Money, 'random' | 'later' | 'made' | 'as' | 'clerk' | 'currency'> & { number: number }

/** The trading accounts that somebody opens in their first days. */
function addAccounts({ random, later, made, as, clerk, currency: home, number }: Trading): void {
  const accounts = random.pick([1, 1, 1, 2, 2, 3])
  for (let index = 0; index < accounts; index++) {
    const currency = home === 'JPY' || random.chance(0.8) ? home : 'USD'
    const balance = minor(random, currency, 0, 30_000)
    later(random.between(1, 90) * HOUR + index * DAY, () =>
      createAccount(as(clerk), accountHooks, {
        traderId: made.id,
        platform: 'terminal5',
        externalId: `t5-${100_000 + number * 3 + index}`,
        accountNumber: String(7_000_000 + number * 3 + index),
        currency,
        balance: formatAmount(balance, currency),
        equity: formatAmount(balance, currency),
        leverage: random.pick([30, 30, 50, 100, 200]),
        isDemo: index > 0 && number % 4 === 0,
      }),
    )
  }
}

/** Deposits over the trader's time with the firm, in every state; the last days leave some waiting for the desk. */
function addDeposits({ random, later, made, as, clerk, manager, currency, gateways, span }: Money): void {
  const count = random.pick([0, 1, 1, 2, 2, 3, 4, 6])
  for (let index = 0; index < count; index++) {
    const at = random.between(1, 5) * DAY + Math.floor(random.next() * Math.max(0, span - 6 * DAY))
    const method = random.pick(['card', 'card', 'bank', 'bank', 'wallet', 'crypto'] as const)
    const amount = minor(random, currency, 100, random.chance(0.1) ? 50_000 : 5_000)
    const deposit = { id: '' }
    const fate = random.next()
    const wait = method === 'bank' ? random.between(20, 70) * HOUR : random.between(2, 40) * MINUTE
    later(at, async () => {
      const row = await createDeposit(as(clerk), {
        traderId: made.id,
        currency,
        amount: formatAmount(amount, currency),
        method,
        ...(method === 'card'
          ? { pspConnectionId: gateways[0] }
          : method === 'bank'
            ? { pspConnectionId: gateways[1] }
            : {}),
        providerReference: `${method.slice(0, 2).toUpperCase()}-${random.between(10_000_000, 99_999_999)}`,
      }).catch(() => null)
      deposit.id = row?.id ?? ''
    })
    later(at + wait, async () => {
      if (deposit.id === '') return
      const ctx = as(manager)
      if (fate < 0.86) await settleDeposit(ctx, deposit.id, AS_IT_IS)
      else if (fate < 0.91) {
        const settled = amount - amount / 40n
        await partialSettleDeposit(
          ctx,
          deposit.id,
          { settledAmount: formatAmount(settled, currency), notes: 'The bank kept its fee.' },
          AS_IT_IS,
        )
      } else
        await failDeposit(
          ctx,
          deposit.id,
          {
            reason: random.pick([
              'Card declined by the issuer',
              'Wire returned: name mismatch',
              'Expired without payment',
            ]),
          },
          undefined,
        )
    })
  }
}
