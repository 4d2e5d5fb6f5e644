import { MIB } from '../../../platform/bytes.ts'
import { MINUTE, SECOND } from '../../../platform/clock.ts'
import type { Egress } from '../../../platform/egress.ts'
import { EgressError } from '../../../platform/egress-error.ts'
import { hmacSha256Hex } from '../../../platform/secrets.ts'
import { withoutControls } from '../../../platform/wire/formats.ts'
import { say } from '../../../words/say.ts'

export type Credentials = { accessToken: string; appSecret: string; verifyToken: string }
export type Bag = Readonly<Record<string, unknown>>
export const isBag = (value: unknown): value is Bag =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Why a call failed. `throttled`: the platform may say how long to wait; `token`: nothing works until the credentials
 * are repaired; `refused`: the same call would fail again; `later`: it may succeed later; `too_large`: a smaller page
 * may succeed.
 */
export type Fault = { kind: 'throttled' | 'token' | 'refused' | 'later' | 'too_large'; message: string; waitMs: number }
export type GraphAnswer = { ok: true; value: Bag } | { ok: false; fault: Fault }

/** The part of the Graph API that callers need. */
export type Graph = {
  get(path: readonly string[], query: Readonly<Record<string, string>>): Promise<GraphAnswer>
}

/** The codes by which the platform throttles; from 80000 on there is one for each kind of object. RULES “Ads”. */
const THROTTLES = new Set([4, 17, 32, 341, 368, 613])
const isThrottle = (code: number): boolean => THROTTLES.has(code) || (code >= 80_000 && code < 80_100)
const TOKEN = 190
/** These codes are temporary faults of the platform. */
const PASSING = new Set([1, 2])
const LONGEST_WAIT = 24 * 60 * MINUTE
/** The platform's message is cut to this many characters. */
const WORDS = 300

const utf8 = new TextDecoder()

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    return undefined
  }
}

/**
 * Returns the longest wait that the header asks for, in milliseconds; 0 without a header. It is JSON: lists by
 * business, with `estimated_time_to_regain_access` in minutes.
 */
export function readWait(header: string | undefined): number {
  if (header === undefined || header.length > 64_000) return 0
  const usage = parse(new TextEncoder().encode(header))
  const minutes = Object.values(isBag(usage) ? usage : {})
    .flat()
    .map((one: unknown) => (isBag(one) ? Number(one.estimated_time_to_regain_access) : 0))
    .filter((number) => Number.isFinite(number) && number > 0)
  return Math.min(LONGEST_WAIT, Math.max(0, ...minutes) * MINUTE)
}

/**
 * Removes secrets from the platform's message, which repeats a malformed token. Long runs of letters and digits are
 * removed even if they are not one of our secrets.
 */
export function redacted(words: string, secrets: readonly string[]): string {
  let text = words.slice(0, 10 * WORDS)
  for (const secret of secrets) text = text.replaceAll(secret, '…')
  return withoutControls(text)
    .replace(/[\w|.~+/=-]{20,}/g, (run) => (/\d/.test(run) ? '…' : run))
    .trim()
    .slice(0, WORDS)
    .toWellFormed()
}

function toFault(status: number, body: unknown, header: string | undefined, secrets: readonly string[]): Fault {
  const error = isBag(body) && isBag(body.error) ? body.error : {}
  const code = Number(error.code)
  const own = redacted(String(error.error_user_msg ?? error.message ?? ''), secrets)
  const message = own === '' ? say('ads.fault.status', { status }) : own
  const waitMs = readWait(header)
  // whatever its code is, a refusal that says when to come back counts as a throttle
  if (isThrottle(code) || status === 429 || (waitMs > 0 && code !== TOKEN))
    return { kind: 'throttled', message: say('ads.fault.throttled'), waitMs }
  if (code === TOKEN) return { kind: 'token', message: say('ads.fault.token', { message }), waitMs: 0 }
  const passes = status >= 500 || PASSING.has(code) || !Number.isFinite(code) || error.is_transient === true
  return { kind: passes ? 'later' : 'refused', message, waitMs: 0 }
}

type Limits = { totalTimeoutMs?: number; signal?: AbortSignal }
const later = (message: string): GraphAnswer => ({ ok: false, fault: { kind: 'later', message, waitMs: 0 } })

/**
 * Returns a client of the Graph API with a connection's credentials. The token is sent in a header, since proxies log
 * addresses, with a proof made from the app's secret. Answers may have 4 MiB and take 30 s. The platform's address of a
 * next page contains the token, so it is never followed.
 */
export function createGraph(
  { egress, config }: { egress: Egress; config: { graph: { url: string; version: string } } },
  { accessToken, appSecret }: Credentials,
  { totalTimeoutMs = 30 * SECOND, signal }: Limits = {},
): Graph {
  const { url, version } = config.graph
  const proof = hmacSha256Hex(appSecret, accessToken)
  const secrets = [accessToken, appSecret, proof]
  const ask = async (path: readonly string[], query: Readonly<Record<string, string>>): Promise<GraphAnswer> => {
    const search = new URLSearchParams({ ...query, appsecret_proof: proof })
    try {
      const { status, headers, body, truncated } = await egress.request({
        method: 'GET',
        url: `${[url, version, ...path.map(encodeURIComponent)].join('/')}?${search}`,
        headers: { authorization: `Bearer ${accessToken}`, accept: 'application/json' },
        connectTimeoutMs: Math.min(totalTimeoutMs, 10 * SECOND),
        totalTimeoutMs,
        maxResponseBytes: 4 * MIB,
      })
      if (truncated) return { ok: false, fault: { kind: 'too_large', message: say('ads.fault.too_large'), waitMs: 0 } }
      const value = parse(body)
      if (status === 200 && isBag(value) && value.error === undefined) return { ok: true, value }
      return { ok: false, fault: toFault(status, value, headers['x-business-use-case-usage'], secrets) }
    } catch (error) {
      if (error instanceof EgressError) return later(redacted(error.message, secrets))
      throw error
    }
  }
  return {
    get: async (path, query) => {
      const stopped = Promise.withResolvers<GraphAnswer>()
      const stop = () => stopped.resolve(later(say('ads.fault.stopped')))
      if (signal?.aborted) stop()
      // the signal may live as long as the program, so each call removes its listener
      signal?.addEventListener('abort', stop)
      try {
        return await Promise.race([ask(path, query), stopped.promise])
      } finally {
        signal?.removeEventListener('abort', stop)
      }
    },
  }
}
