import type { Static } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import type { BoxCtx, Ctx } from '../../../platform/access/ctx.ts'
import { KIB, MIB } from '../../../platform/bytes.ts'
import { HOUR } from '../../../platform/clock.ts'
import { lookUp, ofActiveTenant } from '../../../platform/db/directory.ts'
import { bare, listed, statement } from '../../../platform/db/statement.ts'
import { type Admit, tooLarge } from '../../../platform/http/body/body.ts'
import { numberText, parseExact } from '../../../platform/http/body/exact-numbers.ts'
import { parseJson } from '../../../platform/http/body/json-body.ts'
import { constantTimeEqual, hmacSha256Hex } from '../../../platform/secrets.ts'
import { adsErrors } from './ads.errors.ts'
import { isBag } from './ads.graph.ts'
import type { HandshakeQuery, NotificationOut } from './ads.model.ts'
import { hashVerifyToken, openCredentials } from './ads.service.ts'
import { adConnections, adNotifications, adPages } from './ads.table.ts'

/** Enough for a batch of a thousand changes, the largest that the platform sends. */
export const NOTIFICATION_BYTES = 256 * KIB
/** Enough for the objects, lists and members of a thousand leads. */
const VALUES = 20_000
/** Ids of pages are searched in this many bytes of an unverified body, and at most this many are looked up. */
const SEARCHED_BYTES = 32 * KIB
const MOST_PAGES = 100
/** At most this many secrets of a firm are tried, so that its many connections do not affect other firms. */
const SECRETS_OF_A_FIRM = 20
/** A secret is read from up to this many connections of a firm, in case the first cannot be opened. */
const READ_FROM = 3
/** If a body names no connected page, at most this many other secrets are tried, each once. */
const OTHERS_TRIED = 200
const OTHERS_BYTES = 64 * KIB
/** After hashing this many bytes other requests run; opening a further connection counts like the second number. */
const HASHED_AT_ONCE = MIB
const OPENING_WEIGHS = 16 * KIB
/**
 * At most this many leads of a connection wait to be fetched, so that they cannot fill the disk; the platform repeats
 * the others.
 */
const MOST_WAITING = 20_000

type Connection = { tenantId: string; id: string; credentials: Uint8Array }

const credentialColumns = { id: adConnections.id, credentials: adConnections.credentials }
const secretOfRow = sql`${adConnections.tenantId}, ${adConnections.secretHash}`

// A page's id is not secret and belongs to no firm, so any firm may connect it with any secret. Each firm's secrets are
// therefore limited separately, and a secret that was right for the page before is tried first.
const SECRETS_OF_PAGES = lookUp<Connection & { secretHash: string }>(
  sql`SELECT tenant_id AS tenantId, id, credentials, secretHash FROM (
    SELECT *, dense_rank() OVER (PARTITION BY tenant_id ORDER BY believed DESC, secretHash) AS turn FROM (
      SELECT ${adConnections.tenantId}, ${listed(credentialColumns)}, ${adConnections.secretHash} AS secretHash,
        max(named.believed) OVER (PARTITION BY ${secretOfRow}) AS believed,
        row_number() OVER (PARTITION BY ${secretOfRow} ORDER BY named.believed DESC, ${adConnections.id}) AS nth
      FROM (SELECT ${adPages.tenantId}, ${adPages.connectionId}, max(${adPages.believedAt}) AS believed FROM ${adPages}
        WHERE ${adPages.pageId} IN (SELECT value FROM json_each(?))
        GROUP BY ${adPages.tenantId}, ${adPages.connectionId}) named
      JOIN ${adConnections} ON ${adConnections.tenantId} = named.tenant_id AND ${adConnections.id} = named.connection_id
      ${ofActiveTenant(adConnections.tenantId)}
      WHERE ${adConnections.deletedAt} IS NULL AND ${adConnections.secretHash} IS NOT NULL
    ) WHERE nth <= ${sql.raw(String(READ_FROM))}
  ) WHERE turn <= ${sql.raw(String(SECRETS_OF_A_FIRM))}
  ORDER BY believed IS NULL, turn, tenantId, id`,
)
// the platform’s own test names page 0, and an app may be subscribed to pages that no firm has connected
const OTHER_SECRETS = lookUp<Connection & { secretHash: string }>(
  sql`SELECT ${adConnections.tenantId} AS tenantId, ${listed(credentialColumns)}, ${adConnections.secretHash} AS secretHash
  FROM ${adConnections} ${ofActiveTenant(adConnections.tenantId)}
  WHERE ${adConnections.platform} = ? AND ${adConnections.deletedAt} IS NULL
    AND ${adConnections.secretHash} IS NOT NULL
  GROUP BY ${adConnections.secretHash} LIMIT ${sql.raw(String(OTHERS_TRIED))}`,
)
const CONNECTED = lookUp<{ tenantId: string }>(
  sql`SELECT ${listed({ tenantId: adConnections.tenantId })} FROM ${adConnections}
  ${ofActiveTenant(adConnections.tenantId)}
  WHERE ${adConnections.platform} = ? AND ${adConnections.deletedAt} IS NULL
    AND ${adConnections.secretHash} IS NOT NULL LIMIT 1`,
)
const OF_SECRET = lookUp<{ tenantId: string; id: string; pageIds: string }>(
  sql`SELECT ${listed({ tenantId: adConnections.tenantId, id: adConnections.id, pageIds: adConnections.pageIds })}
  FROM ${adConnections} ${ofActiveTenant(adConnections.tenantId)}
  WHERE ${adConnections.deletedAt} IS NULL AND ${adConnections.secretHash} = ?`,
)
const OF_VERIFY_TOKEN = lookUp<{ tenantId: string }>(
  sql`SELECT ${listed({ tenantId: adConnections.tenantId })} FROM ${adConnections}
  ${ofActiveTenant(adConnections.tenantId)}
  WHERE ${adConnections.verifyHash} = ? AND ${adConnections.deletedAt} IS NULL`,
)

