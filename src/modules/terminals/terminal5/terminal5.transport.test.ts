import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { systemClock } from '../../../platform/clock.ts'
import {
  createHandTimers,
  makeCertificate,
  placeStandIn,
  type StandIn,
  startStandIn,
  writeAnswer,
} from '../../../testing/terminal5-stand-in.ts'
import { until } from '../../../testing/until.ts'
import { TerminalFault } from '../contract/fault.ts'
import type { TerminalAddress } from '../contract/terminal.ts'
import { readCertificate } from './terminal5.dial.ts'
import { systemEnvironment } from './terminal5.environment.ts'
import { PATHS } from './terminal5.paths.ts'
import { createPace, createSession, type Session } from './terminal5.session.ts'

const PASSWORD = 'Pä55-wörd€'
let good: ReturnType<typeof makeCertificate>
beforeAll(() => {
  good = makeCertificate(['localhost'], systemClock.now())
})

let stand: StandIn
let sessions: Session[]
beforeEach(async () => {
  sessions = []
  stand = await startStandIn(PASSWORD, good)
})
afterEach(async () => {
  await Promise.all(sessions.map((session) => session.quit()))
  stand.close()
})

const openSession = (more: Partial<TerminalAddress> = {}, env = systemEnvironment): Session => {
  const address = { ...placeStandIn(stand, PASSWORD), ...more }
  const session = createSession(address, createPace(address.requestsPerSecond, env), env)
  sessions.push(session)
  return session
}

const faultIn = async (work: Promise<unknown>): Promise<TerminalFault> => {
  try {
    await work
  } catch (error) {
    if (error instanceof TerminalFault) return error
    throw error
  }
  throw new Error('it was answered')
}

const logins = { path: PATHS.logins }
const money = { path: PATHS.balance, query: { login: '1' } }
const done = (answer: unknown = []): object => ({ retcode: '0 Done', answer })

