import { createHash, X509Certificate } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import type { TerminalAddress } from '../modules/terminals/contract/terminal.ts'
import { type Environment, systemEnvironment } from '../modules/terminals/terminal5/terminal5.environment.ts'
import { DAY } from '../platform/clock.ts'
import { makeKey, selfSigned } from '../platform/tls/der.ts'

/** A request that a stand-in was asked. `body` is its JSON, if it has one. */
export type Asked = {
  connection: number
  method: string
  path: string
  query: Readonly<Record<string, string>>
  body: Readonly<Record<string, unknown>>
  headers: Readonly<Record<string, string>>
  socket: TLSSocket
}
/** An object is answered as JSON, a text is sent as it is, and nothing is sent for undefined. */
type Reaction = object | string | undefined

/** Returns a certificate for names, good for as many days from a moment on. */
export function makeCertificate(names: readonly string[], at: number, days = 30) {
  const key = makeKey()
  const cert = selfSigned(names, key, { from: at - DAY, days })
  const fingerprint = new X509Certificate(cert).fingerprint256.replaceAll(':', '').toLowerCase()
  return { key, cert, fingerprint }
}

/** Writes an answer with its length. */
export const writeAnswer = (body: string, status = '200 OK', more = ''): string =>
  `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\n${more}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

function readRequest(text: Buffer): { asked: Omit<Asked, 'connection' | 'socket'>; size: number } | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [first = '', ...lines] = text.subarray(0, end).toString().split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const size = end + 4 + Number(headers['content-length'] ?? 0)
  if (text.length < size) return undefined
  const [method = '', target = ''] = first.split(' ')
  const url = new URL(target, 'https://stand-in')
  const body = text.subarray(end + 4, size).toString()
  const query = Object.fromEntries(url.searchParams)
  return { asked: { method, path: url.pathname, query, headers, body: body === '' ? {} : JSON.parse(body) }, size }
}

const md5 = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash('md5')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** A server that speaks TLS and answers as a test says. It signs everybody in who knows the password. */
export type StandIn = {
  port: number
  asked: Asked[]
  fingerprint: string
  certificate: string
  connections(): number
  /** Returns the requests for a path. */
  to(path: string): Asked[]
  /** Says how a path is answered from now on. */
  on(path: string, react: (asked: Asked) => Reaction): void
  close(): void
}

const SERVER_CHALLENGE = '73007dc7184747ce0f7c98516ef1c851'

/** Answers the two steps of a sign-in. */
function answerSignIn(password: string, { path, query }: Asked): Reaction {
  const secret = md5(md5(Buffer.from(password, 'utf16le')), Buffer.from('WebAPI'))
  const prove = (challenge: string): string => md5(secret, Buffer.from(challenge, 'hex')).toString('hex')
  if (path === '/api/auth/start') return { retcode: '0 Done', version_access: '4100', srv_rand: SERVER_CHALLENGE }
  if (path === '/api/test/access' || path === '/api/quit') return { retcode: '0 Done' }
  if (path !== '/api/auth/answer') return { retcode: '13 Not found' }
  if (query.srv_rand_answer !== prove(SERVER_CHALLENGE)) return { retcode: '1001 Invalid account' }
  return { retcode: '0 Done', version_trade: '4150', cli_rand_answer: prove(query.cli_rand ?? '').toUpperCase() }
}

/** Starts a stand-in on a free port of this machine. */
export async function startStandIn(
  password: string,
  { key, cert, fingerprint }: ReturnType<typeof makeCertificate>,
): Promise<StandIn> {
  const asked: Asked[] = []
  const reactions = new Map<string, (asked: Asked) => Reaction>()
  const sockets = new Set<TLSSocket>()
  let connections = 0
  const server = createServer({ key, cert }, (socket) => {
    connections += 1
    const connection = connections
    let rest = Buffer.alloc(0)
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk])
      for (let next = readRequest(rest); next !== undefined; next = readRequest(rest)) {
        rest = rest.subarray(next.size)
        const one = { ...next.asked, connection, socket }
        asked.push(one)
        const reaction =
          reactions.get(one.path)?.(one) ?? (reactions.has(one.path) ? undefined : answerSignIn(password, one))
        if (reaction !== undefined)
          socket.write(typeof reaction === 'string' ? reaction : writeAnswer(JSON.stringify(reaction)))
      }
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address: AddressInfo | string | null = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    asked,
    fingerprint,
    certificate: cert,
    connections: () => connections,
    to: (path) => asked.filter((one) => one.path === path),
    on: (path, react) => void reactions.set(path, react),
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** Returns the address of a stand-in whose certificate is pinned. */
export const placeStandIn = (stand: StandIn, password: string): TerminalAddress => ({
  address: `https://localhost:${stand.port}`,
  trust: 'pinned',
  certificate: stand.fingerprint,
  login: '1000',
  password,
  masks: ['*'],
  requestsPerSecond: 1_000_000,
  allowedNetworks: ['127.0.0.0/8'],
  clock: [{ from: 0, minutes: 120 }],
})

/** Timers that a test moves on by hand. */
type HandTimers = { environment: Environment; advance(ms: number): void; count(): number }

/** Creates an environment whose time stands still until a test moves it. */
export function createHandTimers(at: number): HandTimers {
  let now = at
  const waiting = new Set<{ at: number; act: () => void }>()
  return {
    environment: {
      ...systemEnvironment,
      now: () => now,
      after: (ms, act) => {
        const timer = { at: now + ms, act }
        waiting.add(timer)
        return () => void waiting.delete(timer)
      },
    },
    advance: (ms) => {
      now += ms
      for (const timer of [...waiting]) {
        if (timer.at > now) continue
        waiting.delete(timer)
        timer.act()
      }
    },
    count: () => waiting.size,
  }
}