/** Answers the platform's handshake with its challenge as text, if a connection has this verify token. */
export function answerHandshake(ctx: BoxCtx, query: Static<typeof HandshakeQuery>): Response {
  const known = ctx.directory.find(OF_VERIFY_TOKEN, hashVerifyToken(ctx, query['hub.verify_token'])) !== undefined
  if (query['hub.mode'] !== 'subscribe' || !known) throw adsErrors.wrong_verify_token()
  return new Response(query['hub.challenge'], { headers: { 'content-type': 'text/plain; charset=utf-8' } })
}

const bareSignature = (header: string): string | undefined =>
  /^sha256=([0-9a-f]{64})$/.exec(header.slice(0, 100).trim().toLowerCase())?.[1]

/** Rejects a notification before its body is read if there is no connection or no signature is sent. */
export const admitNotification: Admit = ({ directory }, request) => {
  const signature = bareSignature(request.headers.get('x-hub-signature-256') ?? '')
  if (signature === undefined || directory.find(CONNECTED, 'social') === undefined) throw adsErrors.bad_signature()
  return { maxBytes: NOTIFICATION_BYTES, tooLarge: () => tooLarge(NOTIFICATION_BYTES) }
}

/** A lead that a notification names. */
type LeadNotice = { pageId: string; formId: string | null; leadGenId: string }

/** Returns an id as the platform wrote it, text or number; read as a double, a long id would become another lead's. */
function idAt(holder: object, key: string): string | null {
  const value: unknown = Reflect.get(holder, key)
  const text = typeof value === 'number' ? (numberText(holder, key) ?? String(value)) : value
  return typeof text === 'string' && /^\w[\w-]{0,63}$/.test(text) ? text : null
}

const listAt = (holder: unknown, key: string): unknown[] => {
  const value: unknown = isBag(holder) ? holder[key] : undefined
  return Array.isArray(value) ? value : []
}

/** Returns the leads of a notification, each with the page of its entry; other news of a page is ignored. */
function listLeadNotices(notification: unknown): LeadNotice[] {
  const notices: LeadNotice[] = []
  for (const entry of listAt(notification, 'entry')) {
    const pageId = isBag(entry) ? idAt(entry, 'id') : null
    if (pageId === null) continue
    for (const change of listAt(entry, 'changes')) {
      if (!isBag(change) || change.field !== 'leadgen' || !isBag(change.value)) continue
      const leadGenId = idAt(change.value, 'leadgen_id')
      if (leadGenId !== null) notices.push({ pageId, formId: idAt(change.value, 'form_id'), leadGenId })
    }
  }
  return notices
}

const NAMED = /"(?:page_)?id"\s*:\s*"?(\w[\w-]{0,63})/g

/**
 * Returns what may be ids of pages in an unverified body, from its beginning only: parsing the whole body is expensive,
 * and one page is enough to find the signer. Other ids find no secret.
 */
