import * as http from 'node:http'
import * as https from 'node:https'
import { isIP } from 'node:net'
import { say } from '../words/say.ts'
import { EgressError, type EgressErrorCode } from './egress-error.ts'
import { errorCode } from './egress-resolve.ts'

export type EgressRequest = {
  method: string
  url: string
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** The limit of name look-up, connecting and TLS together; 5,000 by default. */
  connectTimeoutMs?: number
  /** The limit from the call to the last byte of the answer; 15,000 by default. */
  totalTimeoutMs?: number
  /** At most this much of the answer's body is read; 16,384 by default. */
  maxResponseBytes?: number
}

export type EgressResponse = {
  status: number
  /** Names in lower case; repeated headers joined by a comma. */
  headers: Record<string, string>
  /** The received bytes, never decompressed. */
  body: Uint8Array
  truncated: boolean
  latencyMs: number
}
export type Target = { url: URL; host: string; addresses: string[] }

/** At most this many interim answers (1xx) are accepted. */
const MOST_INTERIM = 10

export type Attempt = {
  target: Target
  address: string
  request: EgressRequest
  body: Buffer
  connectBy: number
  endBy: number
  maxBytes: number
  authorities: string[] | undefined
}

export type Outcome = Omit<EgressResponse, 'latencyMs'>

// failures after which another address may be tried, since nothing of the request was sent
export const neverConnected = new WeakSet<EgressError>()

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

/** The progress of an attempt, which decides what a failure means. */
type Stage = 'connecting' | 'handshake' | 'established'

/** The course of one attempt. The first end counts: the answer, a failure, or one of its two time limits. */
type Course = {
  handshakes(): void
  established(): void
  answered(outcome: Outcome): void
  fail(code: EgressErrorCode, message: string): void
  /** Notes a failure of the connection, which counts as one of TLS during the handshake. */
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
      if (stage === 'handshake') fail('tls_failed', say('egress.error.tls_failed', { reason }))
      else fail('connection_failed', say('egress.error.connection_failed', { reason }))
    },
  }
}

/** Begins a request to the checked address, whatever its host name resolves to now. */
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
    // no agent, since a pooled connection was checked for another call
    agent: false,
    ...(target.url.port === '' ? {} : { port: Number(target.url.port) }),
  }
  if (target.url.protocol !== 'https:') return http.request(shared)
  return https.request(authorities ? { ...shared, ca: authorities } : shared)
}

/** Reads an answer up to its maximal length. */
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

/** Makes one call to one address of its host. */
export const attempt = (options: Attempt): Promise<Outcome> =>
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
