import type { Static } from '@sinclair/typebox'
import { atLeast } from '../../platform/access/catalogue.ts'
import type { Ctx } from '../../platform/access/ctx.ts'
import { roleOf, staffIdOf } from '../../platform/access/principal.ts'
import type { Reader } from '../../platform/db/reader.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { invalid, notFound } from '../../platform/http/problem.ts'
import { say } from '../../words/say.ts'
import { users } from '../users/users.table.ts'
import { savedViewErrors } from './saved-views.errors.ts'
import {
  type SavedView,
  type SavedViewIn,
  type SavedViewPatch,
  type SavedViewsOut,
  toSavedView,
} from './saved-views.model.ts'
import { type SavedViewRow, savedViews } from './saved-views.table.ts'

/** Views of one person, and shared ones, of one list. */
const MOST_OF_A_LIST = 50

const mayShare = (ctx: Ctx): boolean => {
  const role = roleOf(ctx.principal)
  return role !== null && atLeast(role, 'manager')
}
const me = (ctx: Ctx): string => {
  const id = staffIdOf(ctx.principal)
  if (id === null) throw notFound()
  return id
}
const shown = (db: Reader, row: SavedViewRow): SavedView =>
  toSavedView(row, db.get(users, row.userId, { withDeleted: true }).displayName)

/** The caller's own views of a list and the shared ones, by name. */
export function listSavedViews(ctx: Ctx, list: string): Static<typeof SavedViewsOut> {
  const options = { orderBy: 'name', limit: MOST_OF_A_LIST } as const
  const own = ctx.db.list(savedViews, { userId: me(ctx), list }, options)
  const others = ctx.db.list(savedViews, { list, shared: true }, options).filter(({ userId }) => userId !== me(ctx))
  const rows = [...own, ...others]
  const owners = ctx.db.list(users, { id: [...new Set(rows.map(({ userId }) => userId))] }, { withDeleted: true })
  const names = new Map(owners.map(({ id, displayName }) => [id, displayName]))
  return { data: rows.map((row) => toSavedView(row, names.get(row.userId) ?? '')), nextCursor: null }
}

/** What was typed into the search may name a client, whom nobody would find here to erase. */
function checkFilters(filters: Readonly<Record<string, string>> | undefined): void {
  if (filters && 'q' in filters) throw invalid('filters.q', 'not_allowed', say('saved-views.field.searchNotKept'))
}

function checkRoom(tx: Tx, match: { list: string; userId: string } | { list: string; shared: true }): void {
  if (tx.list(savedViews, match, { limit: MOST_OF_A_LIST }).length >= MOST_OF_A_LIST) throw savedViewErrors.too_many()
}

/** A list opens with one view: the one before it no longer does. A shared one and an own one do not meet. */
function takePlace(tx: Tx, view: Pick<SavedViewRow, 'list' | 'userId' | 'shared'>, id: string): void {
  const { list, userId, shared } = view
  const match = shared ? ({ list, shared, isDefault: true } as const) : { list, userId, shared, isDefault: true }
  for (const row of tx.list(savedViews, match)) if (row.id !== id) tx.update(savedViews, row.id, { isDefault: false })
}

/** Keeps a view of a list under a name: 409 for a name that is taken, 403 for sharing below manager. */
export function createSavedView(ctx: Ctx, input: Static<typeof SavedViewIn>): Promise<SavedView> {
  const userId = me(ctx)
  checkFilters(input.filters)
  const view = { ...input, userId, shared: input.shared ?? false, isDefault: input.isDefault ?? false }
  if (view.shared && !mayShare(ctx)) throw savedViewErrors.sharing()
  return ctx.write('saved_view.create', (tx) => {
    checkRoom(tx, { list: view.list, userId })
    if (view.shared) checkRoom(tx, { list: view.list, shared: true })
    const row = tx.insert(savedViews, view)
    if (view.isDefault) takePlace(tx, row, row.id)
    return shown(tx, row)
  })
}

/** A view that the caller may change: their own, or a shared one for managers; 404 for what they do not see. */
function changeable(tx: Tx, ctx: Ctx, id: string): SavedViewRow {
  const row = tx.get(savedViews, id)
  if (row.userId === me(ctx)) return row
  if (!row.shared) throw notFound()
  if (!mayShare(ctx)) throw savedViewErrors.sharing()
  return row
}

/** Changes a view; what is shared, or is to be, needs a manager. */
export function updateSavedView(
  ctx: Ctx,
  id: string,
  patch: Static<typeof SavedViewPatch>,
  expect: number | undefined,
): Promise<SavedView> {
  checkFilters(patch.filters)
  return ctx.write('saved_view.update', (tx) => {
    const before = changeable(tx, ctx, id)
    const shared = patch.shared ?? before.shared
    if ((shared || before.shared) && !mayShare(ctx)) throw savedViewErrors.sharing()
    if (shared && !before.shared) checkRoom(tx, { list: before.list, shared: true })
    const row = tx.update(savedViews, id, patch, { expect })
    if (row.isDefault) takePlace(tx, row, id)
    return shown(tx, row)
  })
}

/** Removes a view: one's own, or a shared one by a manager. */
export function deleteSavedView(ctx: Ctx, id: string, expect: number | undefined): Promise<null> {
  return ctx.write('saved_view.delete', (tx) => {
    changeable(tx, ctx, id)
    tx.remove(savedViews, id, { expect })
    return null
  })
}
