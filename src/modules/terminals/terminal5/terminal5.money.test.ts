import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { HOUR, SECOND, systemClock } from '../../../platform/clock.ts'
import {
  makeCertificate,
  placeStandIn,
  type StandIn,
  startStandIn,
  writeAnswer,
} from '../../../testing/terminal5-stand-in.ts'
import type { Outcome, Terminal } from '../contract/terminal.ts'
import { drivers } from '../drivers.ts'
import { systemEnvironment } from './terminal5.environment.ts'
import { PATHS } from './terminal5.paths.ts'
import { createTerminal5 } from './terminal5.ts'

const PASSWORD = 'Password1'
const NOW = Date.UTC(2026, 6, 1, 12)
const ORDER = { login: '500123', amount: '-125.50', reference: 'BB-7Q4X8R3T6W5Y' }
let certificate: ReturnType<typeof makeCertificate>
let stand: StandIn
let terminal: Terminal
beforeAll(() => {
  certificate = makeCertificate(['localhost'], systemClock.now())
})
beforeEach(async () => {
  stand = await startStandIn(PASSWORD, certificate)
  terminal = createTerminal5({ ...systemEnvironment, now: () => NOW }).connect(placeStandIn(stand, PASSWORD))
})
afterEach(async () => {
  await terminal.quit()
  stand.close()
})

const done = (answer?: unknown): object => ({ retcode: '0 Done', answer })

test('nothing is called that archives, deletes, restarts or edits, nor the check of a balance', () => {
  expect(Object.values(PATHS).toSorted()).toEqual([
    '/api/auth/answer',
    '/api/auth/start',
    '/api/common/get',
    '/api/deal/get_batch',
    '/api/group/get',
    '/api/manager/get',
    '/api/position/get_batch',
    '/api/position/get_total',
    '/api/quit',
    '/api/test/access',
    '/api/time/server',
    '/api/trade/balance',
    '/api/user/account/get_batch',
    '/api/user/add',
    '/api/user/archive/get_batch',
    '/api/user/change_password',
    '/api/user/check_password',
    '/api/user/get_batch',
    '/api/user/logins',
    '/api/user/update',
  ])
})

test('the driver is found by its name', () => {
  expect(drivers.get('terminal5')?.traits).toEqual({ closes: 'deals', money: 'look-up', clock: 'local', stream: false })
})

