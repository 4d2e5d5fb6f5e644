import { type Static, Type } from '@sinclair/typebox'
import { atLeast } from '../../../platform/access/catalogue.ts'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { requireFresh } from '../../../platform/access/fresh.ts'
import { findRole, findStaffId, refuseImpersonation } from '../../../platform/access/principal.ts'
import { notFound } from '../../../platform/problem.ts'
import { Line, Nullable, OneOf, Strict } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { LANGUAGES } from '../../../words/language.ts'
import { noteRename } from '../users/users.names.ts'
import { type UserRow, users } from '../users/users.table.ts'
import { staffErrors } from './staff.errors.ts'
import { shown, type User } from './staff.model.ts'

export const RenameIn = nameSchema(
  'OwnNameIn',
  Strict(
    { displayName: Type.Optional(Line(100)), locale: Type.Optional(Nullable(OneOf(LANGUAGES))) },
    { minProperties: 1 },
  ),
)

/** Refuses a rename unless its holder or an owner makes it in person, since names say who did what. */
export function mayRename(ctx: Ctx, { id }: UserRow): void {
  if (ctx.principal.kind === 'api_key') throw staffErrors.not_by_key()
  const role = findRole(ctx.principal)
  const isOwner = role !== null && atLeast(role, 'owner')
  if (!isOwner && id !== findStaffId(ctx.principal)) throw staffErrors.name_of_another()
}

/**
 * Changes the caller's own name, for which every role needs a fresh session, or language. 409 if the name is taken.
 * RULES “Staff accounts”.
 */
export async function changeMyself(
  ctx: Ctx,
  { displayName, locale }: Static<typeof RenameIn>,
  expect: number | undefined,
): Promise<User> {
  refuseImpersonation(ctx)
  if (ctx.principal.kind === 'api_key') throw staffErrors.not_by_key()
  const id = findStaffId(ctx.principal)
  if (id === null) throw notFound()
  return ctx.write('user.update', (tx) => {
    const before = tx.get(users, id)
    const changed = {
      displayName: displayName ?? before.displayName,
      locale: locale === undefined ? before.locale : locale,
    }
    if (changed.displayName !== before.displayName) requireFresh(ctx)
    noteRename(tx, ctx, before, changed.displayName)
    return shown(tx, tx.update(users, id, changed, { expect }))
  })
}
