import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { SECOND } from '../../clock.ts'
import type { Egress } from '../../egress.ts'
import type { EgressResponse } from '../../egress-attempt.ts'
import type { AccountKey } from './jose.ts'

const MOST_BYTES = 256 * 1024
const PATIENCE_MS = 30 * SECOND
/** A nonce can expire at any time; the client then repeats the call with the nonce of the refusal (RFC 8555 §6.5). */
const MOST_NONCES = 8
const ERROR = 'urn:ietf:params:acme:error:'

const Directory = Type.Object({
  newNonce: Type.String(),
  newAccount: Type.String(),
  newOrder: Type.String(),
  renewalInfo: Type.Optional(Type.String()),
})
const Failure = Type.Object({
  type: Type.Optional(Type.String()),
  detail: Type.Optional(Type.String()),
  subproblems: Type.Optional(
    Type.Array(
      Type.Object({
        detail: Type.Optional(Type.String()),
        identifier: Type.Optional(Type.Object({ value: Type.String() })),
      }),
    ),
  ),
})
type Failure = Static<typeof Failure>

/** The authority refused a call; `type` is without its prefix, `retryAfter` in milliseconds, or null. */
export class AcmeError extends Error {
  override name = 'AcmeError'
  readonly failure: Failure
  readonly retryAfter: number | null
  /** The nonce that came with the refusal, which the next attempt must use. */
  readonly nonce: string | undefined
  constructor(
    readonly type: string,
    detail: string,
    facts: { failure?: Failure; retryAfter?: number | null; nonce?: string | undefined; cause?: unknown } = {},
  ) {
    super(detail, { cause: facts.cause })
    this.failure = facts.failure ?? {}
    this.retryAfter = facts.retryAfter ?? null
    this.nonce = facts.nonce
  }
}

/** Reads `Retry-After`, seconds or a date, as milliseconds from now; null if it is missing or malformed. */
export function readRetryAfter(value: string | undefined, now: number): number | null {
  if (value === undefined) return null
  const ms = /^\d+$/.test(value) ? Number(value) * SECOND : Date.parse(value) - now
  return Number.isFinite(ms) ? Math.max(0, ms) : null
}

const decode = <S extends TSchema>(shape: S, body: Uint8Array): Static<S> => {
  try {
    return Value.Decode(shape, JSON.parse(new TextDecoder().decode(body)))
  } catch (cause) {
    throw new AcmeError('unreadable', 'The certificate authority answered something else than ACME.', { cause })
  }
}

type Answer = { status: number; headers: Record<string, string>; body: Uint8Array }
/** Signed calls to one authority. */
export type Wire = {
  directory: Static<typeof Directory>
  /** Makes a call without a signature. */
  get<S extends TSchema>(url: string, shape: S): Promise<{ value: Static<S>; headers: Record<string, string> }>
  /** Makes a signed call; an empty payload only reads. `id` is the account's URL; without it the key is sent. */
  post(url: string, payload: unknown, id?: string): Promise<Answer>
  ask<S extends TSchema>(url: string, payload: unknown, shape: S, id: string): Promise<{ value: Static<S> } & Answer>
}

/** Reads the directory of an authority, through `egress` as all calls. Throws AcmeError. */
export async function openWire(egress: Egress, url: string, key: AccountKey, now: () => number): Promise<Wire> {
  const call = async (method: string, to: string, body?: string): Promise<EgressResponse> => {
    const answer = await egress.request({
      method,
      url: to,
      headers: {
        'user-agent': 'brokerbase',
        ...(body === undefined ? {} : { 'content-type': 'application/jose+json' }),
      },
      ...(body === undefined ? {} : { body }),
      totalTimeoutMs: PATIENCE_MS,
      maxResponseBytes: MOST_BYTES,
    })
    if (answer.status < 400) return answer
    const problem = answer.headers['content-type']?.includes('json') ? decode(Failure, answer.body) : {}
    throw new AcmeError(
      problem.type?.replace(ERROR, '') ?? String(answer.status),
      problem.detail ?? `The certificate authority answered ${answer.status}.`,
      {
        failure: problem,
        retryAfter: readRetryAfter(answer.headers['retry-after'], now()),
        nonce: answer.headers['replay-nonce'],
      },
    )
  }
  const directory = decode(Directory, (await call('GET', url)).body)
  let nonce: string | undefined
  const takeNonce = async (): Promise<string> => {
    const known = nonce ?? (await call('HEAD', directory.newNonce)).headers['replay-nonce']
    nonce = undefined
    if (known === undefined) throw new AcmeError('unreadable', 'The certificate authority gave no nonce.')
    return known
  }
  const post: Wire['post'] = async (to, payload, id) => {
    for (let attempt = 1; ; attempt += 1) {
      const header = { nonce: await takeNonce(), url: to, ...(id === undefined ? { jwk: key.jwk } : { kid: id }) }
      try {
        const answer = await call('POST', to, key.sign(header, payload))
        nonce = answer.headers['replay-nonce']
        return answer
      } catch (error) {
        if (!(error instanceof AcmeError)) throw error
        nonce = error.nonce
        if (error.type !== 'badNonce' || attempt >= MOST_NONCES) throw error
      }
    }
  }
  return {
    directory,
    get: async (to, shape) => {
      const { body, headers } = await call('GET', to)
      return { value: decode(shape, body), headers }
    },
    post,
    ask: async (to, payload, shape, id) => {
      const answer = await post(to, payload, id)
      return { ...answer, value: decode(shape, answer.body) }
    },
  }
}
