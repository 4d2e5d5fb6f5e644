import { lookup } from 'node:dns/promises'
import * as http from 'node:http'
import * as https from 'node:https'
import { connect, isIP, type Socket } from 'node:net'
import ipaddr from 'ipaddr.js'
import { say } from '../words/say.ts'
import type { Clock } from './clock.ts'

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
type Network = [ipaddr.IPv4 | ipaddr.IPv6, number]
type Target = { url: URL; host: string; addresses: string[] }

/** Interim answers (1xx) before the answer: nobody needs more. */
const MOST_INTERIM = 10

const parseNetwork = (text: string): Network => {
  if (!ipaddr.isValidCIDR(text)) throw new Error(`"${text}" is not a network such as 10.1.0.0/16 or fd00::/8.`)
  return ipaddr.parseCIDR(text)
}

// Everything the IANA registries call special, spelled out: the library's own names for ranges change between versions.
const specialNetworks = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  '224.0.0.0/3',
  // Protocol assignments with Teredo, documentation, 6to4: the parts of 2000::/3 that are not plain hosts.
  ...['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
].map(parseNetwork)

// Only 2000::/3 is handed out to hosts. What lies outside (loopback, unique local, link local,
// multicast and every form that carries an IPv4 address inside) is refused without having to be listed.
const globalUnicast = parseNetwork('2000::/3')

const isInside = (address: ipaddr.IPv4 | ipaddr.IPv6, [base, bits]: Network): boolean =>
  address.kind() === base.kind() && address.match(base, bits)

// `isIP` first: the library also reads octal, hexadecimal and short forms, and zones.
const parseAddress = (text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined =>
  isIP(text) === 0 || text.includes('%') ? undefined : ipaddr.parse(text)

/** Whether the text is a canonical IP address of an ordinary host of the public internet. */
export const isPublicAddress = (text: string): boolean => {
  const address = parseAddress(text)
  if (address === undefined) return false
  if (address.kind() === 'ipv6' && !isInside(address, globalUnicast)) return false
  return address.range() === 'unicast' && !specialNetworks.some((network) => isInside(address, network))
}

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

const attempt = (options: Attempt): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    const { target, address, request, body, maxBytes } = options
    const isTls = target.url.protocol === 'https:'
    let stage: 'connecting' | 'handshake' | 'established' = 'connecting'
    let settled = false

    const settle = (finish: () => void): void => {
      if (settled) return
      settled = true
      clearTimeout(connectTimer)
      clearTimeout(totalTimer)
      finish()
      outgoing.destroy()
    }
    const fail = (code: EgressErrorCode, message: string): void => {
      const error = new EgressError(code, message)
      if (stage === 'connecting') neverConnected.add(error)
      settle(() => reject(error))
    }
    const failed = (error: unknown): void => {
      const reason = errorCode(error)
      if (stage === 'handshake') fail('tls_failed', say('egress.error.no_secure_connection', { reason }))
      else fail('connection_failed', say('egress.error.connection_failed', { reason }))
    }

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
    const outgoing = isTls
      ? https.request(options.authorities ? { ...shared, ca: options.authorities } : shared)
      : http.request(shared)
    const connectTimer = setTimeout(
      () => fail('connect_timeout', say('egress.error.connect_timeout')),
      Math.max(0, options.connectBy - performance.now()),
    )
    const totalTimer = setTimeout(
      () => fail('timeout', say('egress.error.timeout')),
      Math.max(0, options.endBy - performance.now()),
    )
    const established = (): void => {
      stage = 'established'
      clearTimeout(connectTimer)
    }

    outgoing.on('socket', (socket) => {
      socket.once('connect', () => {
        if (isTls) stage = 'handshake'
        else established()
      })
      socket.once('secureConnect', established)
    })
    outgoing.on('error', failed)
    let interim = 0
    const hearInterim = (): void => {
      interim += 1
      if (interim > MOST_INTERIM) fail('connection_failed', say('egress.error.no_end'))
    }
    outgoing.on('continue', hearInterim)
    outgoing.on('information', hearInterim)
    outgoing.on('upgrade', (_response, socket) => {
      socket.destroy()
      fail('connection_failed', say('egress.error.upgrade'))
    })
    outgoing.on('response', (response) => {
      const chunks: Buffer[] = []
      let received = 0
      const done = (truncated: boolean): void => {
        const bytes = new Uint8Array(Buffer.concat(chunks).subarray(0, maxBytes))
        const status = response.statusCode ?? 0
        settle(() => resolve({ status, headers: flatHeaders(response.headers), body: bytes, truncated }))
      }
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        received += chunk.length
        if (received > maxBytes) done(true)
      })
      response.on('end', () => done(false))
      response.on('error', failed)
      response.on('close', () => fail('connection_failed', say('egress.error.cut_off')))
    })
    outgoing.end(body)
  })

/**
 * The one way out. `allowedNetworks`: CIDRs that may be called although private, and
 * by plain http too; everything else must be https to a public address, on any port.
 * `trustedCertificates`: PEM of further certificate authorities. `resolve`: for tests.
 */
export const createEgress = (options: {
  allowedNetworks: string[]
  clock: Clock
  resolve?: Resolve
  trustedCertificates?: string
}): Egress => {
  const allowed = options.allowedNetworks.map(parseNetwork)
  const resolve = options.resolve ?? systemResolve
  const authorities = authoritiesWith(options.trustedCertificates)

  const isAllowed = (text: string): boolean => {
    const address = parseAddress(text)
    return address !== undefined && allowed.some((network) => isInside(address, network))
  }

  const checked = async (text: string, timeoutMs: number): Promise<Target> => {
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
      const candidates = target.addresses.slice(0, 3)
      for (const [n, address] of candidates.entries()) {
        const left = connectEnd - performance.now()
        const connectBy = performance.now() + left / (candidates.length - n)
        try {
          const outcome = await attempt({ target, address, request, body, connectBy, endBy, maxBytes, authorities })
          return { ...outcome, latencyMs: options.clock.now() - startedAt }
        } catch (error) {
          const isLast = n === candidates.length - 1
          if (isLast || !(error instanceof EgressError) || !neverConnected.has(error)) throw error
        }
      }
      throw new EgressError('dns_failed', say('egress.error.no_address'))
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
