import { routesOf } from '../../../platform/http/front/routes.ts'
import { op } from '../../../platform/http/openapi/openapi.ts'
import { RenameIn, renameMyself } from './renaming.ts'
import { UserOut } from './staff.model.ts'

/** The name of whoever is signed in. RULES “Staff accounts”. */
export const nameRoutes = routesOf('Authentication').patch(
  '/v1/auth/me',
  ({ ctx, body, expect }) => renameMyself(ctx, body, expect),
  {
    access: { scope: 'users:write', role: 'viewer', fresh: true },
    body: RenameIn,
    ...op('auth.rename', 'Change one’s own name', { 200: UserOut }, [409]),
  },
)
