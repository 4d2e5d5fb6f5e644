import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { X509Certificate } from 'node:crypto'
import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { DAY, HOUR, MINUTE, SECOND, systemClock } from '../../../platform/clock.ts'
import { TerminalFault } from '../contract/fault.ts'
import { Deal, OpenPosition, State, type Terminal, type TerminalAddress } from '../contract/terminal.ts'
import { ACTS } from '../simulator/simulator.acts.ts'
import { MANAGER_LOGIN, MANAGER_PASSWORD } from '../simulator/simulator.defaults.ts'
import type { Effect } from '../simulator/simulator.faults.ts'
import { type Identity, makeIdentity, type TerminalServer } from '../simulator/simulator.server.ts'
import type { Manager } from '../simulator/simulator.state.ts'
import { createSimulator, type Simulator } from '../simulator/simulator.ts'
import { systemEnvironment } from './terminal5.environment.ts'
import { PATHS, type Path } from './terminal5.paths.ts'
import { createTerminal5 } from './terminal5.ts'

const START = Date.UTC(2026, 10, 23, 8)
const REFERENCE = 'BB-7Q4X8R3T6W5Y'
const HEDGING = 'real\\hedging-usd'

let identity: Identity
let now: number
let simulator: Simulator
let server: TerminalServer
let terminals: Terminal[]
beforeAll(() => {
  identity = makeIdentity(['localhost'], systemClock.now())
})
beforeEach(() => start())
afterEach(() => stop())

async function start(more: Partial<Parameters<typeof createSimulator>[0]> = {}): Promise<void> {
  now = START
  terminals = []
  const time = {
    now: () => now,
    sleep: async (ms: number) => {
      now += ms
    },
  }
  simulator = createSimulator({ time, seed: 7, ...more })
  server = await simulator.listen({ port: 0, identity })
}
async function stop(): Promise<void> {
  await Promise.all(terminals.map((terminal) => terminal.quit()))
  await server.stop()
}

const readFingerprint = ({ cert }: Identity): string => new X509Certificate(cert).fingerprint256
const place = (): TerminalAddress => ({
  address: `https://localhost:${server.port}`,
  trust: 'pinned',
  certificate: readFingerprint(identity),
  login: String(MANAGER_LOGIN),
  password: MANAGER_PASSWORD,
  masks: ['real*'],
  requestsPerSecond: 1_000_000,
  allowedNetworks: ['127.0.0.0/8'],
  clock: [{ from: 0, minutes: 120 }],
})
const open = (more: Partial<TerminalAddress> = {}, maxBytes = systemEnvironment.limits.maxBytes): Terminal => {
  const env = { ...systemEnvironment, now: () => now, limits: { ...systemEnvironment.limits, maxBytes } }
  const terminal = createTerminal5(env).connect({ ...place(), ...more })
  terminals.push(terminal)
  return terminal
}
const gather = async <T>(pieces: AsyncIterable<T[]>): Promise<T[]> => {
  const all: T[] = []
  for await (const piece of pieces) all.push(...piece)
  return all
}
const codeIn = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
  } catch (error) {
    if (error instanceof TerminalFault) return error.code
    throw error
  }
  return 'answered'
}
const findManager = (): Manager => {
  const manager = simulator.engine.state.managers.get(MANAGER_LOGIN)
  if (manager === undefined) throw new Error('there is no manager')
  return manager
}
const calls = (path: Path) => simulator.journal.entries().filter((entry) => entry.path === path)
const fail = (path: Path, effect: Effect, times = 1): void => simulator.faults.add({ path, effect, times })
const addLogin = (group = HEDGING): string =>
  String(
    ACTS.addAccount(simulator.engine, {
      group,
      name: 'Ada Abel',
      leverage: 100,
      main: 'Main-pass1',
      investor: 'Invest-pass1',
    }).login,
  )
const everything = { logins: 'all', from: START - 400 * DAY, to: START + DAY } as const