describe('a session', () => {
  test('many calls use one connection and one sign-in, and the password is in none of them', async () => {
    stand.on(PATHS.logins, () => done(['1']))
    const session = openSession()
    for (let call = 0; call < 50; call += 1) await session.read(logins)
    expect(stand.connections()).toBe(1)
    expect(stand.to(PATHS.start)).toHaveLength(1)
    expect(session.build()).toBe('4150')
    const sent = JSON.stringify(
      stand.asked.map(({ method, path, query, body, headers }) => [method, path, query, body, headers]),
    )
    expect(sent).not.toContain(PASSWORD)
    expect(sent).not.toContain(encodeURIComponent(PASSWORD))
  })

  test('calls made at once go one after another', async () => {
    let open = 0
    stand.on(PATHS.logins, ({ socket }) => {
      open += 1
      setImmediate(() => {
        expect(open).toBe(1)
        open -= 1
        socket.write(writeAnswer(JSON.stringify(done())))
      })
      return undefined
    })
    const session = openSession()
    await Promise.all(Array.from({ length: 20 }, () => session.read(logins)))
    expect(stand.to(PATHS.logins)).toHaveLength(20)
  })

  test('a cookie is sent back, and forgotten with its connection', async () => {
    stand.on(PATHS.logins, () => writeAnswer(JSON.stringify(done()), '200 OK', 'set-cookie: s=abc; Path=/\r\n'))
    const session = openSession()
    await session.read(logins)
    await session.read(logins)
    await session.renew()
    await session.read(logins)
    expect(stand.to(PATHS.logins).map(({ headers }) => headers.cookie)).toEqual([undefined, 's=abc', undefined])
  })

  test('a server that does not know the password is sent nothing more', async () => {
    stand.on(PATHS.prove, () => ({ retcode: '0 Done', cli_rand_answer: '0'.repeat(32) }))
    expect(await faultIn(openSession().read(logins))).toMatchObject({ code: 'wrong_proof', wasSent: false })
    expect(stand.asked.map(({ path }) => path)).toEqual([PATHS.start, PATHS.prove])
  })

  test.each([
    ['1001 Invalid account', 'wrong_account'],
    ['1002 Disabled', 'account_disabled'],
    ['1011 No manager', 'no_manager'],
    ['1012 Address', 'address_not_allowed'],
    ['1026 Change the password', 'password_must_change'],
    ['1027 One-time password', 'one_time_password'],
    ['1034 Disabled', 'api_disabled'],
  ])('a sign-in that is answered with %s is not repeated', async (retcode, code) => {
    stand.on(PATHS.start, () => ({ retcode }))
    expect(await faultIn(openSession().read(logins))).toMatchObject({ code, wasSent: false })
    expect(stand.to(PATHS.start)).toHaveLength(1)
  })

  test('a refused sign-in by HTTP is tried once, and a cut one twice', async () => {
    stand.on(PATHS.start, () => writeAnswer('', '403 Forbidden'))
    expect((await faultIn(openSession().read(logins))).code).toBe('refused_session')
    expect(stand.to(PATHS.start)).toHaveLength(1)
    stand.on(PATHS.start, ({ socket }) => void socket.destroy())
    expect((await faultIn(openSession().read(logins))).code).toBe('lost')
    expect(stand.to(PATHS.start)).toHaveLength(3)
  })

  test('a read that is refused once is made once more on a new session', async () => {
    let calls = 0
    stand.on(PATHS.logins, () => {
      calls += 1
      return calls === 1 ? writeAnswer('', '403 Forbidden') : done(['7'])
    })
    expect((await openSession().read(logins)).answer).toEqual(['7'])
    expect(stand.to(PATHS.start)).toHaveLength(2)
    expect(stand.connections()).toBe(2)
    stand.on(PATHS.logins, () => writeAnswer('', '401 Unauthorized'))
    expect((await faultIn(openSession().read(logins))).code).toBe('refused_session')
    expect(stand.to(PATHS.logins)).toHaveLength(4)
  })

  test('an instruction is never sent twice, whatever becomes of it', async () => {
    const ends: [string, (socket: { destroy(): void }) => string | undefined][] = [
      ['lost', (socket) => void socket.destroy()],
      ['refused_session', () => writeAnswer('', '403 Forbidden')],
      ['not_an_answer', () => writeAnswer('<html>', '502 Bad Gateway')],
      ['not_an_answer', () => writeAnswer('')],
      ['lost', () => writeAnswer('{"retcode":"0 Done"}').replace('20\r\n', '21\r\n')],
    ]
    for (const [code, end] of ends) {
      const before = stand.to(PATHS.balance).length
      stand.on(PATHS.balance, ({ socket }) => {
        const text = end(socket)
        if (text?.includes('length: 21')) socket.end(text)
        else return text
        return undefined
      })
      expect(await faultIn(openSession().write(money))).toMatchObject({ code, wasSent: true })
      expect(stand.to(PATHS.balance)).toHaveLength(before + 1)
    }
  })

  test('an instruction for which there is no session was not sent', async () => {
    stand.on(PATHS.start, () => ({ retcode: '1001 Invalid account' }))
    expect(await faultIn(openSession().write(money))).toMatchObject({ wasSent: false })
    expect(stand.to(PATHS.balance)).toHaveLength(0)
  })

  test('a connection that the terminal closed while it was idle costs a read nothing', async () => {
    stand.on(PATHS.logins, () => done())
    const session = openSession()
    await session.read(logins)
    stand.to(PATHS.logins)[0]?.socket.destroy()
    await session.read(logins)
    expect(stand.connections()).toBe(2)
  })

  test('an instruction after an idle connection was closed is sent once, over a new one', async () => {
    stand.on(PATHS.logins, () => done())
    stand.on(PATHS.balance, () => done({ Ticket: '1' }))
    const session = openSession()
    await session.read(logins)
    let isClosed = false
    const [{ socket } = { socket: undefined }] = stand.to(PATHS.logins)
    socket?.on('close', () => {
      isClosed = true
    })
    socket?.destroy()
    await until('the connection is closed on both sides', () => isClosed)
    const fault = await session.write(money).catch((error: unknown) => error)
    if (fault instanceof TerminalFault) expect(fault.code).toBe('lost')
    else expect(stand.connections()).toBe(2)
    expect(stand.to(PATHS.balance).length).toBeLessThanOrEqual(1)
  })

  test('ten minutes of silence are filled with pings on the same connection', async () => {
    const timers = createHandTimers(systemClock.now())
    stand.on(PATHS.logins, () => done())
    const session = openSession({}, timers.environment)
    await session.read(logins)
    for (let ping = 1; ping <= 30; ping += 1) {
      await until('the timer of the ping is set', () => timers.count() === 1)
      timers.advance(19_999)
      expect(stand.to(PATHS.ping)).toHaveLength(ping - 1)
      timers.advance(1)
      await until('it pings', () => stand.to(PATHS.ping).length === ping)
    }
    await session.read(logins)
    expect(stand.connections()).toBe(1)
    expect(stand.to(PATHS.start)).toHaveLength(1)
  })

  test('requests keep the pace that was set', async () => {
    const timers = createHandTimers(systemClock.now())
    const pace = createPace(5, timers.environment)
    let passed = 0
    const all = Promise.all(Array.from({ length: 11 }, () => pace().then(() => (passed += 1))))
    for (let second = 0; second < 10; second += 1) {
      await until('the ones that may have passed', () => passed === second + 1)
      timers.advance(200)
    }
    await all
    expect(passed).toBe(11)
  })
})

