import { wallets } from '../../modules/books/wallets/wallets.table.ts'
import { terminalConnections } from '../../modules/terminals/connections/connections.table.ts'
import { sealContext } from '../../modules/terminals/connections/terminal-address.ts'
import { TerminalFault } from '../../modules/terminals/contract/fault.ts'
import type { Driver, Outcome, Terminal } from '../../modules/terminals/contract/terminal.ts'
import { readTerminals } from '../../modules/terminals/reading/reading.jobs.ts'
import { instructTerminals } from '../../modules/terminals/sending/instruct.jobs.ts'
import { ACTS } from '../../modules/terminals/simulator/simulator.acts.ts'
import { MANAGER_LOGIN, MANAGER_PASSWORD } from '../../modules/terminals/simulator/simulator.defaults.ts'
import { driveHouses, simulatorDriver } from '../../modules/terminals/simulator/simulator.driver.ts'
import { makeHouses } from '../../modules/terminals/simulator/simulator.house.ts'
import type { Engine } from '../../modules/terminals/simulator/simulator.state.ts'
import { type Clock, MINUTE } from '../../platform/clock.ts'
import { speakToTerminalsHere, testDrivers } from '../terminals-here.ts'
import { call, type World } from './world.ts'

/** The password that honest people entered; only the desk of the honest address may hear it. */
const HONEST_PASSWORD = 'Honest-pass1'
export const SERVER = 'Sim-Live'
/** What every connection of a walk says beside its place. */
export const SETTINGS = {
  driver: 'terminal5',
  platform: 'terminal5',
  trust: 'public',
  login: '1001',
  groups: [{ mask: 'real\\*', type: 'live' }],
} as const
const BOOKS = 'https://simulator?accounts=0&positions=0&deals=0'

/** How a trading server answers an order of money: as it is, as if it was lost, or by hiding what it did. */
type Mood = 'plain' | 'loses' | 'hides'
/** A trading server of a walk, whose mood and books its owner changes at will. */
export type Desk = { engine: Engine; mood: Mood; connect: Driver['connect'] }

/** The trading servers of a walk: that of honest people and one of the insider, with the same logins. */
export type Trading = {
  /** Whether the insider is an owner, who may enter connections. */
  isOwners: boolean
  honest: Desk
  crooked: Desk
  crookedAddress: string
  /** The honest connection first, then those that the insider entered. */
  connections: string[]
  /** The accounts of an accomplice and of an honest client there, with their logins. */
  accounts: { id: string; traderId: string; login: number }[]
  /** Money that a colleague brought home, in the belief of what was said of it. */
  broughtHome: { traderId: string; amount: string }[]
  /** Withdrawals of that money. */
  asked: string[]
}

const desks = new Map<string, Desk>()

/** Speaks to the trading servers of all walks within this process. */
export function speakToDesks(): void {
  testDrivers.set('terminal5', {
    ...simulatorDriver,
    connect: (place) => {
      const desk = desks.get(place.address)
      if (desk === undefined) throw new TerminalFault('lost', {})
      return desk.connect(place)
    },
  })
  speakToTerminalsHere()
}

const isHidden = ({ mood }: Desk, comment: string): boolean => mood === 'hides' && comment.startsWith('BB-')

const wrap = (desk: Desk, terminal: Terminal): Terminal => ({
  ...terminal,
  async *deals(query) {
    for await (const piece of terminal.deals(query)) yield piece.filter(({ comment }) => !isHidden(desk, comment))
  },
  find: async (order) => (await terminal.find(order)).filter(({ comment }) => !isHidden(desk, comment)),
  move: async (order): Promise<Outcome> => {
    if (desk.mood === 'loses') return { is: 'unclear', why: 'lost' }
    const outcome = await terminal.move(order)
    return desk.mood === 'hides' ? { is: 'unclear', why: 'lost' } : outcome
  },
})

/** Makes a trading server at an address. `hear` is told each password that is sent there. */
function makeDesk(clock: Clock, address: string, hear: (password: string) => void): Desk {
  const enter = makeHouses(clock, () => () => {})
  const inner = driveHouses(enter)
  const desk: Desk = {
    engine: enter(BOOKS).engine,
    mood: 'plain',
    connect: (place) => {
      hear(place.password)
      const known = { login: String(MANAGER_LOGIN), password: MANAGER_PASSWORD }
      return wrap(desk, inner.connect({ ...place, ...known, address: BOOKS }))
    },
  }
  desks.set(address, desk)
  return desk
}

