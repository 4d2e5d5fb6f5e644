import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { op } from '../../../platform/http/openapi/openapi.ts'
import { IdParam } from '../../../platform/wire/fields.ts'
import { LeavesBehindOut, readLeavesBehind } from './leaves-behind.ts'

/** What colleagues leave behind. RULES “Staff accounts”. */
export const leaverRoutes = declareRoutes('Users').get(
  '/v1/users/:id/leaves-behind',
  ({ ctx, params }) => readLeavesBehind(ctx, params.id),
  {
    access: { scope: 'users:read', role: 'admin' },
    params: IdParam,
    ...op('users.leavesBehind', 'What a colleague knows, made or entered', { 200: LeavesBehindOut }, [404]),
  },
)
