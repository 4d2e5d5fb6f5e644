import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { op } from '../../../platform/http/openapi/openapi.ts'
import { changeMyself, RenameIn } from './renaming.ts'
import { UserOut } from './staff.model.ts'

/** The caller's own name and language. RULES “Staff accounts”. */
export const nameRoutes = declareRoutes('Authentication').patch(
  '/v1/auth/me',
  ({ ctx, body, expect }) => changeMyself(ctx, body, expect),
  {
    access: { scope: 'users:write', role: 'viewer', fresh: 'if the name changes' },
    body: RenameIn,
    ...op('auth.rename', 'Change one’s own name or language', { 200: UserOut }, [409]),
  },
)
