import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { op } from '../../../platform/http/openapi/openapi.ts'
import { SearchOut, SearchQuery } from './search.model.ts'
import { search } from './search.service.ts'

/** The search of the console (Ctrl-K). */
export const searchRoutes = declareRoutes('Search').get('/v1/search', ({ ctx, query }) => search(ctx, query.q), {
  access: { scope: 'traders:read', role: 'viewer' },
  query: SearchQuery,
  ...op('search.all', 'Clients, accounts, money, tickets, leads, affiliates and users by text', { 200: SearchOut }),
})