describe('time limits', () => {
  const { limits } = systemEnvironment
  test('an answer that does not begin, and one that does not end, are lost', async () => {
    const timers = createHandTimers(systemClock.now())
    stand.on(PATHS.balance, () => undefined)
    const silent = faultIn(openSession({}, timers.environment).write(money))
    await until('it was asked', () => stand.to(PATHS.balance).length === 1)
    timers.advance(limits.firstByteMs)
    expect(await silent).toMatchObject({ code: 'lost', wasSent: true, detail: { reason: 'first_byte_timeout' } })

    stand.on(PATHS.balance, () => 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"ret')
    const endless = faultIn(openSession({}, timers.environment).write(money))
    // before it was asked, the time to connect is the only limit
    const isHeard = () => stand.to(PATHS.balance).length === 2 && timers.count() === 1
    await until('only the whole time is limited still', isHeard)
    timers.advance(limits.wholeMs)
    expect(await endless).toMatchObject({ code: 'lost', wasSent: true, detail: { reason: 'timeout' } })
  })
})

describe('hostile answers', () => {
  const answers: [string, string, string, number?][] = [
    ['an answer of 64 MiB', 'too_large', `HTTP/1.1 200 OK\r\ncontent-length: ${64 * 1024 * 1024}\r\n\r\n{`],
    ['headers without end', 'not_an_answer', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(300_000)}`],
    ['neither length nor chunks', 'not_an_answer', 'HTTP/1.1 200 OK\r\n\r\n{"retcode":"0 Done"}'],
    [
      'length and chunks',
      'not_an_answer',
      'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n{}',
    ],
    ['two lengths', 'not_an_answer', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{} '],
    ['no HTTP', 'not_an_answer', 'SSH-2.0-OpenSSH\r\n\r\n'],
    ['packed', 'not_an_answer', writeAnswer('xxxx', '200 OK', 'content-encoding: gzip\r\n')],
    ['a page', 'not_an_answer', writeAnswer('<html></html>')],
    ['a redirect', 'not_an_answer', writeAnswer('', '302 Found', 'location: https://localhost/\r\n')],
    ['no text', 'not_an_answer', writeAnswer('')],
    ['half of it', 'not_an_answer', writeAnswer('{"retcode":"0 Done","answer":[{"Login":"1"')],
    [
      'deep',
      'not_an_answer',
      writeAnswer(`{"retcode":"0 Done","answer":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
    ],
    ['two codes', 'not_an_answer', writeAnswer('{"retcode":"13 No","retcode":"0 Done"}')],
    ['two answers', 'not_an_answer', writeAnswer('{"retcode":"0 Done","answer":[],"Answer":[1]}')],
    ['no code', 'not_an_answer', writeAnswer('{"answer":[]}')],
    ['a code of many digits', 'not_an_answer', writeAnswer(`{"retcode":"${'0'.repeat(1000)} Done"}`)],
    ['a list', 'not_an_answer', writeAnswer('[]')],
    [
      'no UTF-8',
      'not_an_answer',
      writeAnswer('{"retcode":"0 Done\u00ff"}').replace('content-length: 22', 'content-length: 21'),
    ],
  ]
  test.each(answers)('%s is no answer', async (_what, code, text) => {
    stand.on(PATHS.balance, ({ socket }) => {
      socket.write(Buffer.from(text, 'latin1'))
      return undefined
    })
    expect(await faultIn(openSession().write(money))).toMatchObject({ code, wasSent: true })
    expect(stand.connections()).toBe(1)
  })

  test('a body that grows beyond what may be is given up', async () => {
    stand.on(PATHS.logins, ({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
      const chunk = `${(1024 * 1024).toString(16)}\r\n${'['.repeat(1024 * 1024)}\r\n`
      const more = (): void => {
        while (!socket.destroyed && socket.write(chunk));
      }
      socket.on('drain', more)
      more()
      return undefined
    })
    const env = { ...systemEnvironment, limits: { ...systemEnvironment.limits, maxBytes: 4 * 1024 * 1024 } }
    expect((await faultIn(openSession({}, env).read(logins))).code).toBe('too_large')
  })

  test('a chunked answer is whole with its last chunk only', async () => {
    const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n14\r\n{"retcode":"0 Done"}\r\n'
    stand.on(PATHS.balance, () => `${head}0\r\n\r\n`)
    expect((await openSession().write(money)).code).toBe(0)
    stand.on(PATHS.balance, ({ socket }) => void socket.end(head))
    expect(await faultIn(openSession().write(money))).toMatchObject({ code: 'lost', wasSent: true })
  })

  test('a second answer to one request ends the connection, and is nobody’s answer', async () => {
    stand.on(PATHS.logins, () => writeAnswer(JSON.stringify(done(['1']))) + writeAnswer(JSON.stringify(done(['evil']))))
    const session = openSession()
    expect((await session.read(logins)).answer).toEqual(['1'])
    stand.on(PATHS.logins, () => done(['2']))
    expect((await session.read(logins)).answer).toEqual(['2'])
    expect(stand.connections()).toBe(2)
  })
})

describe('trust', () => {
  const isRefusedBy = async (names: string[], days: number, more: Partial<TerminalAddress>): Promise<TerminalFault> => {
    stand.close()
    stand = await startStandIn(PASSWORD, makeCertificate(names, systemClock.now(), days))
    const fault = await faultIn(
      openSession({ ...more, certificate: more.certificate ?? stand.certificate }).read(logins),
    )
    expect(stand.asked).toEqual([])
    return fault
  }

  test('an authority is trusted for its names and its time only', async () => {
    stand.on(PATHS.logins, () => done())
    await openSession({ trust: 'authority', certificate: stand.certificate }).read(logins)
    expect((await isRefusedBy(['other.test'], 30, { trust: 'authority' })).code).toBe('certificate_untrusted')
    expect((await isRefusedBy(['localhost'], 0.5, { trust: 'authority' })).code).toBe('certificate_untrusted')
    expect((await isRefusedBy(['localhost'], 30, { trust: 'public' })).code).toBe('certificate_untrusted')
    const other = makeCertificate(['localhost'], systemClock.now()).cert
    expect((await isRefusedBy(['localhost'], 30, { trust: 'authority', certificate: other })).code).toBe(
      'certificate_untrusted',
    )
  })

  test('a pinned certificate is trusted whatever its name and end, and no other one is', async () => {
    stand.close()
    stand = await startStandIn(PASSWORD, makeCertificate(['other.test'], systemClock.now(), 0.5))
    stand.on(PATHS.logins, () => done())
    await openSession().read(logins)
    const before = stand.fingerprint
    const changed = await isRefusedBy(['other.test'], 30, { certificate: before })
    expect(changed).toMatchObject({
      code: 'certificate_changed',
      wasSent: false,
      detail: { expected: before, presented: stand.fingerprint },
    })
  })

  test('a certificate is shown without anything being sent', async () => {
    const place = { ...placeStandIn(stand, ''), trust: 'public' as const, certificate: null }
    const shown = await readCertificate(place, systemEnvironment)
    expect(shown).toMatchObject({
      fingerprint: stand.fingerprint,
      names: ['localhost', 'Brokerbase, not yet certified'],
    })
    expect(shown.validTo).toBeGreaterThan(systemClock.now())
    expect(stand.asked).toEqual([])
  })

  test.each([
    ['https://localhost:1', {}, 'connection_failed'],
    ['https://localhost:1', { allowedNetworks: [] }, 'blocked_address'],
    ['http://localhost:1', {}, 'blocked_address'],
    ['https://nobody.test:1', {}, 'not_resolved'],
  ])('%s %p: %s', async (address, more, code) => {
    const env = { ...systemEnvironment, resolve: async () => [] }
    expect(await faultIn(openSession({ address, ...more }, env).write(money))).toMatchObject({ code, wasSent: false })
  })

  test('the address of a name is checked at each connection', async () => {
    let addresses = ['127.0.0.1']
    const env = { ...systemEnvironment, resolve: async () => addresses }
    stand.on(PATHS.logins, () => done())
    const session = openSession({ address: `https://terminal.test:${stand.port}` }, env)
    await session.read(logins)
    addresses = ['10.0.0.1']
    await session.renew()
    expect((await faultIn(session.read(logins))).code).toBe('blocked_address')
  })
})
