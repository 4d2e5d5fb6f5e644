import { lookup } from 'node:dns/promises'
import * as http from 'node:http'
import * as https from 'node:https'
import { connect, isIP, type Socket } from 'node:net'
import { say } from '../words/say.ts'
import type { Clock } from './clock.ts'
import { isInside, isPublicAddress, parseAddress, parseNetwork } from './egress-networks.ts'

/**
 * The authorities of the machine’s programs with one of the firm’s own; undefined, for the usual ones, without it. Not
 * an import: reading the list takes a tenth of the time in which the server starts, and few have one of their own.
 */
export const authoritiesWith = (own: string | undefined): string[] | undefined =>
  own === undefined ? undefined : [...process.getBuiltinModule('node:tls').rootCertificates, own]

type EgressErrorCode =
  | 'blocked_address'
  | 'bad_url'
  | 'dns_failed'
  | 'connect_timeout'
  | 'timeout'
  | 'connection_failed'
  | 'tls_failed'

/** Why an outgoing call did not get an answer. `message` is fit to be shown to the one who entered the URL. */
export class EgressError extends Error {
  readonly code: EgressErrorCode
  constructor(code: EgressErrorCode, message: string) {
    super(message)
    this.name = 'EgressError'
    this.code = code
  }
}

type EgressVerdict = { ok: true } | { ok: false; code: EgressErrorCode; message: string }

export type EgressRequest = {
  method: string
  url: string
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** Name look-up, connecting and TLS together; 5,000 by default. */
  connectTimeoutMs?: number
  /** From the call to the last byte of the answer; 15,000 by default. */
  totalTimeoutMs?: number
  /** What is read of the answer's body; 16,384 by default. */
  maxResponseBytes?: number
}

export type EgressResponse = {
  status: number
  /** Names in lower case; repeated headers joined by a comma. */
  headers: Record<string, string>
  /** As received: never decompressed. */
  body: Uint8Array
  truncated: boolean
  latencyMs: number
}

export type Egress = {
  /** Whether a URL may be called at all; for when it is entered. It is checked again at each call. */
  checkUrl(url: string): Promise<EgressVerdict>
  /** One call, to an address that was checked; redirects are answers. Throws EgressError. */
  request(request: EgressRequest): Promise<EgressResponse>
}

type Resolve = (host: string) => Promise<string[]>
type Target = { url: URL; host: string; addresses: string[] }

/** Interim answers (1xx) before the answer: nobody needs more. */
const MOST_INTERIM = 10

const systemResolve: Resolve = async (host) => (await lookup(host, { all: true })).map(({ address }) => address)

const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown'

const resolveHost = async (host: string, resolve: Resolve): Promise<string[]> => {
  const name = host.replace(/\.$/, '').toLowerCase()
  if (isIP(name) !== 0) return [name]
  // By definition loopback, whatever the resolver says.
  if (name === 'localhost' || name.endsWith('.localhost')) return ['127.0.0.1']
  let addresses: string[]
  try {
    addresses = await resolve(host)
  } catch {
    addresses = []
  }
  if (addresses.length === 0) throw new EgressError('dns_failed', say('egress.error.no_address'))
  // IPv4 first: many small servers have an IPv6 resolver and no IPv6 route.
  return [...new Set(addresses)].sort((a, b) => isIP(a) - isIP(b))
}

const within = async <T>(work: Promise<T>, ms: number, error: EgressError): Promise<T> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(error), Math.max(0, ms))
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

const parseUrl = (text: string): URL => {
  if (text.length > 2048 || !URL.canParse(text)) throw new EgressError('bad_url', say('egress.error.not_url'))
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new EgressError('bad_url', say('egress.error.not_https'))
  if (url.username !== '' || url.password !== '') {
    throw new EgressError('bad_url', say('egress.error.credentials'))
  }
  return url
}

type Attempt = {
  target: Target
  address: string
  request: EgressRequest
  body: Buffer
  connectBy: number
  endBy: number
  maxBytes: number
  authorities: string[] | undefined
}

type Outcome = Omit<EgressResponse, 'latencyMs'>

// Marks the failures after which another address may be tried: nothing of the request has left yet.
const neverConnected = new WeakSet<EgressError>()

const flatHeaders = (headers: http.IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  )

const requestHeaders = ({ request, body, target }: Attempt): Record<string, string> => {
  const own = new Set(['host', 'connection', 'content-length', 'transfer-encoding'])
  const given = Object.entries(request.headers ?? {}).filter(([name]) => !own.has(name.toLowerCase()))
  return {
    'accept-encoding': 'identity',
    ...Object.fromEntries(given),
    host: target.url.host,
    connection: 'close',
    ...(body.length > 0 || request.method !== 'GET' ? { 'content-length': String(body.length) } : {}),
  }
}

