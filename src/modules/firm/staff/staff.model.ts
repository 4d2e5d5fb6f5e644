import { type Static, Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { ROLES } from '../../../platform/access/catalogue.ts'
import { toIso } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { containing, holds } from '../../../platform/db/search.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { equals, filter } from '../../../platform/http/lists/list-filters.ts'
import { defineList } from '../../../platform/http/lists/page.ts'
import {
  Email,
  Id,
  Line,
  Nullable,
  OneOf,
  Password,
  Prose,
  Strict,
  Time,
  Version,
} from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { type People, readPeople } from '../independence/people.ts'
import { formerNames } from '../users/users.names.ts'
import { USER_STATUS, type UserRow, users } from '../users/users.table.ts'

const RoleName = nameSchema('Role', OneOf(ROLES))
const Roles = Type.Array(RoleName, { minItems: 1, maxItems: ROLES.length, uniqueItems: true })

export const InviteIn = nameSchema(
  'UserInviteIn',
  Strict({
    email: Email,
    displayName: Line(100),
    roles: Roles,
    password: Type.Optional(Password),
    sendInviteLink: Type.Optional(
      Type.Boolean({ description: 'mail a one-time link; default true where no password is given' }),
    ),
  }),
)
export const UserPatch = nameSchema(
  'UserPatch',
  Strict({
    displayName: Type.Optional(Line(100)),
    status: Type.Optional(OneOf(['active', 'disabled'], { description: 'disabling ends sessions and keys at once' })),
  }),
)
export const VouchIn = nameSchema('UserVouchIn', Strict({ note: Prose(1000) }))
export const RolesIn = nameSchema('UserRolesIn', Strict({ roles: Roles }))

export const UserOut = nameSchema(
  'User',
  Type.Object({
    id: Id,
    email: Type.String(),
    displayName: Type.String(),
    formerNames: Type.Array(Type.Object({ name: Type.String(), until: Time }), {
      description: 'oldest first; what they did until then was done under that name',
    }),
    roles: Type.Array(RoleName),
    status: OneOf(USER_STATUS),
    lastLoginAt: Nullable(Time),
    independence: Type.Object(
      {
        alone: Type.Boolean(),
        belongsTo: Type.Array(Id),
        since: Nullable(Time),
        why: Type.String(),
      },
      { description: 'whether votes about money count from this account, and whose it also is' },
    ),
    version: Version,
    createdAt: Time,
    updatedAt: Time,
  }),
)
export type User = Static<typeof UserOut>

/** What a user's wire form has besides the row: who controls the account, and former names. */
type Beside = { people: Pick<People, 'independence'>; former: ReturnType<typeof formerNames> }
export const besideUsers = (db: Reader, now: number): Beside => ({
  people: readPeople(db, now),
  former: formerNames(db),
})

/** Returns the wire form of a user with the changes of this transaction. */
export const shown = (tx: Tx, user: UserRow): User => toUser(user, besideUsers(tx, tx.now))

export const toUser = (row: UserRow, { people, former }: Beside): User => ({
  id: row.id,
  email: row.email,
  displayName: row.displayName,
  formerNames: former(row.id),
  roles: [...row.roles],
  status: row.status,
  lastLoginAt: row.lastLoginAt === null ? null : toIso(row.lastLoginAt),
  independence: toIndependence(row.id, people),
  version: row.version,
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
})

const toIndependence = (id: string, people: Pick<People, 'independence'>): User['independence'] => {
  const { since, ...standing } = people.independence(id)
  return { ...standing, since: since === null ? null : toIso(since) }
}

export const userList = defineList({
  name: 'users',
  table: users,
  sorts: {
    createdAt: 'createdAt',
    displayName: 'displayName',
    lastLoginAt: 'lastLoginAt',
    email: 'email',
    status: 'status',
  },
  filters: {
    status: equals(users.status),
    role: filter(RoleName, sql`EXISTS (SELECT 1 FROM json_each(${users.roles}) WHERE value = ?)`),
    q: filter(
      Type.String({ minLength: 1, maxLength: 100, description: 'part of the name or the e-mail address' }),
      sql`(${holds(users.displayName, sql`?`)} OR ${holds(users.email, sql`?`)})`,
      (text) => [containing(text), containing(text)],
    ),
  },
})
