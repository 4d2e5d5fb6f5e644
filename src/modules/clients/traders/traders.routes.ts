import type { Ctx } from '../../../platform/access/ctx.ts'
import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { Page, type Query, readPage } from '../../../platform/http/lists/page.ts'
import { Csv, None, op } from '../../../platform/http/openapi/openapi.ts'
import { IdParam } from '../../../platform/wire/fields.ts'
import { RESTORE_DAYS } from '../../../words/rule-figures.ts'
import { Accepted } from '../../firm/auth/auth.model.ts'
import { inviteTrader } from './client-access.ts'
import { exportTraders } from './traders.export.ts'
import type { TraderHooks } from './traders.hooks.ts'
import { TraderIn, TraderOut, TraderPatch, toTrader, traderList } from './traders.model.ts'
import { createTrader, deleteTrader, restoreTrader, updateTrader } from './traders.service.ts'
import { traders } from './traders.table.ts'

const read = { scope: 'traders:read', role: 'viewer' } as const
const write = { scope: 'traders:write', role: 'operator' } as const
const remove = { scope: 'traders:write', role: 'manager', fresh: true } as const

const listTraders = (ctx: Ctx, { whereActed }: TraderHooks, query: Query) =>
  readPage(ctx, traderList, query, toTrader, {}, whereActed(query, ctx))

/** Clients of the firm. RULES “Traders”. */
export const traderRoutes = (hooks: TraderHooks) =>
  declareRoutes('Traders')
    .get('/v1/traders', ({ ctx, query }) => listTraders(ctx, hooks, query), {
      access: read,
      query: traderList.query,
      ...op('traders.list', 'List traders', { 200: Page(TraderOut) }),
    })
    .get('/v1/traders/export.csv', ({ ctx, query }) => exportTraders(ctx, hooks, query), {
      access: { scope: 'traders:read', role: 'manager', fresh: true },
      query: traderList.exportQuery,
      ...op('traders.export', 'Export clients as CSV', { 200: Csv }),
    })
    .post('/v1/traders', ({ ctx, body }) => createTrader(ctx, hooks, body), {
      access: write,
      creates: true,
      body: TraderIn,
      ...op('traders.create', 'Create a trader', { 201: TraderOut }, [409]),
    })
    .get('/v1/traders/:id', ({ ctx, params }) => toTrader(ctx.db.get(traders, params.id, { withDeleted: true })), {
      access: read,
      params: IdParam,
      ...op('traders.get', 'One trader, deleted ones too', { 200: TraderOut }, [404]),
    })
    .patch('/v1/traders/:id', ({ ctx, params, body, expect }) => updateTrader(ctx, hooks, params.id, body, expect), {
      access: { ...write, fresh: 'if it lifts a block, or changes the address or who brought the client' },
      params: IdParam,
      body: TraderPatch,
      ...op('traders.update', 'Change a trader', { 200: TraderOut }, [404, 409]),
    })
    .delete('/v1/traders/:id', ({ ctx, params, expect }) => deleteTrader(ctx, hooks, params.id, expect), {
      access: remove,
      empty: true,
      params: IdParam,
      ...op('traders.delete', `Delete a trader (restorable for ${RESTORE_DAYS} days)`, { 204: None }, [404, 409]),
    })
    .post('/v1/traders/:id/restore', ({ ctx, params }) => restoreTrader(ctx, params.id), {
      access: remove,
      params: IdParam,
      ...op('traders.restore', 'Restore a deleted trader', { 200: TraderOut }, [404, 409]),
    })
    .post('/v1/traders/:id/invite', ({ ctx, params }) => inviteTrader(ctx, params.id), {
      access: { ...write, fresh: true },
      accepts: true,
      params: IdParam,
      ...op('traders.invite', 'Mail the trader a one-time link to set a password', { 202: Accepted }, [404, 409]),
    })
