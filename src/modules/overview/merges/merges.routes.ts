import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { op } from '../../../platform/http/openapi/openapi.ts'
import { MergeIn, MergeOut } from './merges.model.ts'
import type { MergeHooks } from './merges.preview.ts'
import { mergeTraders } from './merges.service.ts'

/** Merging two clients who are the same person. RULES “Merges”. */
export const mergeRoutes = (hooks: MergeHooks) =>
  declareRoutes('Traders').post('/v1/admin/traders/merge', ({ ctx, body }) => mergeTraders(ctx, hooks, body), {
    access: { scope: 'merges:write', role: 'manager', fresh: true },
    body: MergeIn,
    ...op('traders.merge', 'Merge a duplicate into another trader', { 200: MergeOut }, [409]),
  })
