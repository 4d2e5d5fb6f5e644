import type { Static } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import type { BoxCtx, Ctx } from '../../platform/access/ctx.ts'
import { KIB } from '../../platform/bytes.ts'
import { lookUp, ofActiveTenant } from '../../platform/db/directory.ts'
import { listed, statement } from '../../platform/db/statement.ts'
import { type Admit, parseJson, tooLarge } from '../../platform/http/body.ts'
import { numberText, parseExact } from '../../platform/http/exact-numbers.ts'
import { Problem } from '../../platform/http/problem.ts'
import { constantTimeEqual, hmacSha256Hex } from '../../platform/secrets.ts'
import { adsErrors } from './ads.errors.ts'
import { isBag } from './ads.graph.ts'
import type { HandshakeQuery, NotificationOut } from './ads.model.ts'
import { openCredentials, verifyHashOf } from './ads.service.ts'
import { adConnections, adNotifications, adPages } from './ads.table.ts'

/** A hundred times what the platform sends. */
export const NOTIFICATION_BYTES = 256 * KIB
/** Objects, lists and members: a notification of a thousand leads has fewer. */
const VALUES = 20_000
/** Pages of one notification, and connections of them whose secrets are tried: work for somebody unknown. */
const MOST_PAGES = 100
const MOST_CONNECTIONS = 100
/** Leads of a connection that wait to be fetched: one that nobody mends fills no disk. The platform repeats itself. */
const MOST_WAITING = 20_000

const of = { tenantId: adConnections.tenantId, id: adConnections.id, credentials: adConnections.credentials }
type Connection = { tenantId: string; id: string; credentials: Uint8Array }

// A page's id names no firm: whose connection fits the signature is whose notification it is.
const OF_PAGES = lookUp<Connection & { pageIds: string }>(
  sql`SELECT ${listed({ ...of, pageIds: adConnections.pageIds })} FROM ${adConnections}
  ${ofActiveTenant(adConnections.tenantId)}
  WHERE ${adConnections.deletedAt} IS NULL AND (${adConnections.tenantId}, ${adConnections.id}) IN (
    SELECT ${adPages.tenantId}, ${adPages.connectionId} FROM ${adPages}
    WHERE ${adPages.pageId} IN (SELECT value FROM json_each(?)))
  LIMIT ${sql.raw(String(MOST_CONNECTIONS))}`,
)
const OF_VERIFY_TOKEN = lookUp<{ tenantId: string }>(
  sql`SELECT ${listed({ tenantId: adConnections.tenantId })} FROM ${adConnections}
  ${ofActiveTenant(adConnections.tenantId)}
  WHERE ${adConnections.verifyHash} = ? AND ${adConnections.deletedAt} IS NULL`,
)

/** Answers the platform's handshake: its challenge as text, where any connection has this verify token. */
export function answerHandshake(ctx: BoxCtx, query: Static<typeof HandshakeQuery>): Response {
  const known = ctx.directory.find(OF_VERIFY_TOKEN, verifyHashOf(ctx, query['hub.verify_token'])) !== undefined
  if (query['hub.mode'] !== 'subscribe' || !known) throw adsErrors.wrong_verify_token()
  return new Response(query['hub.challenge'], { headers: { 'content-type': 'text/plain; charset=utf-8' } })
}

const bareSignature = (header: string): string | undefined =>
  /^sha256=([0-9a-f]{64})$/.exec(header.slice(0, 100).trim().toLowerCase())?.[1]

/** A notification without anything like a signature is not read. */
export const admitNotification: Admit = (_, request) => {
  if (bareSignature(request.headers.get('x-hub-signature-256') ?? '') === undefined) throw adsErrors.bad_signature()
  return { maxBytes: NOTIFICATION_BYTES, tooLarge: () => tooLarge(NOTIFICATION_BYTES) }
}

/** What is told of one lead. */
type Told = { pageId: string; formId: string | null; leadGenId: string }

/** An id as the platform wrote it, text or number: as a double the longest ones would be another lead's. */
function idAt(holder: object, key: string): string | null {
  const value: unknown = Reflect.get(holder, key)
  const text = typeof value === 'number' ? (numberText(holder, key) ?? String(value)) : value
  return typeof text === 'string' && /^\w[\w-]{0,63}$/.test(text) ? text : null
}

const listAt = (holder: unknown, key: string): unknown[] => {
  const value: unknown = isBag(holder) ? holder[key] : undefined
  return Array.isArray(value) ? value : []
}

