import { afterEach, beforeEach, expect, test } from 'bun:test'
import { rawConnection } from '../../../testing/raw-http.ts'
import { until } from '../../../testing/until.ts'
import type { Principal } from '../../access/principal.ts'
import { Problem } from '../../problem.ts'
import { createDownloads } from './downloads.ts'

const MIB = 1024 * 1024
/** More bytes than the buffers of two sockets take. */
const SIZE = 12 * MIB
const FILE = Uint8Array.from({ length: SIZE }, (_, at) => at % 251)
const share = { person: 2 * SIZE, firm: 3 * SIZE }

let downloads: ReturnType<typeof createDownloads>
let reads = 0
let now = 0
let server: ReturnType<typeof Bun.serve>
beforeEach(() => {
  downloads = createDownloads({ staff: share, trader: share }, 4 * SIZE, () => now)
  reads = 0
  now = 0
  server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request) => {
      const [, tenantId = '', id = ''] = new URL(request.url).pathname.split('/')
      const principal = { kind: 'trader', id, sessionId: 's', impersonatorId: null } as const
      try {
        const read = () => {
          reads += 1
          return id === 'none' ? undefined : FILE
        }
        return downloads.send({ tenantId, principal }, SIZE, { 'x-paper': 'yes' }, read) ?? new Response('none')
      } catch (error) {
        return new Response(error instanceof Problem ? error.code : 'unexpected', { status: 429 })
      }
    },
  })
})
afterEach(() => server.stop(true))

const get = (path: string, method = 'GET') => fetch(new URL(path, server.url), { method })
/** Requests a file and reads nothing of it. */
async function leave(path: string) {
  const before = reads
  const connection = await rawConnection(String(server.url))
  connection.pause()
  connection.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  await until('it is read', () => reads > before)
  return connection
}
const isFree = () => until('no room is taken', () => downloads.held() === 0)

test('a file arrives completely, and then no longer counts as a download', async () => {
  const answer = await get('/alpha/one')
  expect(answer.headers.get('x-paper')).toBe('yes')
  expect(Buffer.compare(await answer.bytes(), FILE)).toBe(0)
  await isFree()
  await get('/alpha/one', 'HEAD')
  await isFree()
  expect(await (await get('/alpha/none')).text()).toBe('none')
  await isFree()
})

test('files that nobody reads leave room for other firms, and a refused file is not read from disk', async () => {
  const left = [await leave('/alpha/one'), await leave('/alpha/one')]
  const refused = await get('/alpha/one')
  expect([refused.status, await refused.text(), reads]).toEqual([429, 'too_many_bytes', 2])
  left.push(await leave('/alpha/two'))
  // the firm has reached its limit, another one has not
  expect((await get('/alpha/three')).status).toBe(429)
  expect((await (await get('/beta/one')).bytes()).byteLength).toBe(SIZE)
  left.push(await leave('/beta/one'))
  expect((await get('/gamma/one')).status).toBe(429)
  expect(downloads.held()).toBe(4 * SIZE)
  for (const connection of left) connection.close()
  await isFree()
  expect((await (await get('/alpha/one')).bytes()).byteLength).toBe(SIZE)
})

test('a stalled download of any person of the firm gives way to a new one', async () => {
  const left = [await leave('/alpha/one'), await leave('/alpha/one'), await leave('/alpha/two')]
  expect((await get('/alpha/three')).status).toBe(429)
  now = 9000
  const fetched = await get('/alpha/three')
  expect([fetched.status, (await fetched.bytes()).byteLength]).toEqual([200, SIZE])
  expect(downloads.held()).toBe(2 * SIZE)
  for (const connection of left) connection.close()
  await isFree()
})

test('downloads by a key count for the key’s maker', () => {
  const common = { role: 'admin', roles: ['admin'] } as const
  const key: Principal = { kind: 'api_key', id: 'k', userId: 'u', scopes: new Set(), ...common }
  const user: Principal = { kind: 'user', id: 'u', sessionId: 's', impersonatorId: null, ...common }
  const send = (principal: Principal) => downloads.send({ tenantId: 'alpha', principal }, SIZE, {}, () => FILE)
  for (const principal of [key, user]) expect(send(principal)?.status).toBe(200)
  expect(() => send(user)).toThrow(Problem)
})

/** Makes pieces while they are read; `made` counts them, `ended` is set when the generator ends. */
function making(count: number, fails = false) {
  const state = { made: 0, ended: false }
  const pieces = async function* () {
    try {
      for (; state.made < count; state.made += 1) {
        if (fails && state.made === 1) throw new Error('gone')
        yield FILE.slice(0, MIB)
      }
    } finally {
      state.ended = true
    }
  }
  return { state, pieces: pieces() }
}
const one = {
  tenantId: 'alpha',
  principal: { kind: 'trader', id: 'one', sessionId: 's', impersonatorId: null },
} as const

test('a file that is made while it is read counts with one fixed size until its last piece is read', async () => {
  const { state, pieces } = making(5)
  const answer = downloads.sendPieces(one, SIZE, {}, pieces)
  expect(downloads.held()).toBe(SIZE)
  expect((await answer.bytes()).byteLength).toBe(5 * MIB)
  expect([state.ended, downloads.held()]).toEqual([true, 0])
})

test('a download that fails, or whose reader disconnects, no longer counts', async () => {
  const left = making(50)
  const answer = downloads.sendPieces(one, SIZE, {}, left.pieces)
  const reader = answer.body?.getReader()
  await reader?.read()
  await reader?.cancel()
  expect([left.state.ended, downloads.held()]).toEqual([true, 0])
  const broken = making(5, true)
  await expect(downloads.sendPieces(one, SIZE, {}, broken.pieces).bytes()).rejects.toThrow()
  expect([broken.state.ended, downloads.held()]).toEqual([true, 0])
})

test('files that are made while they are read are limited, and those of a view count for the viewer', () => {
  const hold = (caller: Parameters<typeof downloads.sendPieces>[0]) =>
    downloads.sendPieces(caller, SIZE, {}, making(1).pieces)
  const viewing = { ...one, principal: { ...one.principal, impersonatorId: 'owner' } }
  hold(viewing)
  hold(viewing)
  expect(() => hold(viewing)).toThrow('Too many bytes')
  hold(one)
})
