import type { Static } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { findStaffId } from '../../../platform/access/principal.ts'
import { DAY, MINUTE } from '../../../platform/clock.ts'
import { bare, listed, statement } from '../../../platform/db/statement.ts'
import { mayBecome } from '../../../platform/db/states.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { markAlwaysSent } from '../../../platform/http/answers/never-unchanged.ts'
import { invalid, wrongState } from '../../../platform/problem.ts'
import { say, sayForAll } from '../../../words/say.ts'
import { refuseGivenPassword } from '../../firm/independence/independence.service.ts'
import { adsErrors } from './ads.errors.ts'
import { type Credentials, isBag } from './ads.graph.ts'
import {
  type AdConnection,
  type AdConnectionIn,
  type AdConnectionPatch,
  type Backfill,
  type BackfillIn,
  toBackfill,
  toConnection,
} from './ads.model.ts'
import { adBackfillStates, adConnectionStates } from './ads.states.ts'
import {
  type AdConnectionRow,
  adBackfills,
  adConnections,
  adNotifications,
  adPages,
  OPEN_BACKFILL,
} from './ads.table.ts'

/**
 * At most this many connections of a firm name the same page, since each notification of the page is checked with all
 * their secrets.
 */
const SAME_PAGE = 5
/** A connection has at most this many unfinished backfills. */
const OPEN_AT_ONCE = 10
/** The platform keeps leads this long. */
const KEPT = 90 * DAY
const SHOWN_BACKFILLS = 20

/** Returns the context in which credentials are sealed, so that no other firm or connection can open them. */
const sealContext = (tenantId: string, id: string): string => `ads:${tenantId}:${id}`
/** Returns a keyed hash of a verify token, by which the handshake finds the connection. */
export const hashVerifyToken = (ctx: Pick<Ctx, 'signatures'>, token: string): string =>
  ctx.signatures.sign('ads verify', token)

/** Returns a keyed hash of an app secret, by which connections with the same secret are found without opening it. */
const hashAppSecret = (ctx: Pick<Ctx, 'signatures'>, appSecret: string): string =>
  ctx.signatures.sign('ads verify', `app secret ${appSecret}`)

/** Returns the credentials of a connection in clear text, for a call or a signature. */
export function openCredentials(ctx: Ctx, row: Pick<AdConnectionRow, 'id' | 'credentials'>): Credentials {
  const opened: unknown = JSON.parse(ctx.secrets.openText(row.credentials, sealContext(ctx.tenantId, row.id)))
  const { accessToken, appSecret, verifyToken } = isBag(opened) ? opened : {}
  return { accessToken: String(accessToken), appSecret: String(appSecret), verifyToken: String(verifyToken) }
}

const sealedFor = (ctx: Ctx, id: string, { accessToken, appSecret, verifyToken }: Credentials) => ({
  credentials: ctx.secrets.seal(JSON.stringify({ accessToken, appSecret, verifyToken }), sealContext(ctx.tenantId, id)),
  verifyHash: hashVerifyToken(ctx, verifyToken),
  secretHash: hashAppSecret(ctx, appSecret),
})

const CROWDED = statement(
  sql`SELECT ${listed({ pageId: adPages.pageId })} FROM ${adPages}
  WHERE ${adPages.tenantId} = ?1 AND ${adPages.connectionId} <> ?3
    AND ${adPages.pageId} IN (SELECT value FROM json_each(?2))
  GROUP BY ${adPages.pageId} HAVING count(*) >= ?4`,
)

function checkPages(tx: Tx, id: string, pageIds: readonly string[] | undefined): void {
  if (!pageIds || pageIds.length === 0) return
  const [crowded] = tx.query<{ pageId: string }>(CROWDED, [JSON.stringify(pageIds), id, SAME_PAGE])
  if (crowded) throw invalid('pageIds', 'too_many', say('ads.field.page_crowded', { page: crowded.pageId }))
}

/** Connects an ad platform; its credentials are sealed as one value and never shown again. */
export function createConnection(ctx: Ctx, input: Static<typeof AdConnectionIn>): Promise<AdConnection> {
  const { credentials, ...rest } = input
  const id = ctx.ids.next('adc')
  return ctx.write('ads.create', (tx) => {
    refuseGivenPassword(tx, ctx)
    checkPages(tx, id, rest.pageIds)
    return toConnection(tx.insert(adConnections, { id, ...rest, ...sealedFor(ctx, id, credentials) }), tx.now)
  })
}

