import { afterAll, beforeAll, expect, test } from 'bun:test'
import { MINUTE, SECOND } from '../../../platform/clock.ts'
import { createTestApp } from '../../../testing/app.ts'
import { createDice } from '../../../testing/lease/world.ts'
import { postMoney } from '../../../testing/ledger-desk.ts'
import { linkClient } from '../../../testing/terminal-client.ts'
import { testDrivers } from '../../../testing/terminals-here.ts'
import { connectTrading, makeLogin, NEAR } from '../../../testing/trading-server.ts'
import { TerminalFault } from '../contract/fault.ts'
import type { Deal, Outcome, Terminal } from '../contract/terminal.ts'
import { ACTS } from '../simulator/simulator.acts.ts'
import { driveHouses } from '../simulator/simulator.driver.ts'
import { makeHouses } from '../simulator/simulator.house.ts'
import type { Engine } from '../simulator/simulator.state.ts'
import { moneyPlan } from './money.ts'

/** How many random scripts are tried, and from which one. */
const SCRIPTS = Number(process.env.BROKERBASE_SCRIPTS ?? 300)
const FIRST = Number(process.env.BROKERBASE_FIRST ?? 1)
const ADDRESS = 'https://simulator?accounts=0&positions=0&deals=0'
const LOGINS = 3
/** What is executed may be shown this much later. */
const LATEST = 90 * SECOND
const LOOKS = [5 * SECOND, 30 * SECOND, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 20 * MINUTE]

/** The server ends at this point; what it was doing is never finished. */
class Killed extends Error {}

const sendMoney = moneyPlan.send

/** What lies between us and the terminal: it loses calls and answers, shows deals late, and server or child end. */
function createAdversary(engine: Engine, now: () => number) {
  let { next } = createDice(1)
  let isQuiet = true
  const hidden = new Map<string, number>()
  const executed = new Map<string, number>()
  const isShown = ({ id }: Deal): boolean => isQuiet || (hidden.get(id) ?? 0) <= now()
  const lose = (part: number): void => {
    if (!isQuiet && next() < part) throw new TerminalFault('lost', {}, true)
  }
  const wrap = (terminal: Terminal): Terminal => ({
    ...terminal,
    async *deals(query) {
      lose(0.1)
      for await (const piece of terminal.deals(query)) yield piece.filter(isShown)
    },
    find: async (order) => {
      lose(0.1)
      return (await terminal.find(order)).filter(isShown)
    },
    states: (logins) => {
      lose(0.05)
      return terminal.states(logins)
    },
    move: async (order): Promise<Outcome> => {
      const chance = isQuiet ? 1 : next()
      if (chance < 0.08) return { is: 'unclear', why: 'lost' }
      if (chance < 0.13) return { is: 'not_sent', why: 'lost' }
      if (chance < 0.19) return { is: 'refused', code: '10019' }
      if (chance < 0.22) throw new Error('the child ends')
      const before = engine.state.deals.size
      const outcome = await terminal.move(order)
      if (engine.state.deals.size === before) return outcome
      executed.set(order.reference, (executed.get(order.reference) ?? 0) + 1)
      if (chance >= 0.37 && chance < 0.4) return { is: 'refused', code: '10019' }
      if (outcome.is === 'done' && next() < 0.3) hidden.set(outcome.id, now() + next() * LATEST)
      if (chance < 0.37) return { is: 'unclear', why: 'lost' }
      if (chance < 0.43) throw new Error('the child ends')
      return outcome
    },
  })
  return {
    wrap,
    executed,
    /** Ends the server right before a sending or right after it, now and then. */
    interrupt: async <T>(act: () => Promise<T>): Promise<T> => {
      const chance = isQuiet ? 1 : next()
      if (chance < 0.08) throw new Killed()
      const done = await act()
      if (chance < 0.2) throw new Killed()
      return done
    },
    begin: (seed: number) => {
      next = createDice(seed).next
      isQuiet = false
      return next
    },
    quiet: () => {
      isQuiet = true
    },
  }
}

type Row = Record<string, string>
type World = Awaited<ReturnType<typeof createWorld>>

/** Makes a firm with accounts at a terminal that money is moved on, and an adversary between. */
async function createWorld() {
  const app = createTestApp({ config: NEAR })
  const firm = await app.firm('alpha')
  const enter = makeHouses(app.clock, () => () => {})
  const { engine } = enter(ADDRESS)
  const adversary = createAdversary(engine, app.clock.now)
  const inner = driveHouses(enter)
  testDrivers.set('terminal5', {
    ...inner,
    connect: (address) => adversary.wrap(inner.connect({ ...address, address: ADDRESS })),
  })
  moneyPlan.send = (...parts) => adversary.interrupt(() => sendMoney(...parts))
  const trading = await connectTrading(app, firm, { address: 'https://simulator:1', trust: 'public' })
  await trading.read()
  const logins = Array.from({ length: LOGINS }, () => makeLogin(engine, { leverage: 100 }).login)
  await trading.read(MINUTE)
  const ends = []
  for (const login of logins) {
    const { traderId, ...end } = await linkClient(app, firm, login, firm.as.owner)
    await postMoney(app, firm, traderId, { USD: [10_000_000n] })
    ends.push(end)
  }
  await trading.switchOn()
  await trading.read(MINUTE)
  return { app, firm, engine, adversary, trading, ends }
}

const get = async ({ app, firm }: World, path: string): Promise<Row[]> =>
  (await app.call('GET', path, { as: firm.as.admin })).body.data
