import { Elysia } from 'elysia'
import type { Guard } from '../../platform/http/guard.ts'
import { op } from '../../platform/http/openapi.ts'
import type { OpenMoney } from '../traders/open-money.ts'
import { MergeIn, MergeOut } from './merges.model.ts'
import { mergeTraders } from './merges.service.ts'

/** Two rows of one person become one. RULES “Merges”. */
export const mergeRoutes = (guard: Guard, openMoney: OpenMoney) =>
  new Elysia({ name: 'merges', tags: ['Traders'] })
    .use(guard)
    .post('/v1/admin/traders/merge', ({ ctx, body }) => mergeTraders(ctx, openMoney, body), {
      access: { scope: 'merges:write', role: 'manager', fresh: true },
      body: MergeIn,
      ...op('traders.merge', 'Merge a duplicate into another trader', { 200: MergeOut }, [409]),
    })