describe('signing in', () => {
  test.each(['Password1', 'Pä55-wörd€'])('proves %s, which no journal has', async (password) => {
    findManager().password = password
    expect(await open({ password }).logins()).toEqual([])
    expect(JSON.stringify(simulator.journal.entries())).not.toContain(password)
    expect(await codeIn(open({ password: `${password}x` }).logins())).toBe('wrong_account')
  })

  test('at a server that cannot prove itself sends nothing more', async () => {
    fail(PATHS.prove, { do: 'proof' })
    expect(await codeIn(open().logins())).toBe('wrong_proof')
    expect(simulator.journal.entries().map(({ path }) => path)).toEqual([PATHS.start, PATHS.prove])
  })

  test('that takes too long fails, and is made anew', async () => {
    fail(PATHS.start, { do: 'slow', when: 'after', ms: 11 * SECOND })
    const terminal = open()
    expect(await codeIn(terminal.logins())).toBe('refused_session')
    expect(await terminal.logins()).toEqual([])
  })

  test.each([
    [1001, 'wrong_account'],
    [1002, 'account_disabled'],
    [1011, 'no_manager'],
    [1012, 'address_not_allowed'],
    [1018, 'busy'],
    [1026, 'password_must_change'],
    [1027, 'one_time_password'],
  ])('refused with %i is not repeated', async (code, fault) => {
    findManager().refusal = code
    expect(await codeIn(open().logins())).toBe(fault)
    expect(calls(PATHS.start)).toHaveLength(1)
  })

  test('is tried once a call while everything is refused, and works again by itself', async () => {
    const terminal = open()
    simulator.conditions.maintenance = 403
    for (let call = 1; call <= 5; call += 1) {
      expect(await codeIn(terminal.logins())).toBe('refused_session')
      expect(calls(PATHS.start)).toHaveLength(call)
    }
    simulator.conditions.maintenance = null
    expect(await terminal.logins()).toEqual([])
  })

  test('under another certificate is refused until that one is pinned', async () => {
    const terminal = open()
    await terminal.logins()
    const renewed = makeIdentity(['localhost'], systemClock.now())
    server.present(renewed)
    server.drop()
    expect(await codeIn(terminal.logins())).toBe('certificate_changed')
    expect(await open({ certificate: readFingerprint(renewed) }).logins()).toEqual([])
    const shown = await createTerminal5().presented(place())
    expect(shown.fingerprint).toBe(readFingerprint(renewed).replaceAll(':', '').toLowerCase())
  })
})

test('hello shows the server', async () => {
  now += 500
  expect(await open({ clock: [] }).hello()).toMatchObject({
    build: '4885',
    offsetMinutes: 120,
    skewMs: 0,
    rights: ['connect', 'accounts', 'trades', 'money', 'change', 'personal', 'technical'],
  })
  simulator.engine.state.skew = 3 * MINUTE
  expect((await open().hello()).skewMs).toBe(3 * MINUTE)
})

