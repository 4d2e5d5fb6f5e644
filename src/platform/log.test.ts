import { describe, expect, test } from 'bun:test'
import { createLog, type LogLevel } from './log.ts'

const capture = (level: LogLevel = 'debug') => {
  const lines: string[] = []
  return { lines, log: createLog({ level, write: (line) => lines.push(line) }) }
}

const captureLine = (fields: Record<string, unknown>): string => {
  const { lines, log } = capture()
  log.info(fields, 'm')
  return lines.join('')
}

describe('log', () => {
  test('a line of the log is one JSON object with level, time, fields and message', () => {
    const { lines, log } = capture()
    log.warn({ route: '/v1/x', count: 3 }, 'slow %s')
    log.error('plain %d')
    expect(lines.length).toBe(2)
    expect(lines.every((line) => line.endsWith('}\n'))).toBe(true)
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      level: 'warn',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      route: '/v1/x',
      count: 3,
      msg: 'slow %s',
    })
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({ level: 'error', msg: 'plain %d' })
  })

  test('the log level suppresses messages below it', () => {
    const { lines, log } = capture('warn')
    log.debug('a')
    log.info({ a: 1 }, 'b')
    log.warn('c')
    expect(lines.length).toBe(1)
    const silent = capture('silent')
    silent.log.error('d')
    expect(silent.lines).toEqual([])
  })

  test.each([
    'authorization',
    'Authorization',
    'cookie',
    'Set-Cookie',
    'set-cookie',
    'x-api-key',
    'X-API-Key',
    'password',
    'secret',
    'token',
    'key',
    'apiKey',
    'api_key',
    'passwordHash',
    'clientSecret',
    'accessToken',
    'credentials',
    'refresh_token',
    'privateKey',
    'webhookSecret',
    'totp',
    'sessionToken',
    'X-Hub-Signature-256',
  ])('a field named %s is not logged, at any depth', (name) => {
    const secret = { [name]: 'hunter2' }
    const deep = { a: { b: [{ c: { d: secret } }] } }
    const nested = { headers: new Headers({ 'x-api-key': 'hunter2' }), map: new Map([[name, 'hunter2']]) }
    const line = captureLine({
      ...secret,
      one: secret,
      list: [secret, [secret]],
      deep,
      holder: { [name]: { inner: 'hunter2' } },
      ...nested,
    })
    expect(line).not.toContain('hunter2')
    expect(line).toContain('[redacted]')
    expect(() => JSON.parse(line)).not.toThrow()
  })

  test('the log keeps fields that only look like a secret', () => {
    const fields = { monkey: 'a', keyId: 'b', primaryKey: 'c', pinned: true, panel: 'd', author: 'e', password: null }
    expect(JSON.parse(captureLine(fields))).toMatchObject(fields)
  })

  test('the log removes secrets inside texts and messages', () => {
    const { lines, log } = capture()
    log.info({ url: 'https://u:hunter2@h.test/x?token=hunter2&a=b' }, 'key crm_live_abc_hunter2 and whsec_hunter2+/=')
    log.info('Authorization: Bearer hunter2.x-y')
    log.error({ err: new Error('GET /?access_token=hunter2 failed') }, 'x')
    expect(lines.join('')).not.toContain('hunter2')
    expect(lines[0]).toContain('a=b')
  })

  test('a logged error keeps type, message, code, stack and cause, and loses its other properties', () => {
    const cause = Object.assign(new Error('disk'), { code: 'EIO' })
    const error = Object.assign(new TypeError('broke', { cause }), { config: { auth: 'hunter2' }, params: ['hunter2'] })
    const line = captureLine({ err: error, other: error })
    expect(line).not.toContain('hunter2')
    const shape = { type: 'TypeError', message: 'broke', stack: expect.stringContaining('log.test.ts') }
    const whole = { ...shape, cause: { type: 'Error', message: 'disk', code: 'EIO' } }
    expect(JSON.parse(line)).toMatchObject({ err: whole, other: whole })
  })

  test('the logged error of a failed SQL statement does not show its values', () => {
    const error = new Error('Failed query: insert into t values (?, ?)\nparams: hunter2,line\nhunter2')
    const line = captureLine({ err: error })
    expect(line).not.toContain('hunter2')
    expect(JSON.parse(line).err.message).toBe('Failed query: insert into t values (?, ?)')
    expect(JSON.parse(line).err.stack).toContain('log.test.ts')
  })

  test('cycles, bigints, bytes, functions and dates are logged, although JSON cannot hold them', () => {
    const cycle: Record<string, unknown> = {
      n: 12n,
      bytes: new Uint8Array(9),
      f: () => 1,
      at: new Date(0),
      bad: new Date(Number.NaN),
    }
    cycle.self = cycle
    const parsed = JSON.parse(captureLine(cycle))
    expect(parsed).toMatchObject({ n: '12', bytes: '[9 bytes]', f: '[function]', at: '1970-01-01T00:00:00.000Z' })
  })

  test('a new line in a value does not start a new log line', () => {
    expect(captureLine({ a: 'x\n{"level":"error"}' }).trimEnd().split('\n').length).toBe(1)
  })
})
