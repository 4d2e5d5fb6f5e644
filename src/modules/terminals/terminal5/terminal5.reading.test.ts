import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { Value } from '@sinclair/typebox/value'
import { DAY, HOUR, MINUTE, SECOND, systemClock } from '../../../platform/clock.ts'
import {
  type Asked,
  makeCertificate,
  placeStandIn,
  type StandIn,
  startStandIn,
  writeAnswer,
} from '../../../testing/terminal5-stand-in.ts'
import { TerminalFault } from '../contract/fault.ts'
import { Hello, type Terminal, type TerminalAddress } from '../contract/terminal.ts'
import { systemEnvironment } from './terminal5.environment.ts'
import { PATHS } from './terminal5.paths.ts'
import { createTerminal5 } from './terminal5.ts'

const PASSWORD = 'Password1'
const NOW = Date.UTC(2026, 6, 1, 12)
let certificate: ReturnType<typeof makeCertificate>
let stand: StandIn
let terminals: Terminal[]
beforeAll(() => {
  certificate = makeCertificate(['localhost'], systemClock.now())
})
beforeEach(async () => {
  terminals = []
  stand = await startStandIn(PASSWORD, certificate)
})
afterEach(async () => {
  await Promise.all(terminals.map((terminal) => terminal.quit()))
  stand.close()
})

