import { join } from 'node:path'
import { accountHooks, transferHooks } from '../../composition.ts'
import { createAccount } from '../../modules/books/accounts/accounts.service.ts'
import { accounts } from '../../modules/books/accounts/accounts.table.ts'
import { createTransfer } from '../../modules/books/transfers/transfers.service.ts'
import { wallets } from '../../modules/books/wallets/wallets.table.ts'
import { traders } from '../../modules/clients/traders/traders.table.ts'
import { users } from '../../modules/firm/users/users.table.ts'
import { DEFAULT_PACE, DEFAULT_REQUESTS } from '../../modules/terminals/connections/connections.model.ts'
import { terminalConnections } from '../../modules/terminals/connections/connections.table.ts'
import { sealContext } from '../../modules/terminals/connections/terminal-address.ts'
import { addTry, moveOn } from '../../modules/terminals/instructions/instructions.store.ts'
import { terminalInstructions } from '../../modules/terminals/instructions/instructions.table.ts'
import { terminalLogins } from '../../modules/terminals/logins/logins.table.ts'
import { moneyPlan } from '../../modules/terminals/sending/money.ts'
import { MANAGER_LOGIN, MANAGER_PASSWORD } from '../../modules/terminals/simulator/simulator.defaults.ts'
import { type Ctx, createCtx, systemCtx } from '../../platform/access/ctx.ts'
import { DAY, SECOND } from '../../platform/clock.ts'
import { formatAmount } from '../../platform/money.ts'
import type { Platform } from '../../platform/platform.ts'
import { Problem } from '../../platform/problem.ts'

const SERVER = 'Meridian-Simulated'
/** So many of the simulated logins are accounts of clients; the others stay unlinked. */
const LINKED = 12
/** The demo has no rate for others, and sums without a rate would be missing in its figures. */
const CURRENCIES = ['EUR', 'USD', 'JPY'] as const
/** A client of the demo who has this much (minor units) has a part of it moved. */
const MOVED = 40_000n
const LOOK_EVERY = 2 * SECOND

/** Connects the demo’s firm to a simulated trading server, whose books lie beside its databases. */
async function connectSimulator(ctx: Ctx, dataDir: string): Promise<void> {
  const [owner, admin] = [
    ctx.db.list(users, { status: 'active' }).find(({ roles }) => roles.includes('owner')),
    ctx.db.list(users, { status: 'active' }).find(({ roles }) => roles.includes('admin')),
  ]
  if (owner === undefined || ctx.db.find(terminalConnections, { server: SERVER })) return
  const id = ctx.ids.next('trm')
  const state = encodeURIComponent(join(dataDir, 'demo.simulator'))
  await ctx.write('terminals.create', (tx) => {
    tx.insert(terminalConnections, {
      id,
      name: 'Simulated server',
      driver: 'simulator',
      platform: 'terminal5',
      server: SERVER,
      address: `https://simulator?accounts=40&positions=60&deals=800&seed=7&state=${state}`,
      trust: 'public',
      login: String(MANAGER_LOGIN),
      password: ctx.secrets.seal(MANAGER_PASSWORD, sealContext(ctx.tenantId, id)),
      groups: [
        { mask: 'real\\*', type: 'live' },
        { mask: 'demo\\*', type: 'demo' },
      ],
      since: tx.now - 14 * DAY,
      money: true,
      moneyHeldAt: tx.now,
      readEvery: DEFAULT_PACE,
      requestsPerSecond: DEFAULT_REQUESTS,
      enteredBy: [owner.id],
      enteredAt: tx.now,
      confirmedBy: admin?.id ?? owner.id,
      confirmedAt: tx.now,
    })
    return null
  })
}

