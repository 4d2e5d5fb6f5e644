import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { Page, readPage } from '../../../platform/http/lists/page.ts'
import { None, op } from '../../../platform/http/openapi/openapi.ts'
import { IdParam } from '../../../platform/wire/fields.ts'
import { ConfirmIn, ConnectionIn, ConnectionOut, ConnectionPatch, connectionList, TestIn } from './connections.model.ts'
import {
  confirmConnection,
  createConnection,
  deleteConnection,
  getConnection,
  showConnection,
  updateConnection,
} from './connections.service.ts'
import { TestOut } from './test.model.ts'
import { testConnection } from './test.service.ts'

const read = { scope: 'platforms:read', role: 'operator' } as const
const admin = { scope: 'platforms:write', role: 'admin' } as const
const owner = { scope: 'platforms:write', role: 'owner', fresh: true } as const

/** Trading servers that Brokerbase speaks to itself. RULES “Connections”. */
export const connectionRoutes = declareRoutes('Platforms')
  .get(
    '/v1/platforms/connections',
    ({ ctx, query }) => readPage(ctx, connectionList, query, (row) => showConnection(ctx, row)),
    {
      access: read,
      query: connectionList.query,
      ...op('platforms.connections.list', 'List connections to trading servers', { 200: Page(ConnectionOut) }),
    },
  )
  .post('/v1/platforms/connections', ({ ctx, body }) => createConnection(ctx, body), {
    access: owner,
    creates: true,
    body: ConnectionIn,
    ...op('platforms.connections.create', 'Connect a trading server', { 201: ConnectionOut }, [409]),
  })
  .get('/v1/platforms/connections/:id', ({ ctx, params }) => getConnection(ctx, params.id), {
    access: read,
    params: IdParam,
    ...op('platforms.connections.get', 'One connection to a trading server', { 200: ConnectionOut }, [404]),
  })
  .patch(
    '/v1/platforms/connections/:id',
    ({ ctx, params, body, expect }) => updateConnection(ctx, params.id, body, expect),
    {
      access: { ...admin, fresh: 'if it changes a guarded setting' },
      params: IdParam,
      body: ConnectionPatch,
      ...op(
        'platforms.connections.update',
        'Change a connection; guarded settings wait for a second person',
        { 200: ConnectionOut },
        [404],
      ),
    },
  )
  .delete('/v1/platforms/connections/:id', ({ ctx, params, expect }) => deleteConnection(ctx, params.id, expect), {
    access: owner,
    empty: true,
    params: IdParam,
    ...op('platforms.connections.delete', 'Remove a connection with its password', { 204: None }, [404]),
  })
  .post(
    '/v1/platforms/connections/:id/test',
    ({ ctx, params, body }) => testConnection(ctx, params.id, body.pending ?? false),
    {
      access: admin,
      params: IdParam,
      body: TestIn,
      ...op('platforms.connections.test', 'Test a connection; it reads only', { 200: TestOut }, [404, 409, 429]),
    },
  )
  .post(
    '/v1/platforms/connections/:id/confirm',
    ({ ctx, params, body }) => confirmConnection(ctx, params.id, body.version),
    {
      access: { ...admin, fresh: true },
      params: IdParam,
      body: ConfirmIn,
      ...op('platforms.connections.confirm', 'Confirm what an owner entered', { 200: ConnectionOut }, [404, 409]),
    },
  )