describe('reading', () => {
  /** Compares all that is read with what the server knows. */
  async function compare(terminal: Terminal): Promise<void> {
    const { accounts, deals, positions } = simulator.engine.state
    expect((await terminal.logins()).toSorted()).toEqual([...accounts.keys()].map(String).toSorted())
    const states = await gather(terminal.states('all'))
    expect(states.length).toBe(accounts.size)
    const read = await gather(terminal.deals(everything))
    expect(read.map(({ id }) => Number(id)).toSorted((a, b) => a - b)).toEqual([...deals.keys()])
    const wrong = read.filter(({ id, at, lots }) => {
      const deal = deals.get(Number(id))
      return deal?.at !== at || Math.round(Number(lots) * 1e8) !== deal.lots
    })
    expect(wrong).toEqual([])
    const shown = await gather(terminal.positions('all'))
    const isBad = (schema: TSchema, rows: unknown[]): boolean => !rows.every((row) => Value.Check(schema, row))
    expect([isBad(State, states), isBad(Deal, read), isBad(OpenPosition, shown)]).toEqual([false, false, false])
    expect(shown.map(({ ticket }) => Number(ticket)).toSorted((a, b) => a - b)).toEqual(
      [...positions.values()].map(({ ticket }) => ticket).toSorted((a, b) => a - b),
    )
  }

  test('gives all that the server has, in one answer each or in many', async () => {
    await stop()
    await start({ wanted: { accounts: 300, positions: 500, deals: 5000 } })
    await compare(open())
    await compare(open({}, 128 * 1024))
  }, 60_000)

  test('that is cut, refused or spoiled on its way ends with the truth', async () => {
    await stop()
    await start({ wanted: { accounts: 20, positions: 30, deals: 300 } })
    const terminal = open()
    fail(PATHS.deals, { do: 'cut', when: 'body', bytes: 5000 })
    fail(PATHS.positions, { do: 'status', status: 403, executed: false })
    fail(PATHS.users, { do: 'cut', when: 'headers' })
    fail(PATHS.logins, { do: 'length', by: 10 })
    await compare(terminal)
    for (const effect of [
      { do: 'truncate' },
      { do: 'empty', executed: true },
      { do: 'status', status: 502, executed: false, html: true },
      { do: 'twice' },
      { do: 'garbage', text: '<html></html>', executed: true },
    ] satisfies Effect[]) {
      fail(PATHS.deals, effect)
      expect(await codeIn(gather(terminal.deals(everything)))).toMatch(/^(not_an_answer|lost|answered)$/)
      await compare(terminal)
    }
  })

  test('is the same from each way of writing', async () => {
    await stop()
    await start({ wanted: { accounts: 10, positions: 20, deals: 100 } })
    const readAll = async () => {
      const terminal = open()
      const deals = await gather(terminal.deals(everything))
      return [
        await gather(terminal.states('all')),
        deals.map((deal) => ({ ...deal, spread: null, fee: '0' })),
        await gather(terminal.positions('all')),
      ]
    }
    const plain = await readAll()
    for (const variant of [{ unquoted: true }, { capitalTotal: true }, { old: true }, { extra: true }]) {
      Object.assign(simulator.conditions, { unquoted: false, capitalTotal: false, old: false, extra: false }, variant)
      expect(await readAll()).toEqual(plain)
    }
  })

  test('has no equity after a restart, and the balance all the same', async () => {
    const login = addLogin()
    ACTS.manualDeposit(simulator.engine, { login: Number(login), amount: '100.00' })
    const read = async () => (await gather(open().states([login])))[0]
    expect(await read()).toMatchObject({ balance: '100.00', equity: '100.00' })
    ACTS.restart(simulator.engine)
    expect(await read()).toMatchObject({ balance: '100.00', equity: null, marginFree: null })
  })

  test('of a position that was turned has its ticket, and of its deals what they closed', async () => {
    const login = addLogin('real\\netting-usd')
    ACTS.manualDeposit(simulator.engine, { login: Number(login), amount: '90000' })
    const order = { login: Number(login), symbol: 'EURUSD.m!' }
    const [first] = ACTS.open(simulator.engine, { ...order, side: 'long', lots: '1.00', price: '1.08400' })
    now += HOUR
    ACTS.reverse(simulator.engine, { position: first?.position ?? 0, lots: '3.00' })
    const terminal = open()
    const deals = await gather(terminal.deals({ logins: [login], from: START - DAY, to: now }))
    expect(deals.map(({ kind, entry, side, lots, lotsClosed }) => [kind, entry, side, lots, lotsClosed])).toEqual([
      ['balance', null, null, '0', null],
      ['trade', 'in', 'long', '1', null],
      ['trade', 'turn', 'short', '4', '1'],
    ])
    const [position] = await gather(terminal.positions([login]))
    expect(position).toMatchObject({ ticket: deals[2]?.order, symbol: 'EURUSD.m!', side: 'short', lots: '3' })
    expect(deals[2]?.position).toBe(deals[1]?.order ?? '')
    const byNumber = await gather(terminal.deals({ ids: ['1', ...deals.map(({ id }) => id)] }))
    expect(byNumber).toEqual(deals)
  })

  test('finds who is in the archive', async () => {
    const [kept, gone] = [addLogin(), addLogin()]
    ACTS.archive(simulator.engine, { login: Number(gone) })
    const terminal = open()
    expect(await terminal.archived([kept, gone])).toEqual([gone])
    expect((await gather(terminal.states([kept, gone]))).map(({ login }) => login)).toEqual([kept])
    expect((await terminal.people([kept]))[0]).toMatchObject({ login: kept, name: 'Ada Abel' })
  })
})

