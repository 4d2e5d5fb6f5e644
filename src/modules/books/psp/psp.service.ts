import type { Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { sql } from 'drizzle-orm'
import type { BoxCtx, Ctx } from '../../../platform/access/ctx.ts'
import { findStaffId } from '../../../platform/access/principal.ts'
import { withoutCardNumbers } from '../../../platform/card-numbers.ts'
import { lookUp, ofActiveTenant } from '../../../platform/db/directory.ts'
import { bare, listed, statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { type Admit, tooLarge } from '../../../platform/http/body/body.ts'
import { numberText, parseExact, plainDecimal } from '../../../platform/http/body/exact-numbers.ts'
import { invalid, Problem } from '../../../platform/problem.ts'
import { constantTimeEqual, hmacSha256Hex } from '../../../platform/secrets.ts'
import { say } from '../../../words/say.ts'
import { refuseGivenPassword } from '../../firm/independence/independence.service.ts'
import { type PspConnectionRow, pspConnections } from '../deposits/gateways.table.ts'
import { applyCallback } from './psp.callbacks.ts'
import { pspErrors } from './psp.errors.ts'
import {
  CALLBACK_LENGTHS,
  CallbackIn,
  type CallbackOut,
  type PspIn,
  type PspOut,
  type PspPatch,
  toPsp,
} from './psp.model.ts'

const sealContext = (tenantId: string, id: string): string => `psp:${tenantId}:${id}`

/** Connects a payment gateway; its secret is sealed and never shown again. */
export function createPsp(ctx: Ctx, input: Static<typeof PspIn>): Promise<Static<typeof PspOut>> {
  const id = ctx.ids.next('psp')
  return ctx.write('psp.create', (tx) => {
    refuseGivenPassword(tx, ctx)
    const row = tx.insert(pspConnections, {
      id,
      name: input.name,
      kind: input.kind,
      secret: ctx.secrets.seal(input.secret, sealContext(ctx.tenantId, id)),
      secretBy: findStaffId(ctx.principal),
      secretAt: tx.now,
    })
    return toPsp(row, tx)
  })
}

/** Returns the columns of a new secret. The former secret is refused, since others may know it. */
function newSecret(tx: Tx, ctx: Ctx, { id, secret: before }: PspConnectionRow, secret: string) {
  refuseGivenPassword(tx, ctx)
  const context = sealContext(ctx.tenantId, id)
  if (ctx.secrets.openText(before, context) === secret)
    throw invalid('secret', 'unchanged', say('gateways.field.same_secret'))
  return { secret: ctx.secrets.seal(secret, context), secretBy: findStaffId(ctx.principal), secretAt: tx.now }
}

/** Changes name or status; a new secret replaces the stored one at once. */
export function updatePsp(
  ctx: Ctx,
  id: string,
  patch: Static<typeof PspPatch>,
  expect: number | undefined,
): Promise<Static<typeof PspOut>> {
  const { secret, ...rest } = patch
  return ctx.write('psp.update', (tx) => {
    const before = tx.get(pspConnections, id)
    const entered = secret === undefined ? {} : newSecret(tx, ctx, before, secret)
    return toPsp(tx.update(pspConnections, id, { ...rest, ...entered }, { expect }), tx)
  })
}

/** Removes a connection: later callbacks are refused, and its deposits stay. */
export function deletePsp(ctx: Ctx, id: string, expect: number | undefined): Promise<null> {
  return ctx.write('psp.delete', (tx) => {
    tx.remove(pspConnections, id, { expect })
    return null
  })
}

type Connection = { tenantId: string; id: string; secret: Uint8Array; secretBy: string | null; status: string }
// the request has no sign-in: the id names the gateway, and the signature is the proof
const CALLING = lookUp<Connection>(
  sql`SELECT ${listed({
    tenantId: pspConnections.tenantId,
    id: pspConnections.id,
    secret: pspConnections.secret,
    secretBy: pspConnections.secretBy,
    status: pspConnections.status,
  })}
  FROM ${pspConnections} ${ofActiveTenant(pspConnections.tenantId)}
  WHERE ${pspConnections.id} = ? AND ${pspConnections.deletedAt} IS NULL`,
)

const HEARD = statement(
  sql`UPDATE ${pspConnections} SET ${bare(pspConnections.lastCallbackAt)} = ?2
  WHERE ${pspConnections.tenantId} = ?1 AND ${pspConnections.id} = ?3`,
)

/** Returns an amount or currency as the gateway wrote it; a text that is too long gets a sign that makes it invalid. */
function readWritten(callback: object, key: 'amount' | 'currency'): string | undefined {
  const value: unknown = Reflect.get(callback, key) ?? undefined
  if (value === undefined) return undefined
  const number = numberText(callback, key)
  const text = typeof value === 'string' ? value.trim() : number ? plainDecimal(number) : JSON.stringify(value)
  const { field: most } = CALLBACK_LENGTHS
  return text.length > most ? `${text.slice(0, most - 1)}…` : text
}

/**
 * Brings a verified callback into the form of `CallbackIn`: its amount may be a number, and null stands for a missing
 * field. A field of a wrong type does not refuse the callback, since a refused body would leave no exception for staff.
 */
function tidyCallback(parsed: unknown): unknown {
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return parsed
  const { depositId, reason, ...rest }: { depositId?: unknown; reason?: unknown } = parsed
  const amount = readWritten(parsed, 'amount')
  const currency = readWritten(parsed, 'currency')
  return {
    ...rest,
    depositId: depositId ?? undefined,
    amount,
    currency,
    // the reference stays complete, since later callbacks repeat it; the reason is free text and may be cut
    reason:
      typeof reason === 'string'
        ? withoutCardNumbers(reason).slice(0, CALLBACK_LENGTHS.reason).toWellFormed()
        : undefined,
  }
}

/** Parses the body of a callback after its signature was verified; unknown fields are ignored. */
function parseCallback(body: Uint8Array): Static<typeof CallbackIn> {
  let parsed: unknown
  try {
    parsed = tidyCallback(parseExact(new TextDecoder('utf-8', { fatal: true }).decode(body)))
  } catch {
    throw new Problem(400, 'malformed_body', say('problems.error.body_json'), [
      { path: 'body', code: 'json', message: say('problems.field.json') },
    ])
  }
  if (Value.Check(CallbackIn, parsed)) return parsed
  const [first] = Value.Errors(CallbackIn, parsed)
  throw invalid(
    first?.path.replace(/^\//, '').replaceAll('/', '.') || 'body',
    'invalid',
    first?.message ?? say('problems.field.invalid'),
  )
}

/** No callback of a gateway is this large. */
export const CALLBACK_BYTES = 256 * 1024

const bareSignature = (header: string): string =>
  header
    .trim()
    .toLowerCase()
    .replace(/^sha256=/, '')

/** Rejects a callback before its body is read if the connection is unknown or no signature is sent. */
export const admitCallback: Admit = ({ directory }, request, params) => {
  const known = directory.find(CALLING, params.connectionId ?? '') !== undefined
  const signature = bareSignature((request.headers.get('x-psp-signature') ?? '').slice(0, 200))
  if (!known || !/^[0-9a-f]{64}$/.test(signature)) throw pspErrors.bad_signature()
  return { maxBytes: CALLBACK_BYTES, tooLarge: () => tooLarge(CALLBACK_BYTES) }
}

/**
 * Takes a gateway's signed result for one deposit: HMAC-SHA256 over the raw body, hex, in `X-Psp-Signature`. A
 * repetition answers 200 and posts nothing; a success after a failure or a cancellation settles late. Any other
 * verified result posts nothing, is a 409, and becomes an exception for staff. RULES “Gateways”.
 */
export async function takeCallback(
  ctx: BoxCtx,
  connectionId: string,
  body: Uint8Array,
  signature: string,
): Promise<Static<typeof CallbackOut>> {
  const connection = ctx.directory.find(CALLING, connectionId)
  const gateway = connection && ctx.enter(connection.tenantId, { kind: 'gateway', id: connection.id })
  // an unknown connection gets the same answer as a wrong signature
  const secret =
    connection && gateway
      ? gateway.secrets.open(connection.secret, sealContext(connection.tenantId, connection.id))
      : new Uint8Array(32)
  const matches = constantTimeEqual(hmacSha256Hex(secret, body), bareSignature(signature))
  if (!connection || !gateway || !matches) throw pspErrors.bad_signature()
  if (connection.status !== 'active') throw pspErrors.disabled()
  const callback = parseCallback(body)
  const outcome = await gateway.write('deposit.gateway', (tx) => {
    tx.execute(HEARD, [tx.now, connection.id])
    return applyCallback(tx, connection, callback)
  })
  // the exception must be committed before the gateway is refused
  if (outcome instanceof Problem) throw outcome
  return outcome
}