/** Lets time pass: trading servers are read, and carry out what they are asked for. */
export async function passTime({ app }: World, after: number): Promise<void> {
  app.clock.advance(after)
  for (const job of [readTerminals, instructTerminals])
    await job.run({ platform: app.platform, signal: new AbortController().signal })
}

const listAddresses = ({ firm }: World) => ({
  honest: `https://${firm.slug}-honest.test:443`,
  crooked: `https://${firm.slug}-crooked.test:443`,
})

/** Enters the connection to the honest trading server, confirmed by a colleague who is not the insider. */
async function enterConnection(world: World, id: string): Promise<void> {
  const { ctx, staff, firm } = world
  const { owner, admin, platform_admin } = firm.as
  await ctx.write('insider.connect', (tx) => {
    // what comes home needs a wallet, and the accomplice has none yet
    tx.insert(wallets, { traderId: world.accomplices.at(-1) ?? '', currency: 'EUR' })
    return tx.insert(terminalConnections, {
      ...SETTINGS,
      id,
      name: 'Honest',
      server: SERVER,
      address: listAddresses(world).honest,
      password: ctx.secrets.seal(HONEST_PASSWORD, sealContext(ctx.tenantId, id)),
      groups: [...SETTINGS.groups],
      since: tx.now,
      money: true,
      readEvery: { deals: 5, positions: 60, accounts: 30, prices: 300 },
      requestsPerSecond: 50,
      enteredBy: [owner.id],
      enteredAt: tx.now,
      confirmedBy: staff.some((mask) => mask.id === admin.id) ? platform_admin.id : admin.id,
      confirmedAt: tx.now,
    })
  })
}

/** Connects the firm of a walk to a trading server by two honest people, who let money move there. */
export async function connectDesks(world: World, isOwners: boolean): Promise<void> {
  const { app, firm } = world
  const addresses = listAddresses(world)
  const honest = makeDesk(app.clock, addresses.honest, () => {})
  const crooked = makeDesk(app.clock, addresses.crooked, (password) => {
    if (password === HONEST_PASSWORD) world.broken = 'the stored password was sent to a server of the insider'
  })
  const id = app.platform.ids.next('trm')
  await enterConnection(world, id)
  const none = { accounts: [], broughtHome: [], asked: [] }
  const trading: Trading = {
    ...none,
    isOwners,
    honest,
    crooked,
    crookedAddress: addresses.crooked,
    connections: [id],
  }
  world.trading = trading
  const passwords = { main: 'Main-pass1', investor: 'In-pass12' }
  const person = { group: 'real\\hedging-eur', name: 'Test Trader', leverage: 100, ...passwords }
  const logins = [1, 2].map(() => {
    ACTS.addAccount(crooked.engine, person)
    return ACTS.addAccount(honest.engine, person).login
  })
  await passTime(world, 1)
  for (const [index, traderId] of [world.accomplices.at(-1), world.honest[0]].entries()) {
    const login = logins[index]
    if (traderId === undefined || login === undefined) continue
    const place = { platform: SETTINGS.platform, server: SERVER, accountNumber: String(login), currency: 'EUR' }
    const { body, text } = await call(world, firm.as.owner, 'POST', '/v1/accounts', { traderId, ...place })
    if (body.id === undefined) throw new Error(text)
    world.accounts.push({ id: body.id, traderId })
    trading.accounts.push({ id: body.id, traderId, login })
  }
  await passTime(world, MINUTE)
}

/** Ends the connections of a walk, so that later walks do not read them. */
export async function leaveDesks(world: World): Promise<void> {
  const { ctx, trading } = world
  if (trading === null) return
  await ctx.write('insider.leave', (tx) => {
    for (const { id } of tx.list(terminalConnections, {})) tx.update(terminalConnections, id, { paused: true })
    return null
  })
  for (const address of Object.values(listAddresses(world))) desks.delete(address)
}
