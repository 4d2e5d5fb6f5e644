import type { Static } from '@sinclair/typebox'
import { atLeast } from '../../../platform/access/catalogue.ts'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { findRole, findStaffId } from '../../../platform/access/principal.ts'
import { KIB } from '../../../platform/bytes.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { invalid, notFound } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'
import { users } from '../../firm/users/users.table.ts'
import { MOST_OF_A_LIST, MOST_OF_A_PERSON, MOST_SHARED_BY_ONE, savedViewErrors } from './saved-views.errors.ts'
import { reasonAgainst } from './saved-views.filters.ts'
import { isListName, LIST_NAMES, type ListName } from './saved-views.lists.ts'
import {
  type SavedView,
  type SavedViewIn,
  type SavedViewPatch,
  type SavedViewsOut,
  toSavedView,
  toSavedViews,
} from './saved-views.model.ts'
import { type SavedViewRow, savedViews } from './saved-views.table.ts'

/** Filters and look may have this many bytes of JSON: real views need a tenth, and a hundred must not be megabytes. */
const MOST_BYTES = 4 * KIB

const mayShare = (ctx: Ctx): boolean => {
  const role = findRole(ctx.principal)
  return role !== null && atLeast(role, 'manager')
}
const me = (ctx: Ctx): string => {
  const id = findStaffId(ctx.principal)
  if (id === null) throw notFound()
  return id
}
const shown = (db: Reader, row: SavedViewRow): SavedView =>
  toSavedView(row, db.get(users, row.userId, { withDeleted: true }).displayName)

/** Returns the caller's own views of a list and the shared ones, by name. */
export function listSavedViews(ctx: Ctx, list: ListName): Static<typeof SavedViewsOut> {
  const options = { orderBy: 'name', limit: MOST_OF_A_LIST } as const
  const own = ctx.db.list(savedViews, { userId: me(ctx), list }, options)
  const others = ctx.db.list(savedViews, { list, shared: true }, options).filter(({ userId }) => userId !== me(ctx))
  const rows = [...own, ...others]
  const owners = ctx.db.list(users, { id: [...new Set(rows.map(({ userId }) => userId))] }, { withDeleted: true })
  const names = new Map(owners.map(({ id, displayName }) => [id, displayName]))
  return toSavedViews(
    list,
    rows.map((row) => toSavedView(row, names.get(row.userId) ?? '')),
  )
}

type Kept = { filters?: Readonly<Record<string, string>>; look?: object }

/** Refuses values that may name a client, which an erasure would not find here, and those that the list refuses. */
function checkKept(list: string, { filters = {}, look = {} }: Kept): void {
  for (const [name, part] of Object.entries({ filters, look }))
    if (Buffer.byteLength(JSON.stringify(part)) > MOST_BYTES)
      throw invalid(name, 'too_large', say('saved-views.field.too_large', { kib: MOST_BYTES / KIB }))
  for (const [name, value] of Object.entries(filters)) {
    const reason = isListName(list) ? reasonAgainst(list, name, value) : 'unknown'
    if (reason === 'names') throw invalid(`filters.${name}`, 'not_allowed', say('saved-views.field.not_kept'))
    if (reason === 'unknown') throw invalid(`filters.${name}`, 'unknown', say('saved-views.field.not_of_list'))
  }
}

type Match = { list: string | string[]; userId?: string; shared?: true }
const isFull = (tx: Tx, match: Match, most: number): boolean =>
  tx.list(savedViews, match, { limit: most }).length >= most

/** Refuses a shared view above the limits, so that one manager cannot use up the room of all. */
function checkSharedRoom(tx: Tx, { list, userId }: Pick<SavedViewRow, 'list' | 'userId'>): void {
  if (isFull(tx, { list, shared: true }, MOST_OF_A_LIST)) throw savedViewErrors.too_many()
  if (isFull(tx, { list, userId, shared: true }, MOST_SHARED_BY_ONE)) throw savedViewErrors.too_many_shared()
}

function checkRoom(tx: Tx, view: Pick<SavedViewRow, 'list' | 'userId' | 'shared'>): void {
  const { list, userId, shared } = view
  if (isFull(tx, { list, userId }, MOST_OF_A_LIST)) throw savedViewErrors.too_many()
  // views that an older version stored for other lists do not count, since nobody can see or remove them
  if (isFull(tx, { list: [...LIST_NAMES], userId }, MOST_OF_A_PERSON)) throw savedViewErrors.too_many_own()
  if (shared) checkSharedRoom(tx, view)
}

/** Makes this the view that a list opens with, instead of the former one; shared and own views have one each. */
function takePlace(tx: Tx, view: Pick<SavedViewRow, 'list' | 'userId' | 'shared'>, id: string): void {
  const { list, userId, shared } = view
  const match = shared ? ({ list, shared, isDefault: true } as const) : { list, userId, shared, isDefault: true }
  for (const row of tx.list(savedViews, match)) if (row.id !== id) tx.update(savedViews, row.id, { isDefault: false })
}

/** Stores a view of a list: 409 for a taken name, 403 for sharing below manager. */
export function createSavedView(ctx: Ctx, input: Static<typeof SavedViewIn>): Promise<SavedView> {
  const userId = me(ctx)
  checkKept(input.list, input)
  const view = { ...input, userId, shared: input.shared ?? false, isDefault: input.isDefault ?? false }
  if (view.shared && !mayShare(ctx)) throw savedViewErrors.sharing()
  return ctx.write('saved_view.create', (tx) => {
    checkRoom(tx, view)
    const row = tx.insert(savedViews, view)
    if (view.isDefault) takePlace(tx, row, row.id)
    return shown(tx, row)
  })
}

/** Returns a view that the caller may change: an own one, or for managers a shared one; 404 if they do not see it. */
function getChangeable(tx: Tx, ctx: Ctx, id: string): SavedViewRow {
  const row = tx.get(savedViews, id)
  if (row.userId === me(ctx)) return row
  if (!row.shared) throw notFound()
  if (!mayShare(ctx)) throw savedViewErrors.sharing()
  return row
}

/** Changes a view. Changing a shared view, and sharing one, needs a manager. */
export function updateSavedView(
  ctx: Ctx,
  id: string,
  patch: Static<typeof SavedViewPatch>,
  expect: number | undefined,
): Promise<SavedView> {
  return ctx.write('saved_view.update', (tx) => {
    const before = getChangeable(tx, ctx, id)
    const shared = patch.shared ?? before.shared
    if ((shared || before.shared) && !mayShare(ctx)) throw savedViewErrors.sharing()
    checkKept(before.list, patch)
    if (shared && !before.shared) checkSharedRoom(tx, before)
    const row = tx.update(savedViews, id, patch, { expect })
    if (row.isDefault) takePlace(tx, row, id)
    return shown(tx, row)
  })
}

/** Removes an own view, or for managers a shared one. */
export function deleteSavedView(ctx: Ctx, id: string, expect: number | undefined): Promise<null> {
  return ctx.write('saved_view.delete', (tx) => {
    getChangeable(tx, ctx, id)
    tx.remove(savedViews, id, { expect })
    return null
  })
}
