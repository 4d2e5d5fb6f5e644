import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ACTS } from './simulator.acts.ts'
import { CHECKED_ACTS } from './simulator.checked-acts.ts'
import { tellDeal } from './simulator.contract.ts'
import { effect, getAccount, isCredit } from './simulator.engine.ts'
import { readDecimal, writeDecimal } from './simulator.numbers.ts'
import { readState, saveState } from './simulator.saved.ts'
import { Refusal } from './simulator.state.ts'
import { tellTruth } from './simulator.truth.ts'
import { createSimulator, type Simulator } from './simulator.ts'

const START = Date.UTC(2026, 10, 23, 8)
const HOUR = 3_600_000
const PASSWORDS = { main: 'Main-pass1', investor: 'Invest-pass1' }

/** Makes a server whose clock stands still until a test moves it. */
function makeServer(seed = 7) {
  let now = START
  const simulator = createSimulator({ time: { now: () => now, sleep: () => Promise.resolve() }, seed })
  const move = (ms: number): void => {
    now += ms
  }
  const { engine } = simulator
  const open = (group: string): number =>
    ACTS.addAccount(engine, { group, name: 'Ada Abel', leverage: 100, ...PASSWORDS }).login
  return { simulator, engine, move, open }
}

/** Returns the accounts whose balance or credit is not the sum of their deals. */
function findUnbooked({ engine }: Simulator): string[] {
  return [...engine.state.accounts.values()].flatMap((account) => {
    let [balance, credit] = [-account.notBooked, 0]
    for (const deal of account.deals) {
      if (isCredit(deal.action)) credit += effect(deal)
      else balance += effect(deal)
    }
    const isSame = balance === account.balance && credit === account.credit
    return isSame ? [] : [`${account.login}: ${balance} and ${account.balance}`]
  })
}

/** Returns accounts whose open lots are not what their trades leave. */
function findUnfolded({ engine }: Simulator): string[] {
  return [...engine.state.accounts.values()].flatMap((account) => {
    const open = new Map<number, number>()
    for (const { action, position, lots } of account.deals)
      if (action <= 1) open.set(position, (open.get(position) ?? 0) + (action === 0 ? lots : -lots))
    const left = [...open].filter(([, lots]) => lots !== 0)
    const kept = [...account.positions.values()].map(({ id, side, lots }) => [id, side === 0 ? lots : -lots])
    const isSame = Bun.deepEquals(Object.fromEntries(left), Object.fromEntries(kept))
    return isSame ? [] : [String(account.login)]
  })
}

