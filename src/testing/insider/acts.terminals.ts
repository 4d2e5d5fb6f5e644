import { transfers } from '../../modules/books/transfers/transfers.table.ts'
import { terminalConnections } from '../../modules/terminals/connections/connections.table.ts'
import { terminalFindings } from '../../modules/terminals/findings/findings.table.ts'
import { terminalInstructions } from '../../modules/terminals/instructions/instructions.table.ts'
import { terminalLogins } from '../../modules/terminals/logins/logins.table.ts'
import { ACTS as DEALER } from '../../modules/terminals/simulator/simulator.acts.ts'
import { DAY, MINUTE, SECOND } from '../../platform/clock.ts'
import { formatAmount } from '../../platform/money.ts'
import { reportPosition } from '../position-report.ts'
import { type Act, act, amount, pick, type Random, some, staff } from './draw.ts'
import { type Desk, passTime, SERVER, SETTINGS, type Trading } from './trading-desk.ts'
import { call, findWalletId, THRESHOLD, type World } from './world.ts'

type Run = (world: World, random: Random, trading: Trading) => Promise<void>

/** Makes an act of walks with a trading server. */
const actThere = (name: string, weight: number | ((trading: Trading, world: World) => number), run: Run): Act =>
  act(
    name,
    (world) => {
      if (world.trading === null) return 0
      return 3 * (typeof weight === 'number' ? weight : weight(world.trading, world))
    },
    async (world, random) => {
      if (world.trading !== null) await run(world, random, world.trading)
    },
  )

const ifOwners =
  (weight: number) =>
  ({ isOwners }: Trading): number =>
    isOwners ? weight : 0
/** A desk that the insider can make say something: their own, or by a stolen password the honest one. */
const pickDesk = (random: Random, { isOwners, honest, crooked }: Trading): Desk =>
  isOwners && random(4) > 0 ? crooked : honest

/** An account there, mostly that of the accomplice. */
const pickAccount = (random: Random, { accounts }: Trading) =>
  pick(random, random(3) > 0 ? accounts.slice(0, 1) : accounts)

const hasOpen = (world: World): boolean =>
  world.ctx.db.count(terminalInstructions, { state: ['queued', 'sending', 'unclear', 'unresolved'] }) > 0
const findConnection = ({ ctx }: World, id: string | undefined) =>
  id === undefined ? null : ctx.db.get(terminalConnections, id)
const mayBeConfirmed = (trading: Trading, world: World): string[] =>
  trading.connections.filter((id) => {
    const row = findConnection(world, id)
    return row !== null && (row.pending !== null || row.confirmedAt === null)
  })

