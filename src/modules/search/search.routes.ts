import { Elysia } from 'elysia'
import type { Guard } from '../../platform/http/guard.ts'
import { op } from '../../platform/http/openapi.ts'
import { SearchOut, SearchQuery } from './search.model.ts'
import { search } from './search.service.ts'

/** The console's Ctrl-K. */
export const searchRoutes = (guard: Guard) =>
  new Elysia({ name: 'search', tags: ['Search'] })
    .use(guard)
    .get('/v1/search', ({ ctx, query }) => search(ctx, query.q), {
      access: { scope: 'traders:read', role: 'viewer' },
      query: SearchQuery,
      ...op('search.all', 'Clients, accounts, money, tickets, leads, affiliates and users by text', { 200: SearchOut }),
    })