const open = (more: Partial<TerminalAddress> = {}): Terminal => {
  const terminal = createTerminal5({ ...systemEnvironment, now: () => NOW }).connect({
    ...placeStandIn(stand, PASSWORD),
    masks: ['real*', '!real\\test*'],
    ...more,
  })
  terminals.push(terminal)
  return terminal
}
const gather = async <T>(pieces: AsyncIterable<T[]>): Promise<T[][]> => {
  const all: T[][] = []
  for await (const piece of pieces) all.push(piece)
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
const done = (answer: unknown): object => ({ retcode: '0 Done', answer })
const NONE = { retcode: '13 Not found' }
const PARTIAL = { retcode: '14 Partial', answer: [] }
const HUGE = `HTTP/1.1 200 OK\r\ncontent-length: ${64 * 1024 * 1024}\r\n\r\n`

const makeUser = (login: string, more: object = {}) => ({
  Login: login,
  Group: 'real\\usd',
  Rights: '483',
  Leverage: '100',
  Registration: '1700000000',
  Balance: '10.00',
  Credit: '0.00',
  Comment: '',
  ...more,
})
const makeDeal = (id: number, local: number, login = '1') => ({
  Deal: String(id),
  Login: login,
  Action: '2',
  Entry: '0',
  Time: String(Math.floor(local / SECOND)),
  Profit: '5.00',
  Storage: '0.00',
  Commission: '0.00',
  Comment: `BB-${id}`,
})
const makePosition = (ticket: number) => ({
  Position: String(ticket),
  Login: '1',
  Symbol: 'EURUSD',
  Action: '0',
  VolumeExt: '1000000',
  PriceOpen: '1.1',
  PriceCurrent: '1.1',
  Profit: '0.00',
  Storage: '0.00',
  TimeCreate: '1700000000',
})

describe('hello', () => {
  const rights = (...places: number[]) =>
    Array.from({ length: 100 }, (_, place) => (places.includes(place) ? '1' : '0'))
  const GROUP = { Group: 'real\\usd', Currency: 'USD', CurrencyDigits: '2', MarginMode: '2', AuthPasswordMin: '10' }
  const answerHello = (local: number): void => {
    stand.on(PATHS.time, () => done({ Time: `${local} 2026.07.01 15:00:00` }))
    stand.on(PATHS.common, () => done({ Build: '4300' }))
    stand.on(PATHS.manager, () => done({ Right: rights(1, 24, 25, 29, 47) }))
    stand.on(PATHS.groups, () => done(GROUP))
  }

  test('has the build, the clock, the rights and the groups', async () => {
    answerHello((NOW + 3 * HOUR) / SECOND + 7)
    const hello = await open().hello()
    expect(hello).toEqual({
      build: '4300',
      offsetMinutes: 180,
      skewMs: 7500,
      rights: ['connect', 'accounts', 'trades', 'money', 'delete'],
      groups: [{ name: 'real\\usd', currency: 'USD', digits: 2, marginMode: 'hedging', passwordLength: 10 }],
    })
    expect(Value.Check(Hello, hello)).toBe(true)
    expect(stand.to(PATHS.groups)[0]?.query).toEqual({ mask: 'real*,!real\\test*' })
    expect(stand.to(PATHS.manager)[0]?.query).toEqual({ login: '1000' })
  })

  test('says how far a wrong clock is beside a quarter, and refuses one that cannot be', async () => {
    answerHello((NOW + 2 * HOUR - 3 * MINUTE) / SECOND)
    expect(await open().hello()).toMatchObject({ offsetMinutes: 120, skewMs: -180_000 + 500 })
    answerHello((NOW + 20 * HOUR) / SECOND)
    expect(await codeIn(open().hello())).toBe('clock')
  })

  test('of a login that may not see its rights is an answer all the same', async () => {
    answerHello(NOW / SECOND)
    stand.on(PATHS.manager, () => ({ retcode: '8 Not enough permissions' }))
    stand.on(PATHS.common, () => ({ retcode: '8 Not enough permissions' }))
    expect(await open().hello()).toMatchObject({ rights: ['connect'], build: '4150', offsetMinutes: 0 })
  })
})

describe('logins', () => {
  test('are listed, and an answer without a list is not an empty one', async () => {
    stand.on(PATHS.logins, () => done(['1', 2, '3']))
    expect(await open().logins()).toEqual(['1', '2', '3'])
    stand.on(PATHS.logins, () => NONE)
    expect(await open().logins()).toEqual([])
    stand.on(PATHS.logins, () => ({ retcode: '0 Done' }))
    expect(await codeIn(open().logins())).toBe('not_an_answer')
    stand.on(PATHS.logins, () => ({ retcode: '8 No right' }))
    expect(await codeIn(open().logins())).toBe('no_right')
  })

  test('have their balance where the terminal has no trade state of them', async () => {
    stand.on(PATHS.users, () => done([makeUser('1'), makeUser('2'), makeUser('3')]))
    stand.on(PATHS.accounts, () => done([{ Login: '2', Balance: '10.00', Equity: '8.00', MarginFree: '7.00' }]))
    const [states = []] = await gather(open().states(['1', '2', '3']))
    expect(states.map(({ balance, equity, marginFree }) => [balance, equity, marginFree])).toEqual([
      ['10.00', null, null],
      ['10.00', '8.00', '7.00'],
      ['10.00', null, null],
    ])
    stand.on(PATHS.accounts, () => NONE)
    expect((await gather(open().states(['1'])))[0]?.[0]).toMatchObject({ balance: '10.00', equity: null })
  })

  test('come in pieces, and are asked for by hundreds', async () => {
    const logins = Array.from({ length: 260 }, (_, n) => String(n + 1))
    stand.on(PATHS.users, ({ query }) => done((query.login ?? '').split(',').map((login) => makeUser(login))))
    stand.on(PATHS.accounts, () => NONE)
    const pieces = await gather(open().states(logins))
    expect(pieces.map((piece) => piece.length)).toEqual([100, 100, 60])
    stand.on(PATHS.users, () => done(logins.map((login) => makeUser(login))))
    expect((await gather(open().states('all'))).map((piece) => piece.length)).toEqual([250, 10])
  })

  test('of groups whose answer is too large are asked for by group and by number, and so from then on', async () => {
    const members = Array.from({ length: 150 }, (_, n) => String(n + 1))
    stand.on(PATHS.groups, () => done([{ Group: 'real\\a' }, { Group: 'real\\b' }]))
    stand.on(PATHS.logins, () => done(members))
    stand.on(PATHS.users, ({ query }) => {
      if (query.group === 'real\\b') return done([makeUser('900')])
      return query.login === undefined ? HUGE : done(query.login.split(',').map((login) => makeUser(login)))
    })
    stand.on(PATHS.accounts, () => NONE)
    const terminal = open()
    const read = async () => (await gather(terminal.states('all'))).flat().map(({ login }) => login)
    expect(await read()).toEqual([...members, '900'])
    const before = stand.to(PATHS.users).length
    expect(await read()).toEqual([...members, '900'])
    expect(stand.to(PATHS.users).length - before).toBe(3)
  })

  test('that are archived, and whom they belong to', async () => {
    stand.on(PATHS.archived, () => done([{ Login: '2' }]))
    stand.on(PATHS.users, () =>
      done([{ Login: '1', FirstName: 'Ada', LastName: 'L.', Email: 'a@b.test', Country: 'UK' }]),
    )
    expect(await open().archived(['1', '2'])).toEqual(['2'])
    expect(await open().people(['1'])).toEqual([
      { login: '1', name: 'Ada L.', email: 'a@b.test', phone: '', country: 'UK' },
    ])
  })
})

describe('deals', () => {
  const AUTUMN = [
    { from: 0, minutes: 180 },
    { from: Date.UTC(2026, 9, 25, 1), minutes: 120 },
  ]

  /** Answers as a terminal that has these deals and no room for more than `most` in an answer. */
  const answerDeals = (deals: ReturnType<typeof makeDeal>[], most = Number.POSITIVE_INFINITY): void =>
    stand.on(PATHS.deals, ({ query }) => {
      const isIn = ({ Time }: { Time: string }): boolean =>
        Number(Time) >= Number(query.from) && Number(Time) <= Number(query.to)
      const found = deals.filter(isIn)
      return found.length > most ? PARTIAL : done(found)
    })

  test('are asked for in the local time of the terminal, a day ahead at most', async () => {
    answerDeals([])
    await gather(open().deals({ logins: ['1'], from: NOW - HOUR, to: NOW + 9 * DAY }))
    expect(stand.to(PATHS.deals)[0]?.query).toEqual({
      login: '1',
      from: String((NOW + HOUR) / SECOND),
      to: String((NOW + DAY + 2 * HOUR) / SECOND),
    })
  })

  test('are read in windows that shrink until each answer fits, none missed and none twice', async () => {
    const start = Date.UTC(2026, 0, 1)
    const deals = Array.from({ length: 1000 }, (_, n) => makeDeal(n + 1, start + n * n * 15 * SECOND + 2 * HOUR))
    answerDeals(deals, 60)
    const pieces = await gather(open().deals({ logins: 'all', from: start, to: NOW }))
    expect(pieces.flat().map(({ id }) => id)).toEqual(deals.map(({ Deal }) => Deal))
    expect(pieces.every((piece) => piece.length <= 100)).toBe(true)
    expect(pieces.flat()[0]?.at).toBe(start)
  })

  test('that are made while others are read are not missed either', async () => {
    const start = NOW - 20 * DAY
    const deals = Array.from({ length: 1000 }, (_, n) => makeDeal(n + 1, start + n * 20 * MINUTE + 2 * HOUR))
    answerDeals(deals, 300)
    const seen: string[] = []
    for await (const piece of open().deals({ logins: 'all', from: start, to: NOW + DAY })) {
      if (deals.length < 1010) deals.push(makeDeal(2000 + deals.length, NOW + 2 * HOUR))
      seen.push(...piece.map(({ id }) => id))
    }
    expect(seen.toSorted()).toEqual(deals.map(({ Deal }) => Deal).toSorted())
  })

  test('of one second that do not fit are asked for login by login', async () => {
    stand.on(PATHS.deals, ({ query }) => {
      const logins = (query.login ?? '').split(',')
      return logins.length > 1 ? HUGE : done([makeDeal(Number(logins[0]), NOW, logins[0])])
    })
    const query = { logins: ['1', '2', '3'], from: NOW, to: NOW + 1 }
    expect((await gather(open().deals(query))).flat().map(({ id }) => id)).toEqual(['1', '2', '3'])
    stand.on(PATHS.deals, () => PARTIAL)
    expect(await codeIn(gather(open().deals(query)))).toBe('too_large')
  })

  test('of the hours in which a clock changes are all asked for', async () => {
    const change = Date.UTC(2026, 9, 25, 1)
    const env = { ...systemEnvironment, now: () => change + DAY }
    const terminal = createTerminal5(env).connect({ ...placeStandIn(stand, PASSWORD), clock: AUTUMN })
    terminals.push(terminal)
    const before = makeDeal(1, change - 10 * MINUTE + 3 * HOUR)
    const after = makeDeal(2, change + 90 * MINUTE + 2 * HOUR)
    answerDeals([before, after])
    const found = (
      await gather(terminal.deals({ logins: ['1'], from: change - HOUR / 4, to: change + 2 * HOUR }))
    ).flat()
    expect(found.map(({ at }) => at)).toEqual([change - 10 * MINUTE, change + 90 * MINUTE])
    const query = stand.to(PATHS.deals)[0]?.query
    expect([query?.from, query?.to].map(Number)).toEqual([(change + 2 * HOUR) / SECOND, (change + 4 * HOUR) / SECOND])
  })

  test('are found by number, a hundred at once', async () => {
    stand.on(PATHS.deals, ({ body }) => {
      const tickets = Array.isArray(body.ticket) ? body.ticket : []
      return done(tickets.filter((ticket) => ticket !== 7).map((ticket) => makeDeal(Number(ticket), NOW)))
    })
    const ids = Array.from({ length: 150 }, (_, n) => String(n + 1))
    const pieces = await gather(open().deals({ ids }))
    expect(pieces.map((piece) => piece.length)).toEqual([99, 50])
    expect(stand.to(PATHS.deals).map(({ method }) => method)).toEqual(['POST', 'POST'])
  })

  test('are read by the clock of now where none was known', async () => {
    stand.on(PATHS.time, () => done({ Time: `${(NOW + HOUR) / SECOND} 2026.07.01 13:00:00` }))
    answerDeals([makeDeal(1, NOW)])
    const terminal = open({ clock: [] })
    const query = { logins: ['1'], from: NOW - 2 * HOUR, to: NOW }
    expect((await gather(terminal.deals(query)))[0]?.[0]?.at).toBe(NOW - HOUR)
    await gather(terminal.deals(query))
    expect(stand.to(PATHS.time)).toHaveLength(1)
  })
})

describe('positions', () => {
  const answerTotal = (total: (asked: Asked) => object): void => stand.on(PATHS.positionTotal, total)

  test('are counted before and after, and read again until the numbers agree', async () => {
    let reads = 0
    stand.on(PATHS.positions, () => {
      reads += 1
      return done(Array.from({ length: reads < 3 ? 299 : 300 }, (_, n) => makePosition(n + 1)))
    })
    answerTotal(() => done({ Total: '300' }))
    expect((await gather(open().positions('all'))).map((piece) => piece.length)).toEqual([250, 50])
    expect(reads).toBe(3)
  })

  test('that are there twice are one, and are counted as one', async () => {
    stand.on(PATHS.positions, () => done([makePosition(1), makePosition(1), makePosition(2)]))
    answerTotal(() => done({ Total: '2' }))
    expect((await gather(open().positions('all'))).flat().map(({ ticket }) => ticket)).toEqual(['1', '2'])
    answerTotal(() => done({ Total: '3' }))
    expect(await codeIn(gather(open().positions('all')))).toBe('not_an_answer')
  })

  test('whose numbers never agree are no answer', async () => {
    stand.on(PATHS.positions, () => done([makePosition(1)]))
    answerTotal(() => done({ total: 2 }))
    expect(await codeIn(gather(open().positions('all')))).toBe('not_an_answer')
    expect(stand.to(PATHS.positions)).toHaveLength(3)
    let total = 0
    answerTotal(() => {
      total += 1
      return done({ total })
    })
    expect(await codeIn(gather(open().positions(['1'])))).toBe('not_an_answer')
  })

  test('of a terminal that does not count them for groups are one whole answer', async () => {
    stand.on(PATHS.positions, () => done([makePosition(1)]))
    answerTotal(() => ({ retcode: '3 Invalid parameters' }))
    const terminal = open()
    await gather(terminal.positions('all'))
    await gather(terminal.positions('all'))
    expect(stand.to(PATHS.positionTotal)).toHaveLength(1)
    stand.on(PATHS.positions, () => ({ retcode: '14 Partial', answer: [makePosition(1)] }))
    stand.on(PATHS.groups, () => done([{ Group: 'real\\usd' }]))
    stand.on(PATHS.logins, () => done(['1']))
    expect(await codeIn(gather(terminal.positions('all')))).toBe('too_large')
  })
})

test('a reading that fails on its way throws, and another one begins anew', async () => {
  let calls = 0
  stand.on(PATHS.users, ({ query }) => {
    calls += 1
    return calls === 2
      ? writeAnswer('{"retcode":"0 Do')
      : done((query.login ?? '').split(',').map((one) => makeUser(one)))
  })
  stand.on(PATHS.accounts, () => NONE)
  const logins = Array.from({ length: 250 }, (_, n) => String(n + 1))
  const terminal = open()
  expect(await codeIn(gather(terminal.states(logins)))).toBe('not_an_answer')
  expect((await gather(terminal.states(logins))).flat()).toHaveLength(250)
})
