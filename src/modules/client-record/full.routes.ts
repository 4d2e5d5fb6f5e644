import { Elysia } from 'elysia'
import type { Guard } from '../../platform/http/guard.ts'
import { op } from '../../platform/http/openapi.ts'
import { IdParam } from '../../platform/wire/fields.ts'
import { readFull, TraderFull } from './full.ts'

const read = { scope: 'traders:read', role: 'viewer' } as const

/** All of one client in one answer. */
export const clientFullRoutes = (guard: Guard) =>
  new Elysia({ name: 'client-full', tags: ['Traders'] })
    .use(guard)
    .get('/v1/admin/traders/:id/full', ({ ctx, params }) => readFull(ctx, params.id), {
      access: read,
      params: IdParam,
      ...op(
        'traders.full',
        'A trader with the newest of everything that the caller may see',
        { 200: TraderFull },
        [404],
      ),
    })
