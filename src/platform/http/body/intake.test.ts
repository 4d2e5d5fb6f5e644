import { afterEach, describe, expect, jest, spyOn, test } from 'bun:test'
import { createTestApp, type TestApp } from '../../../testing/app.ts'
import { rawRequest } from '../../../testing/raw-http.ts'
import { turn, until } from '../../../testing/until.ts'
import { Problem } from '../../problem.ts'
import { createIntake, type Reading } from './intake.ts'

const KIB = 1024
const share = { network: 32 * KIB, total: 64 * KIB }
const buildIntake = () => createIntake({ public: share, callback: share, trader: share, upload: share, staff: share })
const reading = (network: string, origin: Partial<Reading> = {}): Reading => ({
  maxBytes: 20 * KIB,
  tooLarge: () => new Problem(413, 'too_large', 'x'),
  sender: 'public',
  network,
  holder: [network],
  ...origin,
})

/** Makes a body that arrives on command. */
function slowBody(bytes: number) {
  const go = Promise.withResolvers<void>()
  let sent = 0
  let cancelled = false
  let stalled = false
  const stream = new ReadableStream<Uint8Array>({
    pull: async (to) => {
      if (sent >= bytes) {
        stalled = true
        await go.promise
        return to.close()
      }
      sent += KIB
      to.enqueue(new Uint8Array(KIB))
    },
    cancel: () => {
      cancelled = true
    },
  })
  return {
    request: new Request('http://localhost/', { method: 'POST', body: stream }),
    finish: go.resolve,
    sent: () => sent,
    cancelled: () => cancelled,
    stalled: () => stalled,
  }
}
const outcome = (reading: Promise<Uint8Array>) =>
  reading.then(
    (bytes) => bytes.byteLength,
    (error: unknown) => (error instanceof Problem ? error.code : String(error)),
  )

describe('an arriving body', () => {
  afterEach(() => void jest.useRealTimers())

  test('a body is not read beyond its limit, whatever still comes', async () => {
    const intake = buildIntake()
    const body = slowBody(1000 * KIB)
    expect(await outcome(intake.read(body.request, reading('a')))).toBe('too_large')
    expect(body.sent()).toBeLessThan(30 * KIB)
    expect([body.cancelled(), intake.held()]).toEqual([true, 0])
  })

  test('a body is refused by its declared length before a byte is read', async () => {
    const body = slowBody(1)
    body.request.headers.set('content-length', String(21 * KIB))
    expect(await outcome(buildIntake().read(body.request, reading('a')))).toBe('too_large')
  })

  /** Starts reading a body of which this many bytes arrive at once; `finish` sends its end. */
  const startIn = (intake: ReturnType<typeof buildIntake>) => async (bytes: number, as: Reading) => {
    const body = slowBody(bytes)
    const started = { ...body, done: outcome(intake.read(body.request, as)) }
    let isOver = false
    void started.done.finally(() => {
      isOver = true
    })
    await until('the bytes are there, or are refused', () => body.stalled() || isOver)
    await turn()
    return started
  }

  test('a body counts for its network and for all networks until it was read', async () => {
    const intake = buildIntake()
    const start = startIn(intake)
    const first = [await start(16 * KIB, reading('a')), await start(16 * KIB, reading('a'))]
    expect(intake.held()).toBe(32 * KIB)
    expect(await (await start(16 * KIB, reading('a'))).done).toBe('too_many_bytes')
    const second = [await start(16 * KIB, reading('b')), await start(16 * KIB, reading('b'))]
    // two networks have all bytes; a third may have as much, and the one with more gives way
    const third = await start(16 * KIB, reading('c'))
    expect(await first[0]?.done).toBe('busy')
    for (const { finish } of [...first, ...second, third]) finish()
    expect(await Promise.all([...second, third].map(({ done }) => done))).toEqual(Array(3).fill(16 * KIB))
    expect(await first[1]?.done).toBe(16 * KIB)
    expect(intake.held()).toBe(0)
  })

  test('in a full share the owner of most bytes gives way, by firm first and then inside the firm', async () => {
    const intake = buildIntake()
    const start = startIn(intake)
    const of = (firm: string, caller: string, network: string) =>
      reading(network, { sender: 'staff', holder: [firm, caller] })
    const greedy = [
      await start(16 * KIB, of('beta', 'key', 'a')),
      await start(16 * KIB, of('beta', 'key', 'a')),
      await start(16 * KIB, of('beta', 'key', 'b')),
    ]
    const colleague = await start(12 * KIB, of('beta', 'user', 'b'))
    const others = [await start(16 * KIB, of('alpha', 'user', 'c')), await start(4 * KIB, of('alpha', 'user', 'd'))]
    expect(await greedy[0]?.done).toBe('busy')
    // the greedy firm has 44 KiB left, the most of all, so what it sends now takes nothing from other firms
    expect(await (await start(16 * KIB, of('beta', 'key', 'e'))).done).toBe('busy')
    for (const { finish } of [...greedy, colleague, ...others]) finish()
    expect(await Promise.all([...greedy.slice(1), colleague, ...others].map(({ done }) => done))).toEqual(
      [16, 16, 12, 16, 4].map((size) => size * KIB),
    )
    expect(intake.held()).toBe(0)
  })

  test('a body in chunks of one byte is read in few pieces', async () => {
    const intake = buildIntake()
    const server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: async (request) => new Response(`${(await intake.read(request, reading('a'))).byteLength} bytes`),
    })
    const read = spyOn(ReadableStreamDefaultReader.prototype, 'read')
    const lines = ['POST / HTTP/1.1', 'Host: localhost', 'Transfer-Encoding: chunked']
    const said = await rawRequest(String(server.url), lines, `${'1\r\nx\r\n'.repeat(15_000)}0\r\n\r\n`)
    expect(said).toContain('15000 bytes')
    expect(read.mock.calls.length).toBeLessThan(1000)
    read.mockRestore()
    await server.stop(true)
  })

  test('a body counts once it is announced, and gives way to one that arrives', async () => {
    const intake = buildIntake()
    const announced = ['a', 'b', 'c', 'd'].map((network) => {
      const body = slowBody(0)
      body.request.headers.set('content-length', String(16 * KIB))
      return { ...body, done: outcome(intake.read(body.request, reading(network))) }
    })
    expect(intake.held()).toBe(64 * KIB)
    const small = new Request('http://localhost/', { method: 'POST', body: '{}', headers: { 'content-length': '2' } })
    expect(await outcome(intake.read(small, reading('e')))).toBe(2)
    expect(await announced[0]?.done).toBe('busy')
    for (const { finish } of announced) finish()
    await Promise.all(announced.map(({ done }) => done))
    expect(intake.held()).toBe(0)
  })

  test('the newest body of one sender gives way, unless an older one has stalled', async () => {
    jest.useFakeTimers()
    const intake = buildIntake()
    const start = startIn(intake)
    const silent = await start(16 * KIB, reading('a'))
    const other = await start(16 * KIB, reading('a'))
    expect(await (await start(16 * KIB, reading('a'))).done).toBe('too_many_bytes')
    jest.advanceTimersByTime(8000)
    const later = await start(16 * KIB, reading('a'))
    expect(await silent.done).toBe('too_many_bytes')
    for (const { finish } of [silent, other, later]) finish()
    expect(await Promise.all([other.done, later.done])).toEqual([16 * KIB, 16 * KIB])
  })

  test('the owner of most bytes never displaces the body of a sender on a slow line', async () => {
    jest.useFakeTimers()
    const intake = buildIntake()
    const start = startIn(intake)
    const of = (caller: string, network: string) => reading(network, { sender: 'staff', holder: ['alpha', caller] })
    const slow = await start(8 * KIB, of('clerk', 'a'))
    jest.advanceTimersByTime(8000)
    const greedy = [
      await start(16 * KIB, of('key', 'b')),
      await start(16 * KIB, of('key', 'b')),
      await start(16 * KIB, of('key', 'c')),
    ]
    expect(await (await start(16 * KIB, of('key', 'c'))).done).toBe('busy')
    for (const { finish } of [slow, ...greedy]) finish()
    expect(await slow.done).toBe(8 * KIB)
  })
})