describe('money', () => {
  let login: string
  let order: { login: string; amount: string; reference: string }
  beforeEach(() => {
    login = addLogin()
    order = { login, amount: '100.00', reference: REFERENCE }
  })
  const executed = (): number => calls(PATHS.balance).filter((entry) => entry.executed).length
  const find = (terminal: Terminal) => terminal.find({ login, reference: REFERENCE, since: now - HOUR })

  test('is booked with the number of its deal', async () => {
    const terminal = open()
    const outcome = await terminal.move(order)
    const [deal] = await find(terminal)
    expect(outcome).toEqual({ is: 'done', id: deal?.id ?? '' })
    expect(deal).toMatchObject({ login, kind: 'balance', profit: '100.00', comment: REFERENCE })
    expect(await terminal.move({ ...order, amount: '-100.01' })).toEqual({ is: 'refused', code: '10019' })
    expect(await terminal.move({ ...order, amount: '1000000000.01' })).toEqual({ is: 'refused', code: '4005' })
    expect(await terminal.move({ ...order, login: '4' })).toEqual({ is: 'refused', code: '13' })
  })

  test.each<[string, Effect, number]>([
    ['cut after it was done', { do: 'cut', when: 'after' }, 1],
    ['cut before it was done', { do: 'cut', when: 'before' }, 0],
    ['cut in its headers', { do: 'cut', when: 'headers' }, 1],
    ['cut in its body', { do: 'cut', when: 'body', bytes: 10 }, 1],
    ['refused after it was done', { do: 'status', status: 403, executed: true }, 1],
    ['refused before it was done', { do: 'status', status: 403, executed: false }, 0],
    ['a page', { do: 'status', status: 502, executed: true, html: true }, 1],
    ['empty', { do: 'empty', executed: true }, 1],
    ['half', { do: 'truncate' }, 1],
    ['of another length', { do: 'length', by: 5 }, 1],
    ['too frequent', { do: 'retcode', code: 12, executed: false }, 0],
    ['a failure after it was done', { do: 'retcode', code: 2, executed: true }, 1],
  ])('whose answer is %s is never sent again', async (_what, effect, times) => {
    const terminal = open()
    fail(PATHS.balance, effect)
    expect((await terminal.move(order)).is).toBe('unclear')
    expect((await find(terminal)).length).toBe(times)
    expect(executed()).toBe(times)
    expect(calls(PATHS.balance)).toHaveLength(1)
  })

  test('that is shown late is found later', async () => {
    simulator.conditions.commitDelayMs = 90 * SECOND
    fail(PATHS.balance, { do: 'cut', when: 'after' })
    const terminal = open()
    await terminal.move(order)
    expect(await find(terminal)).toEqual([])
    now += 90 * SECOND
    expect(await find(terminal)).toHaveLength(1)
  })

  test('is found by how its comment begins, and by that alone', async () => {
    simulator.conditions.commentSuffix = ' [gw]'
    const terminal = open()
    const outcome = await terminal.move(order)
    ACTS.manualDeposit(simulator.engine, { login: Number(login), amount: '100.00', comment: 'by hand' })
    const found = await find(terminal)
    expect(found.map(({ id }) => id)).toEqual(outcome.is === 'done' ? [outcome.id] : [])
  })

  test('is not sent by a login without the right, and says so', async () => {
    findManager().rights = findManager().rights.filter((right) => right !== 24)
    expect(await open().move(order)).toEqual({ is: 'refused', code: '8' })
    findManager().refusal = 1002
    expect((await open().move(order)).is).toBe('not_sent')
    expect(executed()).toBe(0)
  })
})

describe('a login', () => {
  const NEW = {
    group: HEDGING,
    leverage: 200,
    name: 'Ada Lovelace',
    reference: REFERENCE,
    main: 'Main#2026xyzAbc1',
    investor: 'Inve#2026xyzAbc1',
  }

  test('is opened once, and found by its comment after a lost answer', async () => {
    const terminal = open()
    fail(PATHS.add, { do: 'cut', when: 'after' })
    expect((await terminal.open(NEW)).is).toBe('unclear')
    const login = await terminal.findOpened(NEW)
    expect(simulator.engine.state.accounts.size).toBe(1)
    expect(simulator.engine.state.accounts.has(Number(login))).toBe(true)
    expect((await gather(terminal.states([login ?? ''])))[0]).toMatchObject({
      comment: REFERENCE,
      leverage: 200,
      mayTrade: true,
      maySignIn: true,
    })
    expect(await terminal.open({ ...NEW, login: login ?? '' })).toEqual({ is: 'refused', code: '3004' })
    expect(JSON.stringify(simulator.journal.entries())).not.toContain('2026xyz')
  })

  test('is changed, value by value', async () => {
    const login = addLogin()
    const terminal = open()
    for (const change of [
      { leverage: 30 },
      { trading: false },
      { signIn: false },
      { password: 'main', value: 'Main#2027xyzAbc1' },
      { password: 'investor', value: 'Inve#2027xyzAbc1' },
    ] as const)
      expect(await terminal.set(login, change)).toEqual({ is: 'done', id: login })
    const account = simulator.engine.state.accounts.get(Number(login))
    expect(account).toMatchObject({ leverage: 30, main: 'Main#2027xyzAbc1', investor: 'Inve#2027xyzAbc1' })
    expect((await gather(terminal.states([login])))[0]).toMatchObject({ mayTrade: false, maySignIn: false })
    expect(await terminal.set(login, { group: 'real\\hedging-eur' })).toEqual({ is: 'refused', code: '3010' })
  })
})