const listOpen = async (world: World): Promise<Row[]> =>
  (await get(world, '/v1/platforms/instructions?limit=50')).filter(({ state }) =>
    ['queued', 'sending', 'unclear', 'unresolved'].includes(state ?? ''),
  )
/** Returns the deals of a terminal under a reference. */
const listDeals = ({ engine }: World, reference: string) =>
  [...engine.state.deals.values()].filter(({ comment }) => comment === reference)

async function go({ trading }: World, after: number): Promise<void> {
  try {
    await trading.instruct(after)
  } catch (error) {
    if (!(error instanceof Killed)) throw error
  }
}

/** Asks for transfers, in either direction. */
async function ask({ app, firm, ends }: World, random: () => number): Promise<string[]> {
  const ids: string[] = []
  for (let count = 1 + Math.floor(random() * 3); count > 0; count -= 1) {
    const end = ends[Math.floor(random() * ends.length)]
    if (end === undefined) continue
    const amount = (1 + Math.floor(random() * 5000) / 100).toFixed(2)
    const isIn = random() < 0.65
    const ways = isIn
      ? { fromWalletId: end.walletId, toAccountId: end.accountId }
      : { fromAccountId: end.accountId, toWalletId: end.walletId }
    const as = isIn ? firm.as.operator : firm.as.manager
    const { status, body } = await app.call('POST', '/v1/transfers', { as, body: { ...ways, amount } })
    if (status === 201) ids.push(body.id)
  }
  return ids
}

/** A dealer at the terminal books by hand what a client asks about, or something else. */
async function meddle(world: World, random: () => number): Promise<void> {
  const [row] = await listOpen(world)
  const chance = random()
  if (row?.login === undefined || chance > 0.1) return
  const login = Number(row.login)
  const comment = chance < 0.06 ? (row.reference ?? '') : 'for a contest'
  if (row.amount?.startsWith('-')) return
  ACTS.manualDeposit(world.engine, { login, amount: chance < 0.04 ? (row.amount ?? '1') : '1.23', comment })
}

/** A colleague looks into the terminal and says what they see of what nobody knows. */
async function decide(world: World): Promise<void> {
  const { app, firm } = world
  for (const { state, transferId, reference = '', amount } of await listOpen(world)) {
    expect(state).toBe('unresolved')
    const deal = listDeals(world, reference).find(({ profit }) => (profit / 100).toFixed(2) === amount)
    const body = deal ? { state: 'booked', reference: String(deal.id) } : { state: 'refused', reason: 'not there' }
    const said = await app.call('POST', `/v1/transfers/${transferId}/acknowledge`, { as: firm.as.admin, body })
    expect([said.status, said.body.code]).toEqual([200, undefined])
  }
}

async function check(world: World, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const [row] = await get(world, `/v1/transfers?q=${id}`)
    const { reference = '', state } = row ?? {}
    expect(world.adversary.executed.get(reference) ?? 0).toBeLessThanOrEqual(1)
    const isIn = row?.kind === 'wallet_to_account'
    const asked = Math.round(Number(row?.fromAmount) * 100) * (isIn ? 1 : -1)
    const there = listDeals(world, reference).filter(({ profit }) => profit === asked)
    if (state === 'refused' && there.length > 0) {
      // only a dealer did that, and the owners are told
      expect(world.adversary.executed.get(reference)).toBeUndefined()
      const told = await get(world, '/v1/platforms/findings?kind=booked_after_refusal&limit=200')
      expect(told.map(({ subject }) => subject)).toContain(String(there[0]?.id))
    } else expect([reference, state]).toEqual([reference, there.length > 0 ? 'booked' : 'refused'])
    const numbers = there.map(({ id: number }) => String(number))
    if (state === 'booked') expect(numbers).toContain(row?.platformReference ?? '')
  }
}

async function play(world: World, seed: number): Promise<void> {
  const random = world.adversary.begin(seed)
  const ids = await ask(world, random)
  for (let steps = 2 + Math.floor(random() * 4); steps > 0; steps -= 1) {
    await go(world, Math.floor(random() * 40 * SECOND))
    if (random() < 0.5) await meddle(world, random)
    if (random() < 0.3) await world.trading.read(Math.floor(random() * 20 * SECOND))
  }
  world.adversary.quiet()
  await world.trading.read(2 * MINUTE)
  for (const pause of [SECOND, ...LOOKS, ...LOOKS]) {
    if ((await listOpen(world)).every(({ state }) => state === 'unresolved')) break
    await go(world, pause + SECOND)
  }
  await world.trading.read(MINUTE)
  await decide(world)
  await check(world, ids)
}

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(async () => {
  testDrivers.delete('terminal5')
  moneyPlan.send = sendMoney
  await world.app.close()
})

test(
  `whatever is lost between, each transfer is booked once or not at all, as the terminal has it (${SCRIPTS} scripts)`,
  async () => {
    for (let seed = FIRST; seed < FIRST + SCRIPTS; seed += 1)
      try {
        await play(world, seed)
      } catch (error) {
        throw new Error(`script ${seed}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
      }
    const held = world.app.platform.reader.all<{ held: number }>('SELECT sum(held) AS held FROM wallets', [])
    expect(held).toEqual([{ held: 0 }])
    const sums = world.app.platform.reader.all<{ sum: number }>('SELECT sum(amount) AS sum FROM ledger_entries', [])
    expect(sums).toEqual([{ sum: 0 }])
  },
  SCRIPTS * 1000 + 60_000,
)
