import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Running, startServer } from '../commands/serve.ts'
import { loadConfig } from '../config.ts'
import { type Caller, type Firm, foundFirm } from '../testing/app.ts'
import { type RawConnection, rawConnection } from '../testing/raw-http.ts'
import { until } from '../testing/until.ts'

/**
 * Sends bodies that are begun and never finished, over real connections from several local addresses. They keep the
 * memory that was counted for them, and no other caller may be refused because of it. src/README “Bounded work”.
 */
setDefaultTimeout(180_000)

const KIB = 1024
const MIB = 1024 * KIB

let running: Running
let alpha: Firm
let beta: Firm
const dataDir = mkdtempSync(join(tmpdir(), 'brokerbase-share-'))
beforeAll(async () => {
  const env = { BROKERBASE_RATE_SHORT: '0', BROKERBASE_RATE_MEDIUM: '0', BROKERBASE_RATE_LONG: '0' }
  running = await startServer(
    loadConfig({ 'data-dir': dataDir, port: '0' }, { env: { ...env, BROKERBASE_LOG_LEVEL: 'error' } }),
  )
  alpha = await foundFirm(running.platform, 'alpha')
  beta = await foundFirm(running.platform, 'beta')
})
afterAll(async () => {
  await running.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

let unfinished: RawConnection[] = []
afterEach(async () => {
  for (const connection of unfinished) connection.close()
  unfinished = []
})

/** Waits until the server has received what was sent. */
const allArrived = () => until('all of it is sent', () => unfinished.every((connection) => connection.isSent()))

/** Begins `count` bodies of `bytes` bytes, in turn from eight addresses, and sends all but the last byte of each. */
async function begin(count: number, bytes: number, line: string, headers: Record<string, string>) {
  const lines = Object.entries({ host: 'localhost', 'content-type': 'application/json', ...headers })
  const head = [`${line} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`), `content-length: ${bytes}`]
  const body = Buffer.alloc(bytes - 1, ' ')
  for (let index = 0; index < count; index += 1) {
    const connection = await rawConnection(running.url, `127.0.0.${2 + (index % 8)}`)
    unfinished.push(connection)
    connection.write(`${head.join('\r\n')}\r\n\r\n`)
    connection.write(body)
  }
  await allArrived()
}

const send = async (method: string, path: string, body: object | string, headers: Record<string, string> = {}) => {
  const answer = await fetch(running.url + path, {
    method,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  })
  return { status: answer.status, body: answer.status === 204 ? null : await answer.json() }
}
const as = ({ headers }: Caller): Record<string, string> => ({ ...headers, origin: running.url })
/** Sends a deposit whose body is larger than the last bytes that the unfinished bodies still need. */
const deposit = (caller: Caller, traderId?: string) => {
  const body = JSON.stringify({ currency: 'EUR', amount: '5.00', method: 'bank', traderId })
  return send('POST', '/v1/deposits', body + ' '.repeat(KIB), as(caller))
}

test('unfinished bodies of strangers do not keep others from signing in', async () => {
  await begin(300, 60 * KIB, 'POST /v1/auth/login', {})
  const nobody = { email: 'nobody@alpha.test', password: 'not-the-password' }
  expect((await send('POST', '/v1/auth/login', nobody)).body.code).toStartWith('auth.')
  // an honest body that is larger succeeds too
  expect((await send('POST', '/v1/auth/forgot', `${' '.repeat(50 * KIB)}{}`)).status).toBe(422)
})

test('strangers who announce bodies and send nothing keep nobody from signing in', async () => {
  for (let index = 0; index < 1100; index += 1) {
    const connection = await rawConnection(running.url, `127.0.0.${2 + (index % 8)}`)
    unfinished.push(connection)
    connection.write('POST /v1/auth/forgot HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n')
    connection.write(`Content-Length: ${16 * KIB}\r\n\r\n`)
  }
  await allArrived()
  const nobody = { email: 'nobody@alpha.test', password: 'not-the-password' }
  expect((await send('POST', '/v1/auth/login', nobody)).body.code).toStartWith('auth.')
})

test('unfinished bodies of one client take nothing from another client', async () => {
  const [greedy, other] = [await alpha.trader(), await alpha.trader()]
  const session = await alpha.traderSession(greedy)
  await begin(20, MIB, 'POST /v1/deposits', as(session))
  expect((await deposit(await alpha.traderSession(other))).status).toBe(201)
})

test('unfinished bodies of one firm take nothing from another, and those of one colleague nothing from the next', async () => {
  const traderId = await alpha.trader()
  await begin(96, MIB, 'POST /v1/deposits', as(beta.as.operator))
  expect((await deposit(alpha.as.operator, traderId)).status).toBe(201)
  expect((await deposit(beta.as.manager, await beta.trader())).status).toBe(201)
})

test('unfinished uploads block no callback of a gateway and no other client', async () => {
  const size = 15 * MIB
  const announce = async (session: Caller) =>
    (await send('POST', '/v1/kyc/documents/upload', { contentType: 'image/png', fileSize: size }, as(session))).body
  const { uploadUrl } = await announce(await alpha.traderSession(await alpha.trader()))
  await begin(8, size, `PUT ${uploadUrl}`, { 'content-type': 'image/png' })

  const secret = 'a-secret-of-some-length-0123456789'
  const gateway = { name: 'gateway', kind: 'generic', secret }
  const made = await send('POST', '/v1/psp/connections', gateway, as(alpha.as.admin))
  const word = JSON.stringify({ reference: 'r1', depositId: 'dep_01kf5p3w7n8q2r4t6v9x1y3z5a', status: 'processing' })
  const signature = createHmac('sha256', secret).update(word).digest('hex')
  const callback = await send('POST', `/v1/psp/${made.body.id}/callback`, word, { 'x-psp-signature': signature })
  expect([429, 503]).not.toContain(callback.status)

  const other = await announce(await alpha.traderSession(await alpha.trader()))
  const paper = await fetch(running.url + other.uploadUrl, {
    method: 'PUT',
    body: new Uint8Array(size),
    headers: { 'content-type': 'image/png' },
  })
  expect(paper.status).toBe(204)
})