const acts: readonly Act[] = [
  actThere('enter a connection', ifOwners(0.5), async (world, random, trading) => {
    const as = staff(world, random)
    if (!as || trading.connections.length > 2) return
    world.serial += 1
    const place = {
      name: `C${world.serial}`,
      server: pick(random, ['live', 'Other', SERVER]),
      address: trading.crookedAddress,
    }
    const { status, body } = await call(world, as, 'POST', '/v1/platforms/connections', {
      ...SETTINGS,
      ...place,
      password: 'Crook-pass1',
    })
    if (status === 201) trading.connections.push(body.id)
  }),
  actThere('change a connection', ifOwners(4), async (world, random, trading) => {
    const [as, id] = [staff(world, random), pick(random, trading.connections)]
    const address = trading.crookedAddress
    const change = pick(random, [
      { address, password: 'Crook-pass1' },
      { address, password: 'Crook-pass1' },
      { address, password: 'Crook-pass1' },
      { address },
      { address },
      { money: true },
      { since: new Date(world.app.clock.now() - 2 * DAY).toISOString() },
      { groups: [{ mask: 'real\\*', type: 'demo' }] },
    ])
    if (as && id) await call(world, as, 'PATCH', `/v1/platforms/connections/${id}`, change)
  }),
  actThere('test a connection', ifOwners(1.5), async (world, random, trading) => {
    const [as, id] = [staff(world, random), pick(random, trading.connections)]
    if (as && id) await call(world, as, 'POST', `/v1/platforms/connections/${id}/test`, { pending: random(4) > 0 })
  }),
  actThere(
    'confirm a connection',
    (trading, world) => some(mayBeConfirmed(trading, world), 3),
    async (world, random, trading) => {
      const [as, id] = [staff(world, random), pick(random, mayBeConfirmed(trading, world))]
      if (!as || id === undefined) return
      const version = findConnection(world, id)?.entry
      const { status } = await call(world, as, 'POST', `/v1/platforms/connections/${id}/confirm`, { version })
      // whatever waits in a walk was entered by the insider
      if (status === 200) world.broken = 'a connection was confirmed by who entered it'
    },
  ),
  actThere(
    'a colleague is talked into confirming',
    (trading, world) => some(mayBeConfirmed(trading, world), 6),
    async (world, random, trading) => {
      const id = pick(random, mayBeConfirmed(trading, world))
      const version = findConnection(world, id)?.entry
      const path = `/v1/platforms/connections/${id}/confirm`
      await call(world, world.firm.as.admin, 'POST', path, { version })
      await passTime(world, 2 * SECOND)
    },
  ),
  actThere('the terminal says what its owner wants', 5, async (world, random, trading) => {
    const desk = pickDesk(random, trading)
    const { engine } = desk
    const account = pickAccount(random, trading)
    if (!account) return
    const { login } = account
    const said = amount(random)
    const sent = pick(random, world.ctx.db.list(transfers, { accountId: account.id }))
    const comment = sent && random(3) === 0 ? sent.reference : ''
    const asked = sent && formatAmount(sent.kind === 'wallet_to_account' ? sent.toAmount : -sent.fromAmount, 'EUR')
    const booked = comment !== '' && asked !== undefined && random(3) > 0 ? asked : said
    const way = random(desk === trading.crooked ? 4 : 1)
    // interest needs no owner, and a false balance no deal
    if (way === 1 || way === 2) DEALER.otherDeal(engine, { login, amount: said, action: 12 })
    else if (way === 3) {
      const there = engine.state.accounts.get(login)
      if (there) there.balance += Number(said) * 100
    } else DEALER.manualDeposit(engine, { login, amount: booked, comment })
    desk.mood = pick(random, ['plain', 'plain', 'plain', 'plain', 'loses', 'hides'] as const) ?? 'plain'
    await passTime(world, MINUTE)
  }),
  actThere(
    'time passes at the terminal',
    (_, world) => (hasOpen(world) ? 5 : 1),
    async (world, random) => passTime(world, 1 + random(2) * 40 * SECOND),
  ),
  actThere(
    'nobody knows what became of an order',
    (_, world) => (hasOpen(world) ? 2 : 0),
    async (world, random, { honest, crooked }) => {
      const mood = pick(random, ['loses', 'hides'] as const) ?? 'loses'
      for (const desk of [honest, crooked]) desk.mood = mood
      for (const minutes of [1, 1, 1, 1, 2, 5, 10, 20]) await passTime(world, minutes * MINUTE + SECOND)
      if (random(2) === 0) for (const desk of [honest, crooked]) desk.mood = 'plain'
    },
  ),
  actThere(
    'say what became of an order',
    (_, world) =>
      world.ctx.db.count(terminalInstructions, { state: ['queued', 'unclear', 'unresolved'] }) > 0 ? 3 : 0,
    async (world, random, trading) => {
      const open = world.ctx.db.list(terminalInstructions, { state: ['queued', 'unclear', 'unresolved'] })
      const [as, row] = [staff(world, random), pick(random, open)]
      if (!as || !row) return
      const numbers = [...pickDesk(random, trading).engine.state.deals.keys()]
      const body =
        random(2) === 0
          ? { state: 'booked', reference: String(numbers.at(-1) ?? 1) }
          : { state: 'refused', reason: 'not there' }
      await call(world, as, 'POST', `/v1/transfers/${row.transferId}/acknowledge`, body)
    },
  ),
  actThere(
    'close a finding',
    (_, world) => some(listFindings(world), 8),
    async (world, random) => {
      const [as, finding] = [staff(world, random), pick(random, listFindings(world))]
      if (!as || !finding) return
      const transferId = random(4) === 0 ? pick(random, world.ctx.db.list(transfers, {}))?.id : undefined
      const body = { ids: [finding.id], reason: 'a contest', ...(transferId !== undefined && { transferId }) }
      await call(world, as, 'POST', '/v1/platforms/findings/close', body)
    },
  ),
  actThere('link a login', 1, async (world, random, trading) => {
    const [as, traderId] = [staff(world, random), pick(random, world.accomplices)]
    const [row, account] = [findConnection(world, pick(random, trading.connections)), pick(random, trading.accounts)]
    if (!as || !row || !account || traderId === undefined || trading.accounts.length > 4) return
    const { platform, server } = row
    const place = { platform, server, accountNumber: String(account.login), currency: 'EUR' }
    const { status, body } = await call(world, as, 'POST', '/v1/accounts', { traderId, ...place })
    if (status !== 201) return
    world.accounts.push({ id: body.id, traderId })
    trading.accounts.push({ id: body.id, traderId, login: account.login })
  }),
  actThere('push a report for the same server', 1, async (world, random, trading) => {
    const [as, account] = [staff(world, random), pick(random, trading.accounts)]
    if (!as || !account) return
    world.serial += 1
    const accountNumber = String(account.login)
    const [said, stream] = [amount(random), { platform: SETTINGS.platform, server: SERVER, sequence: world.serial }]
    const accounts = [{ accountNumber, balance: said, equity: said }]
    if (random(3) > 0) await call(world, as, 'POST', '/v1/accounts/sync', { ...stream, accounts })
    else {
      const positions = [reportPosition(`T${world.serial}`, { accountNumber, profit: said })]
      await call(world, as, 'POST', '/v1/positions/sync', { ...stream, mode: 'delta', positions })
    }
  }),
  actThere('take money off the terminal', 5, async (world, random, trading) => {
    const as = staff(world, random)
    const account = pickAccount(random, trading)
    const wallet = account ? await findWalletId(world, account.traderId) : null
    if (!as || !account || wallet === null) return
    await passTime(world, random(2) * MINUTE)
    const wanted = { fromAccountId: account.id, toWalletId: wallet, amount: amount(random) }
    const { status, body } = await call(world, as, 'POST', '/v1/transfers', wanted)
    if (status === 201) world.transfers.push(body.id)
  }),
  actThere('move money to the terminal', 2, async (world, random, trading) => {
    const account = pick(random, trading.accounts)
    const as = pick(random, [...world.staff, ...world.clients.filter(({ trader }) => trader === account?.traderId)])
    const wallet = account ? await findWalletId(world, account.traderId) : null
    if (!as || !account || wallet === null) return
    const wanted = { fromWalletId: wallet, toAccountId: account.id, amount: amount(random) }
    const { status, body } = await call(world, as, 'POST', '/v1/transfers', wanted)
    if (status === 201) world.transfers.push(body.id)
  }),
  actThere(
    'a colleague brings home what is there',
    (_, world) => 1 + some(listExplained(world), 8),
    async (world, _, trading) => {
      const [account] = trading.accounts
      const wallet = account ? await findWalletId(world, account.traderId) : null
      if (!account || wallet === null) return
      await passTime(world, MINUTE)
      const most = findOwned(world, trading, String(account.login))
      if (most <= 0n) return
      const home = { fromAccountId: account.id, toWalletId: wallet, amount: formatAmount(most, 'EUR') }
      const { status } = await call(world, findColleague(world), 'POST', '/v1/transfers', home)
      if (status !== 201) return
      trading.broughtHome.push({ traderId: account.traderId, amount: home.amount })
      await passTime(world, SECOND)
    },
  ),
  actThere(
    'ask for what a colleague brought home',
    ({ broughtHome }) => some(broughtHome, 10),
    async (world, _, { broughtHome, asked }) => {
      const home = broughtHome.at(-1)
      const client = world.clients.find(({ trader }) => trader === home?.traderId)
      if (!home || !client) return
      await passTime(world, SECOND)
      const wanted = { currency: 'EUR', amount: home.amount, destination: { kind: 'bank', reference: 'CROOK 0' } }
      const { status, body } = await call(world, client, 'POST', '/v1/withdrawals', wanted)
      if (status !== 201) return
      broughtHome.pop()
      asked.push(body.id)
      world.withdrawals.push(body.id)
    },
  ),
  actThere(
    'let out what a colleague brought home',
    ({ asked }) => some(asked, 8),
    async (world, random, { asked }) => {
      const [as, id] = [staff(world, random), asked.at(-1)]
      if (!as || id === undefined) return
      world.serial += 1
      const { body } = await call(world, as, 'POST', `/v1/withdrawals/${id}/approve`, { note: 'looked at it' })
      if (body.status !== 'approved') return
      asked.pop()
      await call(world, as, 'POST', `/v1/withdrawals/${id}/pay`, { paymentReference: `PAY ${world.serial}` })
    },
  ),
]

/** Returns an honest person who may bring gains home. */
const findColleague = ({ staff: masks, firm }: World) =>
  masks.some(({ id }) => id === firm.as.admin.id) ? firm.as.platform_admin : firm.as.admin
const listFindings = ({ ctx }: World) => ctx.db.list(terminalFindings, { state: 'open' })
const listExplained = ({ ctx }: World) => ctx.db.list(terminalFindings, { state: 'closed', healed: false })

/** Returns what is on a login without the money that nobody owns, at most what one approval may let out. */
function findOwned({ ctx }: World, { connections }: Trading, login: string): bigint {
  const about = { connectionId: connections[0] ?? '', login }
  const unknown = ctx.db.list(terminalFindings, { ...about, state: 'open' })
  const shown = ctx.db.find(terminalLogins, about)?.balance ?? 0n
  const owned = unknown.reduce((sum, { amount: left }) => sum - (left ?? 0n), shown)
  return owned < THRESHOLD ? owned : THRESHOLD - 1n
}

/**
 * The acts of an insider in a firm that speaks to a trading server. An owner has one that says what they want; anybody
 * else has a friend who books money there by hand.
 */
export const TERMINAL_ACTS: readonly Act[] = acts
