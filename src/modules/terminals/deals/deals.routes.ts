import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { sendList } from '../../../platform/http/lists/list-file.ts'
import { Page, readPage } from '../../../platform/http/lists/page.ts'
import { Csv, op } from '../../../platform/http/openapi/openapi.ts'
import { DealOut, dealList, toDealOut, toRow } from './deals.model.ts'

const read = { scope: 'platforms:read', role: 'manager' } as const

/** The deals of the trading servers, as they were read. RULES “Deals, legs, closings”. */
export const dealRoutes = declareRoutes('Platforms')
  .get('/v1/platforms/deals', ({ ctx, query }) => readPage(ctx, dealList, query, (row) => toDealOut(ctx.db, row)), {
    access: read,
    query: dealList.query,
    ...op('platforms.deals.list', 'Deals as they were read', { 200: Page(DealOut) }),
  })
  .get(
    '/v1/platforms/deals/export.csv',
    ({ ctx, query }) => sendList(ctx, dealList, query, { entity: 'terminal_deal', form: toRow }),
    {
      access: { ...read, fresh: true },
      query: dealList.exportQuery,
      ...op('platforms.deals.export', 'Export deals as CSV', { 200: Csv }),
    },
  )