describe('money', () => {
  test('is booked as it was ordered: a balance, with the check of margin, by POST', async () => {
    stand.on(PATHS.balance, () => done({ Ticket: '9104417' }))
    expect(await terminal.move(ORDER)).toEqual({ is: 'done', id: '9104417' })
    const [asked] = stand.to(PATHS.balance)
    expect(asked?.method).toBe('POST')
    expect(asked?.query).toEqual({
      login: '500123',
      type: '2',
      balance: '-125.50',
      comment: 'BB-7Q4X8R3T6W5Y',
      check_margin: '1',
    })
  })

  const outcomes: [string, object | string, Outcome['is']][] = [
    ['done without a number', done(), 'unclear'],
    ['done with a number that is none', done({ Ticket: '1e5' }), 'unclear'],
    ['done with the number zero', done({ Ticket: '0' }), 'unclear'],
    ['the success of the other interface', { retcode: '10009 Done', answer: { ticket: 7 } }, 'done'],
    ['nothing returned', { retcode: '1 OK' }, 'unclear'],
    ...['3', '8', '13', '4005', '10019'].map((code): [string, object, 'refused'] => [
      code,
      { retcode: code },
      'refused',
    ]),
    ...['2', '4', '5', '6', '7', '9', '10', '11', '12', '14', '15', '16', '17'].map(
      (code): [string, object, 'unclear'] => [code, { retcode: `${code} X` }, 'unclear'],
    ),
    ...['1001', '3006', '4006', '10024', '12001', '12003', '99999'].map((code): [string, object, 'unclear'] => [
      code,
      { retcode: `${code} X` },
      'unclear',
    ]),
    ['403', writeAnswer('', '403 Forbidden'), 'unclear'],
    ['502', writeAnswer('<html>', '502 Bad Gateway'), 'unclear'],
    ['an empty answer', writeAnswer(''), 'unclear'],
    ['half an answer', writeAnswer('{"retcode":"0 Done","answer":{"Tic'), 'unclear'],
    ['a refusal by somebody else', writeAnswer('{"retcode":"8 No right"}', '400 Bad Request'), 'unclear'],
  ]
  test.each(outcomes)('answered with %s', async (_what, answer, is) => {
    stand.on(PATHS.balance, () => answer)
    const outcome = await terminal.move(ORDER)
    expect(outcome.is).toBe(is)
    expect(JSON.stringify(outcome)).not.toContain('125.50')
    expect(stand.to(PATHS.balance)).toHaveLength(1)
  })

  test('whose answer was cut is unclear, and one that had no session was not sent', async () => {
    stand.on(PATHS.balance, ({ socket }) => void socket.destroy())
    expect((await terminal.move(ORDER)).is).toBe('unclear')
    stand.on(PATHS.start, () => ({ retcode: '1012 Address not allowed' }))
    expect(await terminal.move(ORDER)).toMatchObject({ is: 'not_sent' })
    stand.close()
    expect((await terminal.move(ORDER)).is).toBe('not_sent')
    expect(stand.to(PATHS.balance)).toHaveLength(1)
  })

  test('is sent in the form that was checked only', async () => {
    for (const wrong of [{ amount: '1e5' }, { amount: '+1' }, { login: '0' }, { login: '1,2' }, { reference: 'a=b' }])
      expect(await terminal.move({ ...ORDER, ...wrong })).toEqual({ is: 'refused', code: 'bad_request' })
    expect(stand.asked).toEqual([])
  })

  test('two at once go one after another', async () => {
    let ticket = 0
    stand.on(PATHS.balance, () => {
      ticket += 1
      return done({ Ticket: String(ticket) })
    })
    const both = await Promise.all([terminal.move(ORDER), terminal.move({ ...ORDER, reference: 'BB-2' })])
    expect(both).toEqual([
      { is: 'done', id: '1' },
      { is: 'done', id: '2' },
    ])
    expect(stand.connections()).toBe(1)
  })

  test('is found by a new session by how its comment begins', async () => {
    const deal = {
      Login: '500123',
      Action: '2',
      Time: String(NOW / SECOND),
      Storage: '0',
      Commission: '0',
      Profit: '1',
    }
    stand.on(PATHS.balance, ({ socket }) => void socket.destroy())
    stand.on(PATHS.deals, () =>
      done([
        { ...deal, Deal: '1', Comment: ORDER.reference },
        { ...deal, Deal: '2', Comment: `${ORDER.reference} [gw]` },
        { ...deal, Deal: '3', Comment: 'by hand' },
        { ...deal, Deal: '4', Comment: ORDER.reference, Login: '9' },
      ]),
    )
    await terminal.move(ORDER)
    const found = await terminal.find({ login: ORDER.login, reference: ORDER.reference, since: NOW - HOUR })
    expect(found.map(({ id }) => id)).toEqual(['1', '2'])
    await terminal.find({ login: ORDER.login, reference: ORDER.reference, since: NOW - HOUR })
    expect(stand.to(PATHS.start)).toHaveLength(3)
    // two hours for a clock that was put back, and the two of the terminal's own
    expect(stand.to(PATHS.deals)[0]?.query.from).toBe(String((NOW - HOUR) / SECOND))
  })
})