/** How far an attempt has come; what a failure means depends on it. */
type Stage = 'connecting' | 'handshake' | 'established'

/** The course of one attempt. Whatever ends it first counts: the answer, a failure, or one of its two times. */
type Course = {
  handshakes(): void
  established(): void
  answered(outcome: Outcome): void
  fail(code: EgressErrorCode, message: string): void
  /** A failure of the connection, which is one of its encryption while that is agreed upon. */
  failed(error: unknown): void
}

function follow(
  { connectBy, endBy }: Attempt,
  outgoing: http.ClientRequest,
  settled: { resolve(outcome: Outcome): void; reject(error: EgressError): void },
): Course {
  let stage: Stage = 'connecting'
  let isSettled = false
  const settle = (finish: () => void): void => {
    if (isSettled) return
    isSettled = true
    clearTimeout(connectTimer)
    clearTimeout(totalTimer)
    finish()
    outgoing.destroy()
  }
  const fail = (code: EgressErrorCode, message: string): void => {
    const error = new EgressError(code, message)
    if (stage === 'connecting') neverConnected.add(error)
    settle(() => settled.reject(error))
  }
  const failAt = (time: number, code: EgressErrorCode, message: string) =>
    setTimeout(() => fail(code, message), Math.max(0, time - performance.now()))
  const connectTimer = failAt(connectBy, 'connect_timeout', say('egress.error.connect_timeout'))
  const totalTimer = failAt(endBy, 'timeout', say('egress.error.timeout'))
  return {
    handshakes: () => {
      stage = 'handshake'
    },
    established: () => {
      stage = 'established'
      clearTimeout(connectTimer)
    },
    answered: (outcome) => settle(() => settled.resolve(outcome)),
    fail,
    failed: (error) => {
      const reason = errorCode(error)
      if (stage === 'handshake') fail('tls_failed', say('egress.error.no_secure_connection', { reason }))
      else fail('connection_failed', say('egress.error.connection_failed', { reason }))
    },
  }
}

/** Begins a request to the address that was checked, whatever the name of its host stands for by now. */
function dial(options: Attempt): http.ClientRequest {
  const { target, address, request, authorities } = options
  const lookupChecked: NonNullable<http.RequestOptions['lookup']> = (_host, { all }, found) => {
    const family = isIP(address)
    if (all === true) found(null, [{ address, family }])
    else found(null, address, family)
  }
  const shared = {
    method: request.method,
    host: target.host,
    path: `${target.url.pathname}${target.url.search}`,
    headers: requestHeaders(options),
    lookup: lookupChecked,
    // No agent: a pooled connection would be one that was checked for another call.
    agent: false,
    ...(target.url.port === '' ? {} : { port: Number(target.url.port) }),
  }
  if (target.url.protocol !== 'https:') return http.request(shared)
  return https.request(authorities ? { ...shared, ca: authorities } : shared)
}

/** Reads an answer as far as it may be long. */
function hear(response: http.IncomingMessage, maxBytes: number, course: Course): void {
  const chunks: Buffer[] = []
  let received = 0
  const done = (truncated: boolean): void => {
    const body = new Uint8Array(Buffer.concat(chunks).subarray(0, maxBytes))
    course.answered({ status: response.statusCode ?? 0, headers: flatHeaders(response.headers), body, truncated })
  }
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    received += chunk.length
    if (received > maxBytes) done(true)
  })
  response.on('end', () => done(false))
  response.on('error', course.failed)
  response.on('close', () => course.fail('connection_failed', say('egress.error.cut_off')))
}

/** One call to one address of its host. */
const attempt = (options: Attempt): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    const outgoing = dial(options)
    const course = follow(options, outgoing, { resolve, reject })
    outgoing.on('socket', (socket) => {
      socket.once('connect', options.target.url.protocol === 'https:' ? course.handshakes : course.established)
      socket.once('secureConnect', course.established)
    })
    outgoing.on('error', course.failed)
    let interim = 0
    const hearInterim = (): void => {
      interim += 1
      if (interim > MOST_INTERIM) course.fail('connection_failed', say('egress.error.no_end'))
    }
    outgoing.on('continue', hearInterim)
    outgoing.on('information', hearInterim)
    outgoing.on('upgrade', (_response, socket) => {
      socket.destroy()
      course.fail('connection_failed', say('egress.error.upgrade'))
    })
    outgoing.on('response', (response) => hear(response, options.maxBytes, course))
    outgoing.end(options.body)
  })

type EgressOptions = {
  allowedNetworks: string[]
  clock: Clock
  resolve?: Resolve
  trustedCertificates?: string
}

