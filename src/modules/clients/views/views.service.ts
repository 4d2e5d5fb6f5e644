import type { Static } from '@sinclair/typebox'
import { getRank, topRole } from '../../../platform/access/catalogue.ts'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { findViewerId, type Principal } from '../../../platform/access/principal.ts'
import { MINUTE, toIso } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { randomToken } from '../../../platform/ids.ts'
import { invalid, notFound } from '../../../platform/problem.ts'
import { sha256Hex } from '../../../platform/secrets.ts'
import { say } from '../../../words/say.ts'
import type { Owner } from '../../firm/auth/auth.owners.ts'
import { sessions } from '../../firm/auth/auth.table.ts'
import { users } from '../../firm/users/users.table.ts'
import { traders } from '../traders/traders.table.ts'
import { viewErrors } from './views.errors.ts'
import { isOpen, toView, type View, type ViewIn, type ViewStarted } from './views.model.ts'
import { type ViewRow, views } from './views.table.ts'

/** A view ends after this time, even while it is used. RULES “Views”. */
const VIEW_LIFE = 15 * MINUTE

type Viewer = Extract<Principal, { kind: 'user' }>

/** Returns the person of a session; a key cannot open a view. */
function viewerIn({ principal }: Ctx): Viewer {
  if (principal.kind !== 'user' || principal.sessionId === '') throw viewErrors.not_by_key()
  return principal
}

/**
 * Opens the session of a view. A view only reads, so it does not count as acting as the client, and the viewer may
 * still decide about the client's money. The session has no address of the viewer, since the client can list it.
 */
function openView(
  tx: Tx,
  viewer: Viewer,
  shown: Owner,
  reason: string | null,
  token: string,
): Static<typeof ViewStarted> {
  const expiresAt = tx.now + VIEW_LIFE
  const session = tx.insert(
    sessions,
    {
      ...shown,
      impersonatorId: viewer.id,
      tokenHash: sha256Hex(token),
      ip: '',
      lastSeenAt: tx.now,
      expiresAt,
    },
    null,
  )
  const row = tx.insert(views, {
    userId: viewer.id,
    traderId: 'traderId' in shown ? shown.traderId : null,
    asUserId: 'userId' in shown ? shown.userId : null,
    reason,
    role: viewer.role,
    sessionId: session.id,
    ownSessionId: viewer.sessionId,
    expiresAt,
  })
  return { id: row.id, token, traderId: row.traderId, userId: row.asUserId, expiresAt: toIso(expiresAt) }
}

/** Starts a view as a client: read-only, 15 minutes, with a reason. 409 if the client may not sign in. */
export function viewAsTrader(
  ctx: Ctx,
  { traderId, reason }: Static<typeof ViewIn>,
): Promise<Static<typeof ViewStarted>> {
  const viewer = viewerIn(ctx)
  return ctx.write('view.start', (tx) => {
    const trader = tx.find(traders, { id: traderId })
    if (!trader) throw invalid('traderId', 'unknown', say('views.error.unknown_trader'))
    if (trader.status === 'closed') throw viewErrors.no_access()
    return openView(tx, viewer, { traderId }, reason, randomToken(32))
  })
}

/** Starts a view as a colleague below the caller's own role, without a reason. RULES “Views”. */
export function viewAsUser(ctx: Ctx, userId: string): Promise<Static<typeof ViewStarted>> {
  const viewer = viewerIn(ctx)
  return ctx.write('view.start', (tx) => {
    const user = tx.get(users, userId)
    if (getRank(topRole(user.roles)) >= getRank(viewer.role)) throw viewErrors.not_below_you()
    if (user.status !== 'active') throw viewErrors.no_access()
    return openView(tx, viewer, { userId }, null, randomToken(32))
  })
}

/** Ends a view: owners may end any view of the firm, a view only itself. A view that has ended stays as it is. */
export function endView(ctx: Ctx, id: string): Promise<View> {
  const within = findViewerId(ctx.principal) === null ? null : ctx.principal
  return ctx.write('view.end', (tx) => {
    const row = tx.get(views, id)
    if (within !== null && 'sessionId' in within && within.sessionId !== row.sessionId) throw notFound()
    if (tx.find(sessions, { id: row.sessionId })) tx.remove(sessions, row.sessionId, { action: null })
    return toView(isOpen(row, tx.now) ? tx.update(views, id, { endedAt: tx.now }) : row, tx.now, false)
  })
}

/** Returns the wire form of a listed view. */
export const showView =
  (ctx: Ctx) =>
  (row: ViewRow): View =>
    toView(row, ctx.now(), ctx.db.find(sessions, { id: row.sessionId }) !== undefined)