/** Changes a connection; new credentials replace all three values at once. Setting `active` also ends an error. */
export function updateConnection(
  ctx: Ctx,
  id: string,
  patch: Static<typeof AdConnectionPatch>,
  expect: number | undefined,
): Promise<AdConnection> {
  const { credentials, status, ...rest } = patch
  return ctx.write('ads.update', (tx) => {
    if (credentials !== undefined) refuseGivenPassword(tx, ctx)
    const before = tx.get(adConnections, id)
    checkPages(tx, id, rest.pageIds)
    if (status !== undefined && status !== before.status && !mayBecome(adConnectionStates, before.status, status))
      throw wrongState('connection', before.status)
    const changes = {
      ...rest,
      ...(status === undefined ? {} : { status }),
      // the error ends, and so does its message
      ...(status === 'active' && before.status === 'error' ? { lastError: null } : {}),
      ...(credentials === undefined ? {} : sealedFor(ctx, id, credentials)),
    }
    return toConnection(tx.update(adConnections, id, changes, { expect }), tx.now)
  })
}

const FORGET_SECRETS = statement(
  sql`UPDATE ${adConnections} SET ${bare(adConnections.credentials)} = zeroblob(0),
    ${bare(adConnections.verifyHash)} = NULL, ${bare(adConnections.secretHash)} = NULL
  WHERE ${adConnections.tenantId} = ?1 AND ${adConnections.id} = ?2`,
)
const FORGET_NOTIFICATIONS = statement(
  sql`DELETE FROM ${adNotifications} WHERE ${adNotifications.tenantId} = ?1 AND ${adNotifications.connectionId} = ?2`,
)

/** Removes a connection with its credentials; its backfills end, and its leads stay. */
export function deleteConnection(ctx: Ctx, id: string, expect: number | undefined): Promise<null> {
  return ctx.write('ads.delete', (tx) => {
    tx.remove(adConnections, id, { expect })
    for (const backfill of tx.list(adBackfills, { connectionId: id, status: OPEN_BACKFILL }))
      tx.transition(adBackfills, backfill.id, adBackfillStates, 'failed', {
        lastError: sayForAll('ads.backfill.connection_removed'),
        finishedAt: tx.now,
      })
    tx.execute(FORGET_NOTIFICATIONS, [id])
    tx.execute(FORGET_SECRETS, [id])
    return null
  })
}

/** Answers a connection with its latest backfills. */
export function getConnection(ctx: Ctx, id: string): AdConnection {
  const row = ctx.db.get(adConnections, id)
  const options = { orderBy: 'createdAt', descending: true, limit: SHOWN_BACKFILLS } as const
  const backfills = ctx.db.list(adBackfills, { connectionId: id }, options)
  return markAlwaysSent({ ...toConnection(row, ctx.now()), backfills: backfills.map(toBackfill) })
}

/**
 * Starts fetching the leads of a form of up to 90 days; if a backfill of this form runs, that one is answered. 409 if
 * the connection is not active.
 */
export function startBackfill(ctx: Ctx, input: Static<typeof BackfillIn>): Promise<Backfill> {
  const { connectionId, formId } = input
  const since = Date.parse(input.since)
  return ctx.write('ads.backfill', (tx) => {
    if (since > tx.now) throw invalid('since', 'range', say('ads.field.since_future'))
    // a minute more is allowed, since the caller computed “90 days ago” a moment before
    if (since < tx.now - KEPT - MINUTE) throw invalid('since', 'range', say('ads.field.since_too_old'))
    const connection = tx.find(adConnections, { id: connectionId })
    if (!connection) throw invalid('connectionId', 'unknown', say('ads.field.unknown_connection'))
    const open = tx.list(adBackfills, { connectionId, status: OPEN_BACKFILL })
    const same = open.find((backfill) => backfill.formId === formId)
    if (same) return toBackfill(same)
    if (connection.status !== 'active') throw adsErrors.not_active()
    if (open.length >= OPEN_AT_ONCE) throw adsErrors.too_many_backfills()
    const facts = { connectionId, formId, since, nextAttemptAt: tx.now, askedBy: findStaffId(ctx.principal) }
    return toBackfill(tx.insert(adBackfills, facts))
  })
}
