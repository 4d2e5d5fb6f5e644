import { join } from 'node:path'
import { accountHooks } from '../../composition.ts'
import { createAccount } from '../../modules/books/accounts/accounts.service.ts'
import { traders } from '../../modules/clients/traders/traders.table.ts'
import { users } from '../../modules/firm/users/users.table.ts'
import { DEFAULT_PACE, DEFAULT_REQUESTS } from '../../modules/terminals/connections/connections.model.ts'
import { terminalConnections } from '../../modules/terminals/connections/connections.table.ts'
import { sealContext } from '../../modules/terminals/connections/terminal-address.ts'
import { terminalLogins } from '../../modules/terminals/logins/logins.table.ts'
import { MANAGER_LOGIN, MANAGER_PASSWORD } from '../../modules/terminals/simulator/simulator.defaults.ts'
import { type Ctx, systemCtx } from '../../platform/access/ctx.ts'
import { DAY, SECOND } from '../../platform/clock.ts'
import type { Platform } from '../../platform/platform.ts'

const SERVER = 'Meridian-Simulated'
/** So many of the simulated logins are accounts of clients; the others stay unlinked. */
const LINKED = 12
/** The demo has no rate for others, and sums without a rate would be missing in its figures. */
const CURRENCIES = ['EUR', 'USD', 'JPY'] as const
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
    await createAccount(ctx, accountHooks, { traderId: client.id, ...place, currency, leverage })
  }
  return true
}

/** Gives the demo’s firm a trading server of its own, and clients who trade there. */
export async function openDemoTerminal(platform: Platform, tenantId: string): Promise<void> {
  const ctx = systemCtx(platform, tenantId, 'demo-terminal')
  const isNew = ctx.db.find(terminalConnections, { server: SERVER }) === undefined
  await connectSimulator(ctx, platform.config.dataDir)
  if (!isNew) return
  const look = async (): Promise<void> => {
    const isDone = await linkLogins(ctx).catch((error: unknown) => {
      platform.log.warn({ err: error }, 'the demo could not link its simulated logins')
      return true
    })
    if (!isDone) setTimeout(look, LOOK_EVERY).unref()
  }
  setTimeout(look, LOOK_EVERY).unref()
}