describe('a body over HTTP', () => {
  let app: TestApp
  afterEach(() => app.close())
  const json = { 'content-type': 'application/json' }

  test('a stranger may send a body of 64 KiB and a signed-in caller one of a megabyte; the refusal says so', async () => {
    app = createTestApp()
    const firm = await app.firm('alpha')
    const raw = (bytes: number) => JSON.stringify({ email: 'a'.repeat(bytes) })
    const stranger = await app.call('POST', '/v1/auth/forgot', { raw: raw(64 * KIB), headers: json })
    expect([stranger.status, stranger.body.code, stranger.body.detail]).toEqual([
      413,
      'too_large',
      'The body is larger than 64 KiB.',
    ])
    const as = firm.as.operator
    const headers = { ...json, ...as.headers }
    expect((await app.call('POST', '/v1/traders', { raw: raw(70 * KIB), headers })).status).toBe(422)
    const large = await app.call('POST', '/v1/traders', { raw: raw(KIB * KIB), headers })
    expect([large.status, large.body.detail]).toEqual([413, 'The body is larger than 1 MiB.'])
  })

  test('a body with too many values is refused before they are validated', async () => {
    app = createTestApp()
    const firm = await app.firm('alpha')
    const raw = `{"a":[${'[],'.repeat(100_000)}[]]}`
    const answer = await app.call('POST', '/v1/traders', { raw, headers: { ...json, ...firm.as.operator.headers } })
    expect([answer.status, answer.body.code]).toEqual([413, 'too_large'])
  })

  test('an upload is checked before a byte of its body is read', async () => {
    app = createTestApp()
    const firm = await app.firm('alpha')
    const announced = { contentType: 'image/png', fileSize: 5 }
    const { body } = await app.call('POST', '/v1/tenants/current/logo-upload', { as: firm.as.admin, body: announced })
    const put = async (url: string, headers: Record<string, string>) => {
      const stream = slowBody(1000 * KIB)
      const init = { method: 'PUT', headers: { host: 'localhost', ...headers }, body: stream.request.body }
      const { status } = await app.send(new Request(`http://localhost${url}`, init))
      return [status, stream.sent() < 10 * KIB]
    }
    const png = { 'content-type': 'image/png' }
    expect(await put('/v1/files/x?expires=1&signature=x', png)).toEqual([403, true])
    expect(await put(body.uploadUrl, { 'content-type': 'image/jpeg' })).toEqual([415, true])
    expect(await put(body.uploadUrl, { ...png, 'content-length': '6' })).toEqual([422, true])
    expect(await put(body.uploadUrl, png)).toEqual([422, true])
    app.clock.advance(16 * 60_000)
    expect(await put(body.uploadUrl, png)).toEqual([410, true])
  })

  test('a body gets at most 20 errors, short ones, however much is wrong', async () => {
    app = createTestApp()
    const firm = await app.firm('alpha')
    const wrong = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`${'k'.repeat(50)}${index}`, 1]))
    const answer = await app.call('POST', '/v1/traders', { as: firm.as.operator, body: wrong })
    expect([answer.status, answer.body.errors.length, answer.text.length < 5000]).toEqual([422, 20, true])
  })
})
