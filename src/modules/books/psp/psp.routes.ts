import { RawBody } from '../../../platform/http/body/body.ts'
import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { Page, readPage } from '../../../platform/http/lists/page.ts'
import { None, op } from '../../../platform/http/openapi/openapi.ts'
import { Id, IdParam, Strict } from '../../../platform/wire/fields.ts'
import { closeException } from './psp.exceptions.ts'
import {
  CallbackIn,
  CallbackOut,
  CloseExceptionIn,
  ExceptionOut,
  exceptionList,
  PspIn,
  PspOut,
  PspPatch,
  pspList,
  toException,
  toPsp,
} from './psp.model.ts'
import { admitCallback, CALLBACK_BYTES, createPsp, deletePsp, takeCallback, updatePsp } from './psp.service.ts'

const read = { scope: 'psp:read', role: 'admin' } as const
const write = { scope: 'psp:write', role: 'admin' } as const

const SIGNATURE = {
  name: 'X-Psp-Signature',
  description: 'HMAC-SHA256 of the raw body under the connection’s secret, in hex',
  pattern: '^(sha256=)?[0-9a-fA-F]{64}$',
  example: '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
}

const connectionRoutes = declareRoutes('Payment gateways')
  .get('/v1/psp/connections', ({ ctx, query }) => readPage(ctx, pspList, query, (row) => toPsp(row, ctx.db)), {
    access: read,
    query: pspList.query,
    ...op('psp.list', 'List payment gateways', { 200: Page(PspOut) }),
  })
  .post('/v1/psp/connections', ({ ctx, body }) => createPsp(ctx, body), {
    access: { ...write, fresh: true },
    creates: true,
    body: PspIn,
    ...op('psp.create', 'Connect a payment gateway', { 201: PspOut }),
  })
  .patch('/v1/psp/connections/:id', ({ ctx, params, body, expect }) => updatePsp(ctx, params.id, body, expect), {
    access: { ...write, fresh: true },
    params: IdParam,
    body: PspPatch,
    ...op('psp.update', 'Change a gateway or replace its secret', { 200: PspOut }, [404]),
  })
  .delete('/v1/psp/connections/:id', ({ ctx, params, expect }) => deletePsp(ctx, params.id, expect), {
    access: { ...write, fresh: true },
    empty: true,
    params: IdParam,
    ...op('psp.delete', 'Remove a gateway', { 204: None }, [404]),
  })

const callbackRoutes = declareRoutes('Payment gateways')
  .get('/v1/psp/exceptions', ({ ctx, query }) => readPage(ctx, exceptionList, query, toException), {
    access: { scope: 'psp:read', role: 'manager' },
    query: exceptionList.query,
    ...op('psp.exceptions.list', 'Believed gateway words that contradict our books', {
      200: Page(ExceptionOut),
    }),
  })
  .post(
    '/v1/psp/exceptions/:id/close',
    ({ ctx, params, body, expect }) => closeException(ctx, params.id, body, expect),
    {
      access: { scope: 'psp:write', role: 'manager', fresh: 'if the deposit that it names reaches the threshold' },
      params: IdParam,
      body: CloseExceptionIn,
      ...op('psp.exceptions.close', 'Close an exception with a reason', { 200: ExceptionOut }, [404, 409, 412]),
    },
  )
  .post(
    '/v1/psp/:connectionId/callback',
    ({ ctx, params, body, request }) =>
      takeCallback(ctx, params.connectionId, body, request.headers.get('x-psp-signature') ?? ''),
    {
      access: 'public',
      params: Strict({ connectionId: Id }),
      body: RawBody('application/json', {
        maxBytes: CALLBACK_BYTES,
        admit: admitCallback,
        holds: CallbackIn,
        signature: SIGNATURE,
      }),
      ...op('psp.callback', 'Signed result of a gateway for one deposit', { 200: CallbackOut }, [401, 409, 422]),
    },
  )

/** Payment gateways and their signed results. */
export const pspRoutes = connectionRoutes.and(callbackRoutes)