function refusalCode(run: () => unknown): number | null {
  try {
    run()
    return null
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

const GROUPS = ['real\\hedging-usd', 'real\\netting-usd', 'real\\netting-jpy', 'real\\hedging-btc']

test('a balance is the sum of its deals, and positions what trades leave, after thousands of random steps', () => {
  const { simulator, engine, move, open } = makeServer()
  for (const group of GROUPS) {
    ACTS.manualDeposit(engine, { login: open(group), amount: '50000' })
    open(group)
  }
  for (let step = 0; step < 5000; step += 1) {
    move(1000)
    simulator.step()
  }
  expect(findUnbooked(simulator)).toEqual([])
  expect(findUnfolded(simulator)).toEqual([])
  const deals = [...engine.state.deals.values()]
  expect(new Set(deals.filter(({ action }) => action <= 1).map(({ entry }) => entry))).toEqual(new Set([0, 1, 2, 3]))
})

test('the same seed invents the same, and a past has as much of everything as is asked for', () => {
  const wanted = { accounts: 30, positions: 50, deals: 701 }
  const time = { now: () => START, sleep: () => Promise.resolve() }
  const one = createSimulator({ time, seed: 5, wanted })
  expect(tellTruth(one.engine, null)).toEqual(tellTruth(createSimulator({ time, seed: 5, wanted }).engine, null))
  const { accounts, positions, deals } = one.engine.state
  expect([accounts.size, positions.size, deals.size]).toEqual([30, 50, 701])
  expect(findUnbooked(one)).toEqual([])
})

test('netting adds, reduces and turns one position, whose number stays while its ticket changes', () => {
  const { engine, move, open } = makeServer()
  const login = open('real\\netting-usd')
  const trade = (side: 'long' | 'short', lots: string, price: string) => {
    move(HOUR)
    return ACTS.open(engine, { login, symbol: 'EURUSD', side, lots, price })
  }
  const deals = [
    ...trade('long', '1.00', '1.08000'),
    ...trade('long', '3.00', '1.08040'),
    ...trade('short', '2.00', '1.08045'),
    ...trade('short', '5.00', '1.08026'),
  ].map((deal) => tellDeal(engine, getAccount(engine, login), deal))
  expect(deals.map(({ entry, lotsClosed, profit, commission }) => [entry, lotsClosed, profit, commission])).toEqual([
    ['in', null, '0.00', '-2.00'],
    ['in', null, '0.00', '-6.00'],
    ['out', null, '30.00', '-4.00'],
    ['turn', '2.00000000', '-8.00', '-10.00'],
  ])
  expect(new Set(deals.map(({ position }) => position)).size).toBe(1)
  const [position] = tellTruth(engine, login)[0]?.positions ?? []
  expect(position).toMatchObject({ side: 'short', lots: '3.00000000', ticket: Number(deals[3]?.order) })
  expect(String(position?.position)).toBe(deals[0]?.order ?? '')
})

describe('hedging', () => {
  test('fills of one order are one position, and parts are closed of it', () => {
    const { engine, open } = makeServer()
    const login = open('real\\hedging-usd')
    const fills = ACTS.open(engine, {
      login,
      symbol: 'XAUUSD',
      side: 'long',
      lots: '0.6',
      fills: ['0.1', '0.2', '0.3'],
    })
    expect(new Set(fills.map(({ position }) => position)).size).toBe(1)
    const position = fills[0]?.position ?? 0
    ACTS.add(engine, { position, lots: '0.4' })
    ACTS.partial(engine, { position, lots: '0.3' })
    expect(tellTruth(engine, login)[0]?.positions).toMatchObject([{ lots: '0.70000000', ticket: position }])
    ACTS.close(engine, { position })
    expect(tellTruth(engine, login)[0]?.positions).toEqual([])
  })

  test('two positions close one another; profit and both commissions are in the first deal', () => {
    const { simulator, engine, open } = makeServer()
    const login = open('real\\hedging-usd')
    const trade = (side: 'long' | 'short', lots: string, price: string): number =>
      ACTS.open(engine, { login, symbol: 'EURUSD', side, lots, price })[0]?.position ?? 0
    const long = trade('long', '2.00', '1.08000')
    const short = trade('short', '0.50', '1.08100')
    const [main, other] = ACTS.closeBy(engine, { position: long, other: short })
    expect([main.profit, main.commission, main.entry]).toEqual([5000, -200, 3])
    expect([other.profit, other.commission, other.entry]).toEqual([0, 0, 3])
    expect(tellTruth(engine, login)[0]?.positions).toMatchObject([{ position: long, lots: '1.50000000' }])
    expect(findUnbooked(simulator)).toEqual([])
  })

  test('a rollover and a split reopen a position under a new number and cost nothing', () => {
    const { simulator, engine, open } = makeServer()
    const login = open('real\\hedging-usd')
    const [deal] = ACTS.open(engine, { login, symbol: 'EURUSD', side: 'long', lots: '1.00' })
    ACTS.swap(engine)
    const rolled = ACTS.rollover(engine, { position: deal?.position ?? 0 })
    const [split] = ACTS.split(engine, { symbol: 'EURUSD', ratio: 2 })
    expect(new Set([deal?.position, rolled.id, split?.id]).size).toBe(3)
    const technical = getAccount(engine, login).deals.filter(({ reason }) => reason === 6 || reason === 18)
    expect(technical.map(({ entry, commission }) => [entry, commission])).toEqual([
      [1, 0],
      [0, 0],
      [1, 0],
      [0, 0],
    ])
    expect(technical[0]?.swap).toBe(-650)
    expect([findUnbooked(simulator), findUnfolded(simulator)]).toEqual([[], []])
  })
})

test('what dealers do to deals leaves a balance the sum of its deals, or says by how much it does not', () => {
  const { simulator, engine, open } = makeServer()
  const login = open('real\\hedging-usd')
  ACTS.manualDeposit(engine, { login, amount: '1000' })
  const trade = (): number => ACTS.open(engine, { login, symbol: 'EURUSD', side: 'long', lots: '1.00' })[0]?.id ?? 0
  const cancelled = ACTS.cancelDeal(engine, { deal: trade(), compensation: '-1.50' })
  expect([cancelled.action, cancelled.commission]).toEqual([13, 0])
  ACTS.deleteDeal(engine, { deal: trade() })
  ACTS.editProfit(engine, { deal: trade(), profit: '12.34' })
  ACTS.backdateDeal(engine, { deal: trade(), byMs: 10 * 24 * HOUR })
  ACTS.dealerAddLoose(engine, { login, symbol: 'EURUSD', side: 'short', lots: '1.00', price: '1.08', profit: '77' })
  expect(tellTruth(engine, login)).toMatchObject([{ balance: '1006.84', positions: [{}, {}] }])
  expect(findUnbooked(simulator)).toEqual([])
  ACTS.deleteDeal(engine, { deal: trade(), books: false })
  expect(getAccount(engine, login).notBooked).toBe(7700 + 200)
  expect(findUnbooked(simulator)).toEqual([])
})

test('a stop-out closes everything, and what is below zero is made good', () => {
  const { engine, open } = makeServer()
  const login = open('real\\hedging-usd')
  ACTS.manualDeposit(engine, { login, amount: '100' })
  ACTS.open(engine, { login, symbol: 'EURUSD', side: 'long', lots: '1.00', price: '1.08000' })
  ACTS.price(engine, { symbol: 'EURUSD', bid: '1.07000' })
  expect(ACTS.stopOut(engine, { login }).map(({ action, reason }) => [action, reason])).toEqual([
    [1, 5],
    [19, 0],
  ])
  expect(tellTruth(engine, login)).toMatchObject([{ balance: '0.00', equity: '0.00', positions: [] }])
})

test('accounts: codes of what is refused, group, archive, login given again, old demo accounts', () => {
  const { engine, move, open } = makeServer()
  const login = open('real\\hedging-usd')
  const given = { group: 'real\\hedging-usd', name: 'Ben Berg', leverage: 100, ...PASSWORDS }
  expect([
    refusalCode(() => ACTS.addAccount(engine, { ...given, group: 'none' })),
    refusalCode(() => ACTS.addAccount(engine, { ...given, rights: 4 })),
    refusalCode(() => ACTS.addAccount(engine, { ...given, main: 'weakweak' })),
    refusalCode(() => ACTS.addAccount(engine, { ...given, login })),
    refusalCode(() => ACTS.addAccount(engine, { ...given, login: 7 })),
    refusalCode(() => ACTS.moveGroup(engine, { login, group: 'real\\hedging-eur' })),
  ]).toEqual([8, 3, 3006, 3004, 3003, 3010])
  const { deals } = getAccount(engine, login)
  const booked = ACTS.manualDeposit(engine, { login, amount: '5' })
  ACTS.archive(engine, { login })
  expect([engine.state.accounts.has(login), engine.state.deals.has(booked.id), deals.length]).toEqual([false, false, 1])
  ACTS.restoreUser(engine, { login })
  expect([engine.state.archive.has(login), engine.state.deals.has(booked.id)]).toEqual([true, true])
  const before = getAccount(engine, login).registered
  move(HOUR)
  ACTS.reuseLogin(engine, { login, name: 'Cleo Castro' })
  expect(getAccount(engine, login)).toMatchObject({ registered: before + HOUR, balance: 0, deals: [] })
  const demo = open('demo\\forex')
  move(HOUR)
  expect(ACTS.cleanDemo(engine, { before: START + 2 * HOUR })).toEqual([demo])
})

test('acts from outside are checked', () => {
  const { engine, open } = makeServer()
  const login = open('real\\hedging-usd')
  expect(CHECKED_ACTS.get('manualDeposit')?.(engine, { login, amount: '5.00' })).toMatchObject({ profit: 500 })
  expect(() => CHECKED_ACTS.get('manualDeposit')?.(engine, { login, amount: 5 })).toThrow('/amount')
  expect([...CHECKED_ACTS.keys()].toSorted()).toEqual(Object.keys(ACTS).toSorted())
})

test('decimals are exact, and what is none is refused', () => {
  expect(['1', '-0.05', '12.3400', '0', '-0'].map((text) => readDecimal(text, 2))).toEqual([100, -5, 1234, 0, 0])
  const none = ['1e3', '0.001', '', '.5', '+1', 'NaN', '99999999999999999']
  expect(none.map((text) => readDecimal(text, 2))).toEqual(none.map(() => null))
  expect([writeDecimal(-5, 2), writeDecimal(0, 8), writeDecimal(7, 0)]).toEqual(['-0.05', '0.00000000', '7'])
})

describe('a state in a file', () => {
  const directory = mkdtempSync(join(tmpdir(), 'simulator-'))
  afterAll(() => rmSync(directory, { recursive: true }))

  test('a server goes on from it as if nothing had been', () => {
    const time = { now: () => START, sleep: () => Promise.resolve() }
    const simulator = createSimulator({ time, seed: 5, wanted: { accounts: 12, positions: 20, deals: 300 } })
    const path = join(directory, 'one.simulator')
    ACTS.archive(simulator.engine, { login: ACTS.addAccount(simulator.engine, { ...NEW, ...PASSWORDS }).login })
    saveState(path, simulator.engine, { cert: 'c', key: 'k' })
    expect(statSync(path).mode & 0o077).toBe(0)
    const saved = readState(path)
    if (saved === undefined) throw new Error('nothing was saved')
    expect(saved.identity).toEqual({ cert: 'c', key: 'k' })
    const again = createSimulator({ time, saved })
    expect(again.engine.state).toEqual(simulator.engine.state)
    for (const { step } of [simulator, again]) for (let count = 0; count < 200; count += 1) step()
    expect(tellTruth(again.engine, null)).toEqual(tellTruth(simulator.engine, null))
  })

  test('a file that is something else is refused, and one that is missing is none', () => {
    const path = join(directory, 'other')
    writeFileSync(path, 'SQLite format 3')
    expect(() => readState(path)).toThrow('is no state of a simulator')
    expect(readState(join(directory, 'missing'))).toBeUndefined()
  })
})

const NEW = { group: 'real\\hedging-usd', name: 'Edda Evers', leverage: 30 }
