import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MANAGER_PASSWORD } from '../modules/terminals/simulator/simulator.defaults.ts'
import { MINUTE } from '../platform/clock.ts'
import { createTestApp, type Firm, type TestApp } from '../testing/app.ts'
import { linkClient } from '../testing/terminal-client.ts'
import { makeLogin, NEAR, startTradingServer, type TradingServer } from '../testing/trading-server.ts'
import { type TerminalTestFlags, testTerminalHere } from './terminal-test.ts'

let app: TestApp
let firm: Firm
let terminal: TradingServer
let root: string
let said: string

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'brokerbase-fixtures-'))
  app = createTestApp({ config: NEAR })
  firm = await app.firm('alpha')
  terminal = await startTradingServer(app, firm)
  said = ''
})
afterEach(async () => {
  await terminal.stop()
  await app.close()
  rmSync(root, { recursive: true })
})

const addLogin = (group: string): number => makeLogin(terminal.simulator.engine, { group }).login
const run = (flags: Partial<TerminalTestFlags> = {}, { name = 'Simulated', types = '' } = {}): Promise<boolean> =>
  testTerminalHere(
    app.platform.config,
    name,
    { firm: 'alpha', ...flags },
    {
      dialogue: () => ({ ask: async () => types, tell: () => {} }),
      print: (text) => {
        said += text
      },
      clock: app.clock,
    },
  )
const countDeals = () => terminal.simulator.engine.state.deals.size
const countChanges = () => app.platform.reader.get<{ n: number }>('PRAGMA data_version', [])

test('`terminal test` prints the checks of a connection by name or id, and writes nothing to the database', async () => {
  const before = countChanges()
  expect(await run()).toBe(true)
  expect(said).toContain('ok    sign_in')
  expect(said).not.toContain('FAIL')
  expect(await run({}, { name: terminal.id })).toBe(true)
  expect(countChanges()).toEqual(before)
  await expect(run({}, { name: 'Other' })).rejects.toThrow('There is no connection “Other”. There are “Simulated”')
  await expect(run({ firm: 'beta' })).rejects.toThrow('there is no firm “beta”')
  for (const manager of terminal.simulator.engine.state.managers.values()) manager.password = 'another'
  said = ''
  expect(await run()).toBe(false)
  expect(said).toContain('FAIL  sign_in')
})

test('with --move it moves money in and out on a demo login, and writes what it saw without secrets', async () => {
  const login = String(addLogin('demo\\forex'))
  const fixtures = join(root, 'seen.json')
  expect(await run({ login, move: true, fixtures }, { types: login })).toBe(true)
  const text = readFileSync(fixtures, 'utf8')
  for (const secret of [MANAGER_PASSWORD, 'Ada Abel', 'cookie', '@']) expect(text).not.toContain(secret)
  const { hello, moved } = JSON.parse(text)
  expect(hello.groups.length).toBeGreaterThan(0)
  const amounts = moved.movements.map(({ found }: { found: { profit: string }[] }) => found.map((one) => one.profit))
  expect(amounts).toEqual([['0.01'], ['-0.01']])
  expect(moved.after.balance).toBe(moved.before.balance)
  expect(moved.movements[0].byNumber).toEqual(moved.movements[0].found)
  await expect(run({ login, move: true, fixtures }, { types: login })).rejects.toThrow('is there already')
  await terminal.read()
  expect(await terminal.findings()).toEqual([])
})

test('nothing is moved on a live login, on one that is live here, or without the typed confirmation', async () => {
  const [demo, live, linked] = [addLogin('demo\\forex'), addLogin('real\\hedging-usd'), addLogin('demo\\forex')]
  await terminal.read(MINUTE)
  await linkClient(app, firm, linked)
  // it was linked before the server was connected
  await app.platform.writer.submit(() => app.platform.connection.run('UPDATE accounts SET is_demo = 0'))
  const before = countDeals()
  const move = (login: number, types = String(login)) => run({ login: String(login), move: true }, { types })
  await expect(move(demo, 'yes')).rejects.toThrow('Not confirmed')
  await expect(move(live)).rejects.toThrow('not a demo group')
  await expect(move(linked)).rejects.toThrow('is a live account here')
  await expect(move(999_999)).rejects.toThrow('has no login')
  await expect(run({ move: true })).rejects.toThrow('--move needs --login')
  await expect(run({ login: String(demo) })).rejects.toThrow('give both')
  expect(countDeals()).toBe(before)
})

test('an answer that is lost is looked up, and what is not found is never taken off again', async () => {
  const login = String(addLogin('demo\\forex'))
  const path = '/api/trade/balance'
  terminal.simulator.faults.add({ path, effect: { do: 'cut', when: 'after' }, times: 1 })
  expect(await run({ login, move: true }, { types: login })).toBe(true)
  const before = countDeals()
  terminal.simulator.faults.add({ path, effect: { do: 'cut', when: 'before' }, times: 1 })
  expect(await run({ login, move: true }, { types: login })).toBe(false)
  expect(said).toContain('not found again')
  expect(countDeals()).toBe(before)
})