describe('a login', () => {
  const NEW = {
    group: 'real\\usd',
    leverage: 100,
    name: 'Ada M. Lovelace',
    reference: 'BB-OPEN',
    main: 'Main#2026xyzAbc1',
    investor: 'Inve#2026xyzAbc1',
  }

  test('is opened once, with its passwords in the body', async () => {
    stand.on(PATHS.add, ({ body }) => done({ ...body, Login: '500200' }))
    expect(await terminal.open(NEW)).toEqual({ is: 'done', id: '500200' })
    const [asked] = stand.to(PATHS.add)
    expect(asked?.query).toEqual({})
    expect(asked?.body).toEqual({
      Group: 'real\\usd',
      Name: 'Ada M. Lovelace',
      FirstName: 'Ada M.',
      LastName: 'Lovelace',
      Leverage: '100',
      Rights: '483',
      PassMain: NEW.main,
      PassInvestor: NEW.investor,
      Comment: 'BB-OPEN',
    })
    for (const code of [3002, 3003, 3004, 3006, 3007, 3019, 8, 3]) {
      stand.on(PATHS.add, () => ({ retcode: `${code} No` }))
      expect(await terminal.open(NEW)).toEqual({ is: 'refused', code: String(code) })
    }
    stand.on(PATHS.add, ({ socket }) => void socket.destroy())
    const lost = await terminal.open(NEW)
    expect(lost.is).toBe('unclear')
    expect(JSON.stringify(lost)).not.toContain(NEW.main)
  })

  test('whose answer was lost is found by its comment', async () => {
    stand.on(PATHS.users, () =>
      done([
        { Login: '1', Comment: 'x' },
        { Login: '500200', Comment: 'BB-OPEN' },
      ]),
    )
    expect(await terminal.findOpened(NEW)).toBe('500200')
    expect(await terminal.findOpened({ ...NEW, reference: 'BB-OTHER' })).toBeNull()
    expect(stand.to(PATHS.users)[0]?.query).toEqual({ group: 'real\\usd' })
  })

  describe('that is changed', () => {
    let user: Record<string, string>
    let ignored: string[]
    beforeEach(() => {
      ignored = []
      user = { Login: '5', Group: 'real\\usd', Leverage: '100', Rights: '66019', Comment: '' }
      stand.on(PATHS.users, () => done([user]))
      stand.on(PATHS.update, ({ body }) => {
        for (const [name, value] of Object.entries(body))
          if (!ignored.includes(name) && typeof value === 'string') user[name] = value
        return done(user)
      })
    })

    test('gets one value and keeps the others', async () => {
      expect(await terminal.set('5', { leverage: 200 })).toEqual({ is: 'done', id: '5' })
      expect(await terminal.set('5', { group: 'real\\eur' })).toEqual({ is: 'done', id: '5' })
      expect(user).toMatchObject({ Leverage: '200', Group: 'real\\eur', Rights: '66019' })
      expect(stand.to(PATHS.update).map(({ body }) => body)).toEqual([
        { Login: '5', Leverage: '200' },
        { Login: '5', Group: 'real\\eur' },
      ])
    })

    test('gets single bits of its rights', async () => {
      for (const [change, rights] of [
        [{ trading: false }, 66_019 + 4],
        [{ signIn: false }, 66_019 + 4 - 1],
        [{ trading: true }, 66_019 - 1],
        [{ signIn: true }, 66_019],
      ] as const) {
        expect(await terminal.set('5', change)).toEqual({ is: 'done', id: '5' })
        expect(user.Rights).toBe(String(rights))
      }
    })

    test('in a way that the terminal ignores is not', async () => {
      ignored = ['Leverage', 'Rights']
      expect(await terminal.set('5', { leverage: 200 })).toEqual({ is: 'refused', code: 'not_applied' })
      expect(await terminal.set('5', { trading: false })).toEqual({ is: 'refused', code: 'not_applied' })
      stand.on(PATHS.update, () => ({ retcode: '3010 Other currency' }))
      expect(await terminal.set('5', { group: 'x' })).toEqual({ is: 'refused', code: '3010' })
      stand.on(PATHS.users, () => ({ retcode: '13 Not found' }))
      expect(await terminal.set('5', { leverage: 1 })).toEqual({ is: 'refused', code: 'no_login' })
      stand.on(PATHS.users, () => ({ retcode: '8 No right' }))
      expect((await terminal.set('5', { leverage: 1 })).is).toBe('not_sent')
    })

    test('by an instruction that was cut is unclear', async () => {
      stand.on(PATHS.update, ({ socket }) => void socket.destroy())
      expect((await terminal.set('5', { leverage: 200 })).is).toBe('unclear')
      expect(stand.to(PATHS.update)).toHaveLength(1)
    })

    test('gets a password in the body, which is checked', async () => {
      let kept = ''
      stand.on(PATHS.password, ({ body }) => {
        kept = String(body.Password)
        return done()
      })
      stand.on(PATHS.checkPassword, ({ body }) => (body.Password === kept ? done() : { retcode: '3006 Wrong' }))
      const change = { password: 'investor', value: 'New#2026xyzAbcd1' } as const
      expect(await terminal.set('5', change)).toEqual({ is: 'done', id: '5' })
      stand.on(PATHS.password, () => done())
      kept = ''
      expect(await terminal.set('5', change)).toEqual({ is: 'refused', code: 'not_applied' })
      stand.on(PATHS.password, () => ({ retcode: '3006 Too simple' }))
      expect(await terminal.set('5', change)).toEqual({ is: 'refused', code: '3006' })
      expect(stand.asked.filter(({ query }) => JSON.stringify(query).includes('2026'))).toEqual([])
    })
  })
})

test('reading and money have a connection each, which quitting ends', async () => {
  stand.on(PATHS.logins, () => done(['1']))
  stand.on(PATHS.balance, () => done({ Ticket: '1' }))
  await Promise.all([terminal.logins(), terminal.move(ORDER)])
  expect(stand.connections()).toBe(2)
  await terminal.quit()
  expect(stand.to(PATHS.quit)).toHaveLength(2)
  expect((await terminal.move(ORDER)).is).toBe('not_sent')
})