/** Decides which URLs may be called: an address of the public internet by https, or one of the allowed networks. */
function createCheck({ allowedNetworks, resolve = systemResolve }: EgressOptions) {
  const allowed = allowedNetworks.map(parseNetwork)
  const isAllowed = (text: string): boolean => {
    const address = parseAddress(text)
    return address !== undefined && allowed.some((network) => isInside(address, network))
  }
  return async (text: string, timeoutMs: number): Promise<Target> => {
    const url = parseUrl(text)
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
    const late = new EgressError('dns_failed', say('egress.error.not_resolved'))
    const addresses = await within(resolveHost(host, resolve), timeoutMs, late)
    // All of them, not only the one to be used: a name with one private address is somebody trying.
    if (!addresses.every((address) => isAllowed(address) || isPublicAddress(address))) {
      throw new EgressError('blocked_address', say('egress.error.not_public'))
    }
    if (url.protocol === 'http:' && !addresses.every(isAllowed)) {
      throw new EgressError('bad_url', say('egress.error.not_https'))
    }
    return { url, host, addresses }
  }
}

/** Tries the addresses of a host in turn, until one of them could be connected to. */
async function callAny(call: Omit<Attempt, 'address' | 'connectBy'>, connectEnd: number): Promise<Outcome> {
  const candidates = call.target.addresses.slice(0, 3)
  for (const [n, address] of candidates.entries()) {
    const left = connectEnd - performance.now()
    const connectBy = performance.now() + left / (candidates.length - n)
    try {
      return await attempt({ ...call, address, connectBy })
    } catch (error) {
      const isLast = n === candidates.length - 1
      if (isLast || !(error instanceof EgressError) || !neverConnected.has(error)) throw error
    }
  }
  throw new EgressError('dns_failed', say('egress.error.no_address'))
}

/**
 * The one way out. `allowedNetworks`: CIDRs that may be called although private, and
 * by plain http too; everything else must be https to a public address, on any port.
 * `trustedCertificates`: PEM of further certificate authorities. `resolve`: for tests.
 */
export const createEgress = (options: EgressOptions): Egress => {
  const authorities = authoritiesWith(options.trustedCertificates)
  const checked = createCheck(options)
  return {
    checkUrl: async (url) => {
      try {
        await checked(url, 5000)
        return { ok: true }
      } catch (error) {
        if (error instanceof EgressError) return { ok: false, code: error.code, message: error.message }
        throw error
      }
    },
    request: async (request) => {
      const startedAt = options.clock.now()
      const { connectTimeoutMs = 5000, totalTimeoutMs = 15_000, maxResponseBytes: maxBytes = 16_384 } = request
      const connectEnd = performance.now() + Math.min(connectTimeoutMs, totalTimeoutMs)
      const endBy = performance.now() + totalTimeoutMs
      const target = await checked(request.url, Math.min(connectTimeoutMs, totalTimeoutMs))
      const body = Buffer.from(request.body ?? '')
      const outcome = await callAny({ target, request, body, endBy, maxBytes, authorities }, connectEnd)
      return { ...outcome, latencyMs: options.clock.now() - startedAt }
    },
  }
}

const connectTo = (address: string, port: number): { socket: Socket; connected: Promise<Socket> } => {
  const socket = connect({ host: address, port })
  const connected = new Promise<Socket>((resolve, reject) => {
    socket.once('connect', () => {
      socket.removeListener('error', reject)
      resolve(socket)
    })
    socket.once('error', reject)
  })
  return { socket, connected }
}

/**
 * A plain TCP connection to a host that the operator configured (a mail relay): private addresses are fine
 * here. The name is resolved once and its addresses tried in turn, all within `timeoutMs`. Throws EgressError.
 */
export const openTrustedSocket = async (
  host: string,
  port: number,
  timeoutMs: number,
  resolve: Resolve = systemResolve,
): Promise<Socket> => {
  const endBy = performance.now() + timeoutMs
  const late = new EgressError('connect_timeout', say('egress.error.host_timeout', { host, port: String(port) }))
  const addresses = await within(resolveHost(host, resolve), timeoutMs, late)
  let last = new EgressError('connection_failed', say('egress.error.host_unreachable', { host, port: String(port) }))
  for (const [n, address] of addresses.entries()) {
    const { socket, connected } = connectTo(address, port)
    try {
      return await within(connected, (endBy - performance.now()) / (addresses.length - n), late)
    } catch (error) {
      // The promise is abandoned, not the socket: an error after this must not end the process.
      socket.on('error', () => {})
      socket.destroy()
      last =
        error instanceof EgressError
          ? error
          : new EgressError(
              'connection_failed',
              say('egress.error.host_failed', { host, port: String(port), reason: errorCode(error) }),
            )
    }
  }
  throw last
}