function pagesNamedIn(body: Uint8Array): string[] {
  const named = new Set<string>()
  for (const [, id = ''] of Buffer.from(body.subarray(0, SEARCHED_BYTES)).toString('latin1').matchAll(NAMED)) {
    named.add(id)
    if (named.size === MOST_PAGES) break
  }
  return [...named]
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

// it is stored at most once an hour, since it only sets the order in which secrets are tried
const BELIEVED = statement(
  sql`UPDATE ${adPages} SET ${bare(adPages.believedAt)} = ?4 WHERE ${adPages.tenantId} = ?1 AND ${adPages.connectionId} = ?2
    AND ${adPages.pageId} IN (SELECT value FROM json_each(?3)) AND coalesce(${adPages.believedAt}, 0) <= ?5`,
)

/** Stores the new leads of a notification for a connection; known ones are left out. */
const store = (ctx: Ctx, connectionId: string, notices: readonly LeadNotice[]): Promise<number> =>
  ctx.write('ads.notified', (tx) => {
    const [{ waiting } = { waiting: 0 }] = tx.query<{ waiting: number }>(WAITING, [connectionId, MOST_WAITING])
    if (waiting >= MOST_WAITING) throw adsErrors.too_many_waiting({ headers: { 'retry-after': '600' } })
    const pages = JSON.stringify([...new Set(notices.map(({ pageId }) => pageId))])
    tx.execute(BELIEVED, [connectionId, pages, tx.now, tx.now - HOUR])
    let stored = 0
    for (const { pageId, formId, leadGenId } of notices)
      stored += tx.execute(STORE, [ctx.ids.next('adn'), connectionId, pageId, formId, leadGenId, tx.now])
    return stored
  })

/** Returns the app secret of a connection; undefined if it cannot be opened, so that the others are still tried. */
function openSecret(ctx: BoxCtx, connection: Connection): string | undefined {
  const firm = ctx.enter(connection.tenantId, { kind: 'gateway', id: connection.id })
  try {
    return openCredentials(firm, connection).appSecret
  } catch (error) {
    firm.log.error({ err: error, connection: connection.id }, 'the credentials of a connection cannot be opened')
    return undefined
  }
}

/**
 * Returns the hash of the secret that signed a body: of its pages' connections first, then of others. Each secret is
 * tried once, however many connections have it, and other requests run in between.
 */
async function findSigner(
  ctx: BoxCtx,
  pages: readonly string[],
  body: Uint8Array,
  signature: string,
): Promise<string | undefined> {
  const tried = new Set<string>()
  let hashed = 0
  const findAmong = async (connections: readonly (Connection & { secretHash: string })[]) => {
    for (const { secretHash, ...connection } of connections) {
      if (tried.has(secretHash)) continue
      if (hashed >= HASHED_AT_ONCE) {
        await Bun.sleep(0)
        hashed = 0
      }
      hashed += body.length + OPENING_WEIGHS
      const appSecret = openSecret(ctx, connection)
      if (appSecret === undefined) continue
      tried.add(secretHash)
      if (constantTimeEqual(hmacSha256Hex(appSecret, body), signature)) return secretHash
    }
    return undefined
  }
  const signer = await findAmong(ctx.directory.all(SECRETS_OF_PAGES, JSON.stringify(pages)))
  if (signer !== undefined || body.length > OTHERS_BYTES) return signer
  return findAmong(ctx.directory.all(OTHER_SECRETS, 'social'))
}

/**
 * Takes a platform's notification of new leads, signed over the raw body. It names pages and no firm, and is stored for
 * exactly those connections of its pages whose app secret is right; 401 if the signature fits no connection at all. A
 * job fetches the leads after the answer. RULES “Ads”.
 */
export async function takeNotification(
  ctx: BoxCtx,
  body: Uint8Array,
  header: string,
): Promise<Static<typeof NotificationOut>> {
  const signature = bareSignature(header)
  const signer = signature && (await findSigner(ctx, pagesNamedIn(body), body, signature))
  if (!signer) throw adsErrors.bad_signature()
  const notices = listLeadNotices(await parseJson(body, VALUES, parseExact))
  const stored = await Promise.all(
    ctx.directory.all(OF_SECRET, signer).map(({ tenantId, id, pageIds }) => {
      const named: unknown = JSON.parse(pageIds)
      const own = new Set<unknown>(Array.isArray(named) ? named : [])
      const mine = notices.filter(({ pageId }) => own.has(pageId))
      return mine.length === 0 ? 0 : store(ctx.enter(tenantId, { kind: 'gateway', id }), id, mine)
    }),
  )
  return { received: stored.reduce((sum, count) => sum + count, 0) }
}