/** The leads that a notification tells of, each by the page of its entry; other news of a page is not ours. */
function toldBy(notification: unknown): { pages: string[]; told: Told[] } {
  const pages = new Set<string>()
  const told: Told[] = []
  for (const entry of listAt(notification, 'entry')) {
    const pageId = isBag(entry) ? idAt(entry, 'id') : null
    if (pageId === null) continue
    pages.add(pageId)
    for (const change of listAt(entry, 'changes')) {
      if (!isBag(change) || change.field !== 'leadgen' || !isBag(change.value)) continue
      const leadGenId = idAt(change.value, 'leadgen_id')
      if (leadGenId !== null) told.push({ pageId, formId: idAt(change.value, 'form_id'), leadGenId })
    }
  }
  return { pages: [...pages], told }
}

/** What an unproven body holds; whatever cannot be read names no page, so nobody could have signed it. */
async function readNotification(body: Uint8Array): Promise<unknown> {
  try {
    return await parseJson(body, VALUES, parseExact)
  } catch (error) {
    if (error instanceof Problem) throw adsErrors.bad_signature()
    throw error
  }
}

const STORE = statement(
  sql`INSERT INTO ${adNotifications} (tenant_id, id, connection_id, page_id, form_id, lead_gen_id, next_attempt_at, created_at)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7) ON CONFLICT DO NOTHING`,
)

const WAITING = statement(
  sql`SELECT count(*) AS waiting FROM (SELECT 1 FROM ${adNotifications}
    WHERE ${adNotifications.tenantId} = ?1 AND ${adNotifications.connectionId} = ?2
      AND ${adNotifications.status} = 'pending' LIMIT ?3)`,
)

/** Keeps what a connection was told of; what it was told before is known already. */
const store = (ctx: Ctx, connectionId: string, told: readonly Told[]): Promise<number> =>
  ctx.write('ads.notified', (tx) => {
    const [{ waiting } = { waiting: 0 }] = tx.query<{ waiting: number }>(WAITING, [connectionId, MOST_WAITING])
    if (waiting >= MOST_WAITING) throw adsErrors.too_many_waiting({ headers: { 'retry-after': '600' } })
    let stored = 0
    for (const { pageId, formId, leadGenId } of told)
      stored += tx.execute(STORE, [ctx.ids.next('adn'), connectionId, pageId, formId, leadGenId, tx.now])
    return stored
  })

/** The app secret of a connection; undefined where it cannot be opened, which is no reason to refuse the others. */
function secretOf(firm: Ctx, connection: Connection): string | undefined {
  try {
    return openCredentials(firm, connection).appSecret
  } catch (error) {
    firm.log.error({ err: error, connection: connection.id }, 'the credentials of a connection cannot be opened')
    return undefined
  }
}

/**
 * Takes a platform's notification of new leads, signed over the raw body. It names pages and no firm, and is believed
 * for exactly those connections of its pages whose app secret fits; where none does, 401 and nothing is kept. The leads
 * themselves are fetched by a job after the answer. rules.md “Ads”.
 */
export async function takeNotification(
  ctx: BoxCtx,
  body: Uint8Array,
  header: string,
): Promise<Static<typeof NotificationOut>> {
  const signature = bareSignature(header)
  const { pages, told } = toldBy(await readNotification(body))
  if (signature === undefined || pages.length === 0 || pages.length > MOST_PAGES) throw adsErrors.bad_signature()
  const candidates = ctx.directory.all(OF_PAGES, JSON.stringify(pages)).map(({ pageIds, ...connection }) => {
    const own: unknown = JSON.parse(pageIds)
    const firm = ctx.enter(connection.tenantId, { kind: 'gateway', id: connection.id })
    return { id: connection.id, firm, connection, pages: new Set<unknown>(Array.isArray(own) ? own : []) }
  })
  // most connections of a page belong to one app: its secret is tried once
  const fits = new Map<string, boolean>()
  const believed = candidates.filter(({ firm, connection }) => {
    const appSecret = secretOf(firm, connection)
    if (appSecret === undefined) return false
    const known = fits.get(appSecret) ?? constantTimeEqual(hmacSha256Hex(appSecret, body), signature)
    fits.set(appSecret, known)
    return known
  })
  if (believed.length === 0) throw adsErrors.bad_signature()
  const stored = await Promise.all(
    believed.map(({ firm, id, pages: own }) => {
      const mine = told.filter(({ pageId }) => own.has(pageId))
      return mine.length === 0 ? 0 : store(firm, id, mine)
    }),
  )
  return { received: stored.reduce((sum, count) => sum + count, 0) }
}
