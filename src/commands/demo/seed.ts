import { createPsp } from '../../modules/books/psp/psp.service.ts'
import { hashPassword } from '../../modules/firm/auth/auth.passwords.ts'
import { setPassword } from '../../modules/firm/auth/auth.service.ts'
import { foundTenant } from '../../modules/firm/tenants/tenants.service.ts'
import { users } from '../../modules/firm/users/users.table.ts'
import { createSubscription } from '../../modules/firm/webhooks/webhooks.service.ts'
import { type Role, topRole } from '../../platform/access/catalogue.ts'
import { type Ctx, createCtx, foundingCtx } from '../../platform/access/ctx.ts'
import type { Principal } from '../../platform/access/principal.ts'
import { DAY, MINUTE } from '../../platform/clock.ts'
import { createDirectory } from '../../platform/db/directory.ts'
import type { WriteHooks } from '../../platform/db/writer-queue.ts'
import type { Platform } from '../../platform/platform.ts'
import { Problem } from '../../platform/problem.ts'
import { createRandom, plain } from './people.ts'
import { DEMO_SUBSCRIPTION } from './receiver.ts'
import { seedAdmin } from './seed-admin.ts'
import { seedAds } from './seed-ads.ts'
import { seedAffiliates } from './seed-affiliates.ts'
import { seedCurrencies } from './seed-currencies.ts'
import { seedAdjustments, seedLargeWithdrawal } from './seed-desk.ts'
import { seedMachines, seedRates, seedSanctions, seedTransfers } from './seed-firm.ts'
import { seedLeads } from './seed-leads.ts'
import { traderLife } from './seed-life.ts'
import type { Client, Desk, DeskSeed, Step } from './seed-step.ts'
import { seedTickets } from './seed-tickets.ts'
import { seedTrades } from './seed-trades.ts'

/**
 * The account of the demo. Its password is public, since the demo listens on this machine only and has invented people.
 */
export const DEMO = {
  firm: 'Meridian Markets',
  email: 'elena@meridian.example',
  password: 'meridian-demo',
  tenantSlug: 'meridian',
  settings: { timeZone: 'Europe/Nicosia', currency: 'EUR' },
} as const

/** The number of the demo's clients; tests make fewer. */
const CLIENTS = 2000
const MONTHS = 18
const SEED = 20_261_121

/** Returns a platform whose writes run at once in one open transaction, at a time of the past; nothing else may run. */
function pastPlatform(platform: Platform): { past: Platform; set(now: number): void } {
  let now = 0
  const writer: Platform['writer'] = {
    ...platform.writer,
    submit: async (run) => {
      const hooks: WriteHooks = { onKept: undefined, isMoney: false }
      const result = run(hooks)
      hooks.onKept?.()
      return result
    },
    submitSteps: async (steps) => {
      const hooks: WriteHooks = { onKept: undefined, isMoney: false }
      const generator = steps(hooks)
      let step = generator.next()
      while (!step.done) step = generator.next()
      hooks.onKept?.()
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

/** Creates the demo's firm with its owner; returns its id. */
async function found(platform: Platform, past: Platform, passwordHash: string, at: number): Promise<string> {
  const roles: Role[] = ['owner', 'platform_admin']
  const { id } = await foundTenant(foundingCtx(past), {
    name: DEMO.firm,
    slug: DEMO.tenantSlug,
    owner: { email: DEMO.email, displayName: 'Elena Markou', passwordHash, roles },
    settings: DEMO.settings,
  })
  // the demo's owner need not write the key down, since its loss would cost nothing
  const statement = 'Nowhere: all of this is invented.'
  platform.recoveryKey.noteKept({ how: 'elsewhere', statement, by: null }, at)
  return id
}

const GATEWAYS = [
  { name: 'Cardlane', kind: 'generic', secret: 'demo secret of the card gateway' },
  { name: 'Baltic Bank Wires', kind: 'generic', secret: 'demo secret of the bank gateway' },
] as const

/** Returns all steps of the firm in the order of time. */
function history(seed: DeskSeed, gateways: readonly [string, string], count: number): Step[] {
  const steps: Step[] = []
  const clients: Client[] = []
  for (let number = 0; number < count; number++) {
    const { client, steps: life } = traderLife({ ...seed, number, gateways })
    clients.push(client)
    steps.push(...life)
  }
  steps.push(
    ...seedRates(seed),
    ...seedLeads(seed, 160),
    ...seedTickets(seed, clients, 140),
    seedLargeWithdrawal(seed, clients),
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
  const { end, as, desk } = seed
  steps.push({ at: end - DAY, run: () => createSubscription(as(desk.admin), DEMO_SUBSCRIPTION) })
  return steps.sort((a, b) => a.at - b.at)
}

/**
 * Fills an empty database with a brokerage that has been running for 18 months: the same each time, ending now. `tell`
 * is called with the progress from 0 to 1.
 */
export async function seedDemo(
  platform: Platform,
  count = CLIENTS,
  tell: (share: number) => void = () => {},
): Promise<void> {
  const end = platform.clock.now() - 2 * MINUTE
  const start = end - MONTHS * 30 * DAY
  const { past, set } = pastPlatform(platform)
  const { connection } = platform
  const passwordHash = await hashPassword(DEMO.password)
  connection.run('BEGIN IMMEDIATE')
  set(start - 3 * DAY)
  const tenantId = await found(platform, past, passwordHash, start)
  const as = (principal: Principal): Ctx =>
    createCtx(past, { principal, tenantId, requestId: 'demo', ip: '192.0.2.10' })
  const desk = await hire(as, passwordHash)
  const cards = await createPsp(as(desk.admin), GATEWAYS[0])
  const wires = await createPsp(as(desk.admin), GATEWAYS[1])
  const seed = { random: createRandom(SEED), start, end, as, desk }
  const steps = history(seed, [cards.id, wires.id], count)
  for (const [index, step] of steps.entries()) {
    set(step.at)
    // a refusal by the rules (a client who left, no money yet) is expected; any other error is a fault
    await step.run().catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error
    })
    if (index % 1000 === 999) {
      platform.audit.sealHeads()
      platform.renewSeal()
      connection.run('COMMIT')
      connection.run('BEGIN IMMEDIATE')
      tell(index / steps.length)
    }
  }
  platform.audit.sealHeads()
  platform.renewSeal()
  connection.run('COMMIT')
}

/** Adds staff of every role, one of them invited and not yet active. */
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
