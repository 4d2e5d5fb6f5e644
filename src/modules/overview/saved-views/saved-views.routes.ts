import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { None, op } from '../../../platform/http/openapi/openapi.ts'
import { IdParam } from '../../../platform/wire/fields.ts'
import { SavedViewIn, SavedViewOut, SavedViewPatch, SavedViewQuery, SavedViewsOut } from './saved-views.model.ts'
import { createSavedView, deleteSavedView, listSavedViews, updateSavedView } from './saved-views.service.ts'

/** Every colleague may have views of their own. */
const access = { any: true, role: 'viewer' } as const

/** Saved views of the console's lists, own ones and shared ones. */
export const savedViewRoutes = declareRoutes('Saved views')
  .get('/v1/saved-views', ({ ctx, query }) => listSavedViews(ctx, query.list), {
    access,
    query: SavedViewQuery,
    ...op('savedViews.list', 'Own and shared views of a list', { 200: SavedViewsOut }),
  })
  .post('/v1/saved-views', ({ ctx, body }) => createSavedView(ctx, body), {
    access,
    creates: true,
    body: SavedViewIn,
    ...op('savedViews.create', 'Keep a view of a list under a name', { 201: SavedViewOut }, [409]),
  })
  .patch('/v1/saved-views/:id', ({ ctx, params, body, expect }) => updateSavedView(ctx, params.id, body, expect), {
    access,
    params: IdParam,
    body: SavedViewPatch,
    ...op('savedViews.update', 'Change a view', { 200: SavedViewOut }, [404, 409]),
  })
  .delete('/v1/saved-views/:id', ({ ctx, params, expect }) => deleteSavedView(ctx, params.id, expect), {
    access,
    empty: true,
    params: IdParam,
    ...op('savedViews.delete', 'Remove a view', { 204: None }, [404]),
  })
