import type { Ctx } from '../../../platform/access/ctx.ts'
import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { sendList } from '../../../platform/http/lists/list-file.ts'
import { Page, type Query, readPage } from '../../../platform/http/lists/page.ts'
import { Csv, None, op } from '../../../platform/http/openapi/openapi.ts'
import { IdParam } from '../../../platform/wire/fields.ts'
import { acceptInvite } from '../auth/auth.mailed-links.ts'
import { Accepted, AcceptInviteIn, Done } from '../auth/auth.model.ts'
import type { Owners } from '../auth/auth.owners.ts'
import { type UserRow, users } from '../users/users.table.ts'
import type { StaffHooks } from './staff.hooks.ts'
import { besideUsers, InviteIn, RolesIn, toUser, UserOut, UserPatch, userList, VouchIn } from './staff.model.ts'
import {
  deleteUser,
  inviteUser,
  resendInvite,
  resetTwoFactor,
  setRoles,
  updateUser,
  vouchFor,
} from './staff.service.ts'

const read = { scope: 'users:read', role: 'viewer' } as const
const write = { scope: 'users:write', role: 'admin' } as const

const listUsers = (ctx: Ctx, query: Query) => {
  const beside = besideUsers(ctx.db, ctx.now())
  return readPage(ctx, userList, query, (row) => toUser(row, beside))
}

const FILE = [
  'id',
  'createdAt',
  'displayName',
  'email',
  'status',
  'roles',
  'lastLoginAt',
  'alone',
  'belongsTo',
] as const

/** Sends the staff as a file. */
const exportUsers = (ctx: Ctx, query: Query): Promise<Response> => {
  const beside = besideUsers(ctx.db, ctx.now())
  const form = (row: UserRow) => {
    const { roles, independence, ...user } = toUser(row, beside)
    const { alone, belongsTo } = independence
    return { ...user, roles: roles.join(', '), alone, belongsTo: belongsTo.join(', ') }
  }
  return sendList(ctx, userList, query, { entity: 'user', form, columns: FILE })
}

const asFile = {
  access: { scope: 'users:read', role: 'manager', fresh: true },
  query: userList.exportQuery,
  ...op('users.export', 'Export staff users as CSV', { 200: Csv }),
} as const

/** The firm's staff. RULES “Staff accounts”. */
export const staffRoutes = (owners: Owners, hooks: StaffHooks) =>
  declareRoutes('Users')
    .get('/v1/users', ({ ctx, query }) => listUsers(ctx, query), {
      access: read,
      query: userList.query,
      ...op('users.list', 'List staff users', { 200: Page(UserOut) }),
    })
    .get('/v1/users/export.csv', ({ ctx, query }) => exportUsers(ctx, query), asFile)
    .post('/v1/users/invite', ({ ctx, body }) => inviteUser(ctx, body), {
      access: { ...write, fresh: true },
      creates: true,
      body: InviteIn,
      ...op('users.invite', 'Add a staff user, with a password or a mailed link', { 201: UserOut }, [409]),
    })
    .post('/v1/users/accept-invite', ({ ctx, body }) => acceptInvite(ctx, owners, body), {
      access: 'public',
      body: AcceptInviteIn,
      ...op('users.acceptInvite', 'Set the first password with the mailed token', { 200: Done }, [410]),
    })
    .get('/v1/users/:id', ({ ctx, params }) => toUser(ctx.db.get(users, params.id), besideUsers(ctx.db, ctx.now())), {
      access: read,
      params: IdParam,
      ...op('users.get', 'One staff user', { 200: UserOut }, [404]),
    })
    .patch('/v1/users/:id', ({ ctx, params, body, expect }) => updateUser(ctx, params.id, body, expect, hooks), {
      access: { ...write, fresh: true },
      params: IdParam,
      body: UserPatch,
      ...op('users.update', 'Rename, disable or enable a user', { 200: UserOut }, [404, 409]),
    })
    .delete('/v1/users/:id', ({ ctx, params, expect }) => deleteUser(ctx, params.id, expect, hooks), {
      access: { ...write, fresh: true },
      empty: true,
      params: IdParam,
      ...op('users.delete', 'Delete a user', { 204: None }, [404, 409]),
    })
    .patch('/v1/users/:id/roles', ({ ctx, params, body, expect }) => setRoles(ctx, params.id, body, expect), {
      access: { ...write, fresh: true },
      params: IdParam,
      body: RolesIn,
      ...op('users.setRoles', 'Set a user’s roles', { 200: UserOut }, [404, 409]),
    })
    .post('/v1/users/:id/resend-invite', ({ ctx, params }) => resendInvite(ctx, params.id), {
      access: { ...write, fresh: true },
      accepts: true,
      params: IdParam,
      ...op('users.resendInvite', 'Mail a new invite; the old link is void', { 202: Accepted }, [404, 409]),
    })
    .post('/v1/users/:id/vouch', ({ ctx, params, body }) => vouchFor(ctx, params.id, body), {
      access: { ...write, fresh: true },
      params: IdParam,
      body: VouchIn,
      ...op('users.vouch', 'Say as a third person that an account is its holder’s alone', { 200: UserOut }, [404, 409]),
    })
    .post('/v1/users/:id/2fa/reset', ({ ctx, params }) => resetTwoFactor(ctx, params.id), {
      access: { ...write, fresh: true },
      params: IdParam,
      ...op('users.resetTwoFactor', 'Take the second factor off a colleague who lost it', { 200: Done }, [404, 409]),
    })
