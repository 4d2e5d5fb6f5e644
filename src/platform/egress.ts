import { say } from '../words/say.ts'
import type { Clock } from './clock.ts'
import {
  type Attempt,
  attempt,
  type EgressRequest,
  type EgressResponse,
  neverConnected,
  type Outcome,
  type Target,
} from './egress-attempt.ts'
import { EgressError, type EgressErrorCode } from './egress-error.ts'
import { isInside, isPublicAddress, parseAddress, parseNetwork } from './egress-networks.ts'
import { type Resolve, resolveHost, systemResolve, within } from './egress-resolve.ts'

/**
 * Returns the machine’s certificate authorities with `own` added; undefined, for the default, if `own` is. The list is
 * loaded here and not by an import: it takes a tenth of the server's start, and few need it.
 */
export const authoritiesWith = (own: string | undefined): string[] | undefined =>
  own === undefined ? undefined : [...process.getBuiltinModule('node:tls').rootCertificates, own]

type EgressVerdict = { ok: true } | { ok: false; code: EgressErrorCode; message: string }

export type Egress = {
  /** Returns whether a URL that somebody enters may be called. Each call checks it again. */
  checkUrl(url: string): Promise<EgressVerdict>
  /** Makes one call to a checked address; redirects are answers. Throws EgressError. */
  request(request: EgressRequest): Promise<EgressResponse>
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

type EgressOptions = {
  allowedNetworks: string[]
  clock: Clock
  resolve?: Resolve
  trustedCertificates?: string
  /** Private addresses may be called by https too: for machines of the operator’s own. */
  isOwn?: boolean
}

/**
 * Decides which URLs may be called: those of a public address by https, and those in the allowed networks. What it
 * returns resolves the name of a URL and gives its checked addresses; it throws EgressError.
 */
export function createCheck({
  allowedNetworks,
  resolve = systemResolve,
  isOwn = false,
}: Pick<EgressOptions, 'allowedNetworks' | 'resolve' | 'isOwn'>) {
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
    // all addresses, since a name with one private address among them is an attack
    if (!isOwn && !addresses.every((address) => isAllowed(address) || isPublicAddress(address))) {
      throw new EgressError('blocked_address', say('egress.error.not_public'))
    }
    if (url.protocol === 'http:' && !addresses.every(isAllowed)) {
      throw new EgressError('bad_url', say('egress.error.not_https'))
    }
    return { url, host, addresses }
  }
}

/** Tries the addresses of a host in turn, until one could be connected to. */
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
 * Creates the only way out. `allowedNetworks`: CIDRs of private addresses that may be called, also by plain http; every
 * other call must be https to a public address, on any port. `trustedCertificates`: PEM of further certificate
 * authorities. `resolve`: for tests.
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
