import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Value } from '@sinclair/typebox/value'
import { TerminalFault } from '../contract/fault.ts'
import { Deal, Hello, OpenPosition, State, type TerminalAddress } from '../contract/terminal.ts'
import { MANAGER_LOGIN, MANAGER_PASSWORD } from './simulator.defaults.ts'
import { makeSimulatorDriver, simulatorDriver } from './simulator.driver.ts'

const START = Date.UTC(2026, 10, 23, 8)
const directory = mkdtempSync(join(tmpdir(), 'simulator-driver-'))
afterAll(() => rmSync(directory, { recursive: true }))

const makeAddress = (query: string, change: Partial<TerminalAddress> = {}): TerminalAddress => ({
  address: `https://simulator?${query}`,
  trust: 'public',
  certificate: null,
  login: String(MANAGER_LOGIN),
  password: MANAGER_PASSWORD,
  masks: ['real*'],
  requestsPerSecond: 5,
  allowedNetworks: [],
  clock: [],
  ...change,
})

/** Makes a driver whose servers trade when a test says so. */
function makeDriver() {
  const ticks = new Set<() => void>()
  const driver = makeSimulatorDriver({ now: () => START, sleep: () => Promise.resolve() }, (run) => {
    ticks.add(run)
    return () => void ticks.delete(run)
  })
  const live = (times: number): void => {
    for (let count = 0; count < times; count += 1) for (const run of ticks) run()
  }
  return { driver, live, ticks }
}

async function gather<T>(pieces: AsyncIterable<T[]>, most: number): Promise<T[]> {
  const all: T[] = []
  for await (const piece of pieces) {
    expect(piece.length).toBeLessThanOrEqual(most)
    all.push(...piece)
  }
  return all
}

test('everything it tells has the shapes of the contract, and it trades while somebody is connected', async () => {
  const { driver, live, ticks } = makeDriver()
  const terminal = driver.connect(makeAddress('accounts=40&positions=60&deals=900'))
  const hello = await terminal.hello()
  expect(Value.Check(Hello, hello)).toBe(true)
  expect(hello.rights).toContain('money')
  live(2000)
  const logins = await terminal.logins()
  const [states, deals, positions] = [
    await gather(terminal.states('all'), 250),
    await gather(terminal.deals({ logins: 'all', from: 0, to: START }), 100),
    await gather(terminal.positions('all'), 250),
  ]
  expect(states.map(({ login }) => login)).toEqual(logins)
  expect(states.filter((state) => !Value.Check(State, state))).toEqual([])
  expect(deals.filter((deal) => !Value.Check(Deal, deal))).toEqual([])
  expect(positions.filter((position) => !Value.Check(OpenPosition, position))).toEqual([])
  expect(deals.length).toBeGreaterThan(1500)
  const ids = deals.slice(0, 3).map(({ id }) => id)
  expect((await gather(terminal.deals({ ids }), 100)).map(({ id }) => id)).toEqual(ids)
  await terminal.quit()
  expect(ticks.size).toBe(0)
})

test('money, logins and changes', async () => {
  const terminal = makeDriver().driver.connect(makeAddress('accounts=2&deals=2&positions=0'))
  const main = { group: 'real\\hedging-usd', leverage: 100, name: 'Ben Berg', main: 'Abcd-1234', investor: 'Efgh-5678' }
  const opened = await terminal.open({ ...main, reference: 'BB-000000000001' })
  if (opened.is !== 'done') throw new Error('it was not opened')
  const login = opened.id
  expect(await terminal.findOpened({ group: main.group, reference: 'BB-000000000001' })).toBe(login)
  const booked = await terminal.move({ login, amount: '100.00', reference: 'BB-000000000002' })
  const found = await terminal.find({ login, reference: 'BB-000000000002', since: 0 })
  expect(found.map(({ profit, kind }) => [profit, kind])).toEqual([['100.00', 'balance']])
  expect(booked).toEqual({ is: 'done', id: found[0]?.id ?? '' })
  expect(await terminal.move({ login, amount: '-100.01', reference: 'BB-000000000003' })).toEqual({
    is: 'refused',
    code: '10019',
  })
  await terminal.set(login, { trading: false })
  await terminal.set(login, { leverage: 30 })
  expect(await terminal.set(login, { group: 'real\\hedging-eur' })).toEqual({ is: 'refused', code: '3010' })
  const [state] = await gather(terminal.states([login]), 250)
  expect(state).toMatchObject({ mayTrade: false, maySignIn: true, leverage: 30, balance: '100.00' })
  expect((await terminal.people([login]))[0]?.name).toBe('Ben Berg')
  await terminal.quit()
})

test('a wrong password is told apart, and nothing is booked with it', async () => {
  const { driver } = makeDriver()
  const terminal = driver.connect(makeAddress('', { password: 'other' }))
  const fault = await terminal.hello().catch((error: unknown) => error)
  expect(fault instanceof TerminalFault && fault.code).toBe('wrong_account')
  const order = { login: '500001', amount: '1.00', reference: 'BB-000000000004' }
  expect(await terminal.move(order)).toEqual({ is: 'not_sent', why: 'wrong_account' })
})

test('a server with a file goes on where it was, and no other kind of file may be named', async () => {
  const query = `accounts=2&deals=2&positions=0&state=${join(directory, 'desk.simulator')}`
  const first = makeDriver().driver.connect(makeAddress(query))
  const [login = ''] = await first.logins()
  const booked = await first.move({ login, amount: '7.00', reference: 'BB-000000000005' })
  // the first program ends without a word
  const second = makeDriver().driver.connect(makeAddress(query))
  const [found] = await second.find({ login, reference: 'BB-000000000005', since: 0 })
  expect(booked).toEqual({ is: 'done', id: found?.id ?? '' })
  const { driver } = makeDriver()
  expect(() => driver.connect(makeAddress(`state=${join(directory, 'brokerbase.db')}`))).toThrow(TerminalFault)
})

test('the driver of this program has a name and no certificate', async () => {
  expect(simulatorDriver.name).toBe('simulator')
  expect((await simulatorDriver.presented(makeAddress(''))).issuer).toBe('simulator')
})
