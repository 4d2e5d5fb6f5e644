import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { None, op } from '../../../platform/http/openapi/openapi.ts'
import { IdParam } from '../../../platform/wire/fields.ts'
import { ConversionOut, ConvertQuery, GlobalRateIn, RatesOut, RatesQuery, UpsertIn } from './fx.model.ts'
import { removeRate } from './fx.removal.ts'
import { convertAmount, listRates, setPoolRate, upsertRates } from './fx.service.ts'

const read = { scope: 'fx:read', role: 'viewer' } as const
const write = { scope: 'fx:write', role: 'admin' } as const

/** Exchange rates of the firm and of the pool. RULES “FX”. */
export const fxRoutes = declareRoutes('Exchange rates')
  .get('/v1/fx/rates', ({ ctx, query }) => listRates(ctx, query), {
    access: read,
    query: RatesQuery,
    ...op('fx.rates.list', 'The firm’s rates over the global pool, with source and age', { 200: RatesOut }),
  })
  .post('/v1/fx/rates/upsert', ({ ctx, body }) => upsertRates(ctx, body), {
    access: { ...write, fresh: true },
    body: UpsertIn,
    exactNumbers: true,
    ...op('fx.rates.upsert', 'Set rates; the global pool needs platform_admin', { 200: RatesOut }, [], {
      another: 'A rate far from that of the day before holds for nothing until another person sends it too.',
    }),
  })
  .get('/v1/fx/convert', ({ ctx, query }) => convertAmount(ctx, query), {
    access: read,
    query: ConvertQuery,
    ...op('fx.convert', 'Convert an amount; tells rate, source and age', { 200: ConversionOut }),
  })
  .delete('/v1/fx/rates/:id', ({ ctx, params }) => removeRate(ctx, params.id), {
    access: { ...write, fresh: true },
    empty: true,
    params: IdParam,
    ...op('fx.rates.remove', 'Remove a rate of the firm', { 204: None }, [404, 409]),
  })
  .get('/v1/admin/fx-rates', ({ ctx }) => listRates(ctx), {
    access: read,
    ...op('fx.admin.list', 'Current rates', { 200: RatesOut }),
  })
  .post('/v1/admin/fx-rates', ({ ctx, body }) => setPoolRate(ctx, body), {
    access: { scope: 'fx:write', role: 'platform_admin', fresh: true },
    body: GlobalRateIn,
    exactNumbers: true,
    ...op('fx.admin.set', 'Set or overwrite a rate of the global pool', { 200: RatesOut }, [], {
      another: 'A rate far from that of the day before holds for nothing until another person sends it too.',
    }),
  })
