import { Elysia } from 'elysia'
import type { Guard } from '../../platform/http/guard.ts'
import { op } from '../../platform/http/openapi.ts'
import { RenameIn, renameMyself } from './renaming.ts'
import { UserOut } from './staff.model.ts'

/** The name of whoever is signed in. RULES “Staff accounts”. */
export const nameRoutes = (guard: Guard) =>
  new Elysia({ name: 'own-name', tags: ['Authentication'] })
    .use(guard)
    .patch('/v1/auth/me', ({ ctx, body, expect }) => renameMyself(ctx, body, expect), {
      access: { scope: 'users:write', role: 'viewer', fresh: true },
      body: RenameIn,
      ...op('auth.rename', 'Change one’s own name', { 200: UserOut }, [409]),
    })