/** Links some logins to clients once they were read; returns whether that is done. */
async function linkLogins(ctx: Ctx): Promise<boolean> {
  const connection = ctx.db.find(terminalConnections, { server: SERVER })
  if (connection === undefined) return true
  const logins = ctx.db.list(
    terminalLogins,
    { connectionId: connection.id, accountType: 'live', currency: [...CURRENCIES] },
    { limit: LINKED },
  )
  if (logins.length === 0) return false
  const clients = ctx.db.list(traders, { status: 'active' }, { orderBy: 'createdAt', limit: LINKED })
  for (const [index, { login, currency, leverage }] of logins.entries()) {
    const client = clients[index]
    if (client === undefined) continue
    const place = { platform: 'terminal5', server: SERVER, accountNumber: login }
    await createAccount(ctx, accountHooks, { traderId: client.id, ...place, currency, leverage, note: 'Demo' })
  }
  return true
}

/**
 * Moves money to an account: one transfer that the server left unclear, and one that it books once the money is let go.
 * Money is held until then, so that the first is never sent.
 */
async function moveMoney(platform: Platform, ctx: Ctx): Promise<void> {
  const clerk = ctx.db.list(users, { status: 'active' }).find(({ roles }) => roles.includes('operator'))
  const connection = ctx.db.find(terminalConnections, { server: SERVER })
  if (connection === undefined) return
  const account = ctx.db.list(accounts, { server: SERVER, isDemo: false }).find(({ traderId, currency }) => {
    const wallet = ctx.db.find(wallets, { traderId, currency })
    return wallet !== undefined && wallet.available > MOVED
  })
  const wallet = account && ctx.db.find(wallets, { traderId: account.traderId, currency: account.currency })
  if (clerk && account && wallet) {
    const principal = { kind: 'user', id: clerk.id, role: 'operator', roles: ['operator'] } as const
    const as = createCtx(platform, {
      principal: { ...principal, sessionId: '', impersonatorId: null },
      tenantId: ctx.tenantId,
      requestId: 'demo-terminal',
      ip: null,
    })
    const amount = formatAmount(MOVED / 4n, account.currency)
    const ways = { fromWalletId: wallet.id, toAccountId: account.id, amount }
    const { id: transferId } = await createTransfer(as, transferHooks, ways)
    await ctx.write('terminals.instruct', (tx) => {
      const asked = tx.find(terminalInstructions, { transferId })
      if (asked === undefined) return null
      const tries = addTry(asked, { what: 'sent', came: 'unclear lost' }, tx.now)
      const sent = moveOn(tx, asked, 'sending', { sentAt: tx.now, tries })
      const last = moveOn(tx, moveOn(tx, sent, 'unclear'), 'unresolved', { looks: 7 })
      moneyPlan.onUnresolved(tx, last)
      return null
    })
    await createTransfer(as, transferHooks, ways)
  }
  await ctx.write('terminals.update', (tx) => {
    tx.update(terminalConnections, connection.id, { moneyHeldAt: null })
    return null
  })
}

/** Gives the demo’s firm a trading server of its own, and clients who trade there. */
export async function openDemoTerminal(platform: Platform, tenantId: string): Promise<void> {
  const ctx = systemCtx(platform, tenantId, 'demo-terminal')
  const isNew = ctx.db.find(terminalConnections, { server: SERVER }) === undefined
  await connectSimulator(ctx, platform.config.dataDir)
  if (!isNew) return
  let isLinked = false
  const step = async (): Promise<boolean> => {
    isLinked ||= await linkLogins(ctx)
    if (isLinked) await moveMoney(platform, ctx)
    return isLinked
  }
  const look = async (): Promise<void> => {
    const isDone = await step().catch((error: unknown) => {
      // new clients are compared with the sanctions lists first
      if (error instanceof Problem && error.code === 'screening_pending') return false
      platform.log.warn({ err: error }, 'the demo could not use its simulated trading server')
      return true
    })
    if (!isDone) setTimeout(look, LOOK_EVERY).unref()
  }
  setTimeout(look, LOOK_EVERY).unref()
}
