import type { Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { type Ctx, createCtx } from '../../platform/access/ctx.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { type Admit, type Admitted, tooLarge } from '../../platform/http/body.ts'
import { amountOf } from '../../platform/http/fields.ts'
import { defineErrors, invalid, Problem } from '../../platform/http/problem.ts'
import { constantTimeEqual, hmacSha256Hex } from '../../platform/secrets.ts'
import { applyGatewayResult } from '../deposits/deposits.service.ts'
import { type DepositRow, deposits } from '../deposits/deposits.table.ts'
import { CallbackIn, type CallbackOut, type PspIn, type PspOut, type PspPatch, toPsp } from './psp.model.ts'
import { pspConnections } from './psp.table.ts'

const pspErrors = defineErrors('psp', {
  bad_signature: [401, 'The signature does not match the body.'],
  disabled: [409, 'This gateway connection is disabled.'],
  amount_mismatch: [409, 'The gateway names another amount than was announced; staff must settle this deposit.'],
  contradiction: [409, 'The deposit is closed with another result.'],
  unknown_deposit: [422, 'There is no such deposit for this gateway.'],
})

const contextOf = (tenantId: string, id: string): string => `psp:${tenantId}:${id}`

/** Connects a payment gateway; its secret is sealed and never shown again. */
export function createPsp(ctx: Ctx, input: Static<typeof PspIn>): Promise<Static<typeof PspOut>> {
  const id = ctx.platform.ids.next('psp')
  return ctx.write('psp.create', (tx) =>
    toPsp(
      tx.insert(pspConnections, {
        id,
        name: input.name,
        kind: input.kind,
        secret: ctx.secrets.seal(input.secret, contextOf(ctx.tenantId, id)),
      }),
    ),
  )
}

/** Changes name or status; a secret given replaces the stored one at once. */
export function updatePsp(
  ctx: Ctx,
  id: string,
  patch: Static<typeof PspPatch>,
  expect: number | undefined,
): Promise<Static<typeof PspOut>> {
  const { secret, ...rest } = patch
  return ctx.write('psp.update', (tx) => {
    const sealed = secret === undefined ? {} : { secret: ctx.secrets.seal(secret, contextOf(ctx.tenantId, id)) }
    return toPsp(tx.update(pspConnections, tx.get(pspConnections, id).id, { ...rest, ...sealed }, { expect }))
  })
}

/** Removes a connection: callbacks for it are refused from now on; its deposits stay. */
export function deletePsp(ctx: Ctx, id: string, expect: number | undefined): Promise<null> {
  return ctx.write('psp.delete', (tx) => {
    tx.remove(pspConnections, id, { expect })
    return null
  })
}

type Connection = { tenantId: string; id: string; secret: Uint8Array; status: string }
// The id alone says whose gateway calls: nobody is signed in here, the signature is the proof.
const FIND = `SELECT c.tenant_id AS tenantId, c.id, c.secret, c.status FROM psp_connections c
  JOIN tenants t ON t.id = c.tenant_id AND t.status = 'active' WHERE c.id = ? AND c.deleted_at IS NULL`

/** The body of a callback, believed only after its signature; unknown fields of a gateway are its own business. */
function parseCallback(body: Uint8Array): Static<typeof CallbackIn> {
  let parsed: unknown
  try {
    parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw new Problem(400, 'malformed_body', 'The body is not valid JSON.', [
      { path: 'body', code: 'json', message: 'must be JSON' },
    ])
  }
  if (Value.Check(CallbackIn, parsed)) return parsed
  const [first] = Value.Errors(CallbackIn, parsed)
  throw invalid(
    first?.path.replace(/^\//, '').replaceAll('/', '.') || 'body',
    'invalid',
    first?.message ?? 'is not valid',
  )
}

/** More than any gateway sends. */
export const CALLBACK_BYTES = 256 * 1024

const bareSignature = (header: string): string =>
  header
    .trim()
    .toLowerCase()
    .replace(/^sha256=/, '')

/** A callback that could not be believed anyway is not read: for no connection of ours, or without anything like a signature. */
export function admitCallback({ platform, request, params }: Parameters<Admit>[0]): Admitted {
  const known = platform.reader.get<Connection>(FIND, [params.connectionId ?? '']) !== undefined
  const signature = bareSignature((request.headers.get('x-psp-signature') ?? '').slice(0, 200))
  if (!known || !/^[0-9a-f]{64}$/.test(signature)) throw pspErrors.bad_signature()
  return { maxBytes: CALLBACK_BYTES, tooLarge: () => tooLarge(CALLBACK_BYTES) }
}

/**
 * Takes a gateway's signed result for one deposit: HMAC-SHA256 over the raw body, hex, in `X-Psp-Signature`. A repeat answers 200 and posts nothing; a
 * success after a failure settles late; any other contradiction is a 409. rules.md “Deposits”.
 */
export async function takeCallback(
  ctx: Ctx,
  connectionId: string,
  body: Uint8Array,
  signature: string,
): Promise<Static<typeof CallbackOut>> {
  const connection = ctx.platform.reader.get<Connection>(FIND, [connectionId])
  // an unknown connection is told nothing else than a wrong signature
  const secret = connection
    ? ctx.secrets.open(connection.secret, contextOf(connection.tenantId, connection.id))
    : new Uint8Array(32)
  const matches = constantTimeEqual(hmacSha256Hex(secret, body), bareSignature(signature))
  if (!connection || !matches) throw pspErrors.bad_signature()
  if (connection.status !== 'active') throw pspErrors.disabled()
  const callback = parseCallback(body)
  const gateway = createCtx(ctx.platform, {
    principal: { kind: 'gateway', id: connection.id },
    tenantId: connection.tenantId,
    requestId: ctx.requestId,
    ip: ctx.ip,
  })
  return gateway.write('deposit.gateway', (tx) => {
    tx.execute('UPDATE psp_connections SET last_callback_at = ?2 WHERE tenant_id = ?1 AND id = ?3', [
      tx.now,
      connection.id,
    ])
    return apply(tx, findDeposit(tx, connection.id, callback), callback)
  })
}

function findDeposit(tx: Tx, pspConnectionId: string, callback: Static<typeof CallbackIn>): DepositRow {
  const deposit =
    callback.depositId === undefined
      ? tx.find(deposits, { pspConnectionId, providerReference: callback.reference })
      : tx.find(deposits, { pspConnectionId, id: callback.depositId })
  if (!deposit)
    throw pspErrors.unknown_deposit({
      errors: [{ path: 'depositId', code: 'unknown', message: 'is not a deposit of this gateway' }],
    })
  return deposit
}

const RESULT = { settled: 'success', partially_settled: 'success', failed: 'failed' } as const

function apply(tx: Tx, deposit: DepositRow, callback: Static<typeof CallbackIn>): Static<typeof CallbackOut> {
  const answer = (outcome: 'applied' | 'noted' | 'repeated', row: DepositRow) => ({
    outcome,
    depositId: row.id,
    status: row.status,
  })
  if (callback.status === 'processing') return answer('noted', deposit)
  const { status } = deposit
  if (status === 'cancelled') throw pspErrors.contradiction({ detail: 'The deposit was cancelled.' })
  if (status !== 'pending') {
    const known = RESULT[status]
    const samePayment = deposit.providerReference === null || deposit.providerReference === callback.reference
    if (known === callback.status && samePayment) {
      if (callback.status === 'success') refuseOtherAmount(deposit, callback)
      // settled by hand before the gateway spoke: from now on this reference is its payment, and another one is another payment
      const { reference } = callback
      const row =
        deposit.providerReference === null ? tx.update(deposits, deposit.id, { providerReference: reference }) : deposit
      return answer('repeated', row)
    }
    if (!(status === 'failed' && callback.status === 'success')) throw pspErrors.contradiction()
  }
  if (callback.status === 'success') {
    // what was announced may be anything: only the gateway knows what was paid
    if (callback.amount === undefined) throw invalid('amount', 'required', 'is required for a success')
    if (callback.currency === undefined) throw invalid('currency', 'required', 'is required for a success')
    refuseOtherAmount(deposit, callback)
  }
  const result = {
    status: callback.status,
    reference: callback.reference,
    reason: callback.reason ?? '',
    late: status === 'failed',
  }
  return answer('applied', applyGatewayResult(tx, deposit, result))
}

function refuseOtherAmount(deposit: DepositRow, { amount, currency }: Static<typeof CallbackIn>): void {
  const other =
    (currency !== undefined && currency !== deposit.currency) ||
    (amount !== undefined &&
      ![deposit.amount, deposit.settledAmount].includes(amountOf('amount', amount, deposit.currency)))
  if (other) throw pspErrors.amount_mismatch()
}
