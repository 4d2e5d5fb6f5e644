import { DAY, HOUR, MINUTE } from '../clock.ts'
import { findEntryRules, tenantIsActive } from '../db/directory.ts'
import type { Platform } from '../platform.ts'
import type { Connection } from '../sqlite.ts'
import { getRank, isRole, pickLower, type Role, topRole } from './catalogue.ts'
import type { OwnAffiliate, Principal } from './principal.ts'

const SESSION_COOKIE = 'crm_session'
/** A session ends this long after it began, however much it is used. RULES “Sign-in”. */
export const LONGEST_SESSION = 30 * DAY

/** A caller whose credential is valid now. */
export type Identity = { principal: Principal; tenantId: string }

type SessionRow = {
  tenantId: string
  id: string
  userId: string | null
  traderId: string | null
  impersonatorId: string | null
  createdAt: number
  provenAt: number | null
  lastSeenAt: number
  expiresAt: number
}
/** The columns of a staff user that identity needs. */
type StaffRow = { roles: string; status: string; deletedAt: number | null }
type TraderRow = { status: string; deletedAt: number | null }

// Read again after every commit, so that a revoked session, a disabled user, a changed role or a suspended tenant acts
// at once. These are point look-ups instead of one join, which SQLite plans as scans with statistics of a young
// database (27 µs against 3 µs measured).
const SESSION = `SELECT tenant_id AS tenantId, id, user_id AS userId, trader_id AS traderId, impersonator_id AS impersonatorId,
  created_at AS createdAt, proven_at AS provenAt, last_seen_at AS lastSeenAt, expires_at AS expiresAt FROM sessions WHERE token_hash = ?`
// the firm's row lists the roles that need a second factor; this look-up runs only if there are any
const SECOND_FACTOR = 'SELECT totp_enabled AS enabled FROM credentials WHERE tenant_id = ? AND user_id = ?'
const STAFF = 'SELECT roles, status, deleted_at AS deletedAt FROM users WHERE tenant_id = ? AND id = ?'
const TRADER = 'SELECT status, deleted_at AS deletedAt FROM traders WHERE tenant_id = ? AND id = ?'
// a client is an introducing broker while an affiliate of theirs is active; a suspended one may still see
const AFFILIATE =
  "SELECT id, status = 'suspended' AS suspended FROM affiliates WHERE tenant_id = ? AND trader_id = ? AND status IN ('active', 'suspended')"
const TOUCH = 'UPDATE sessions SET last_seen_at = ?, expires_at = ? WHERE tenant_id = ? AND id = ?'

/** Returns the staff user if active. */
export function activeStaff(db: Connection, tenantId: string, userId: string): StaffRow | undefined {
  const row = db.get<StaffRow>(STAFF, [tenantId, userId])
  return row?.status === 'active' && row.deletedAt === null ? row : undefined
}

/** Returns whether a client may sign in: existing and not closed. */
function traderIsOpen(db: Connection, tenantId: string, traderId: string): boolean {
  const row = db.get<TraderRow>(TRADER, [tenantId, traderId])
  return row !== undefined && row.status !== 'closed' && row.deletedAt === null
}

/** Returns the present affiliate of a client. RULES “Brokers”. */
function findAffiliate(db: Connection, tenantId: string, traderId: string): OwnAffiliate | undefined {
  const row = db.get<{ id: string; suspended: number }>(AFFILIATE, [tenantId, traderId])
  return row && { id: row.id, suspended: row.suspended === 1 }
}

/**
 * Returns whether the firm demands a second factor of one of a person's roles and they have none. RULES “Firm
 * settings”.
 */
function lacksSecondFactor(
  db: Connection,
  { tenantId, userId }: SessionRow,
  demanded: string | null,
  roles: readonly Role[],
): boolean {
  if (demanded === null || demanded === '[]') return false
  const named = parseRoles(demanded)
  if (!roles.some((role) => named.includes(role))) return false
  return db.get<{ enabled: number }>(SECOND_FACTOR, [tenantId, userId ?? ''])?.enabled !== 1
}

/** Parses the roles column of a user row. */
export const parseRoles = (text: string): Role[] => {
  const value: unknown = JSON.parse(text)
  return Array.isArray(value) ? value.filter(isRole) : []
}

/** A stored session and its person. Its expiry is checked later, so it can be cached until the next commit. */
type KnownSession = { row: SessionRow; identity: Identity }

/** Returns the person of a session cookie; null if the session is no longer valid, or the token is that of a view. */
export function identifySession(platform: Platform, token: string, now: number): Identity | null {
  const known = recallSession(platform, token, now)
  return known?.row.impersonatorId === null ? known.identity : null
}

/** Returns the person whom the token of a view shows; null if the view, or the session that started it, has ended. */
export function identifyView(platform: Platform, token: string, now: number): Identity | null {
  const known = recallSession(platform, token, now)
  return known && known.row.impersonatorId !== null ? known.identity : null
}

function recallSession(platform: Platform, token: string, now: number): KnownSession | null {
  const hash = Bun.SHA256.hash(token, 'hex')
  const known = platform.reader.recall(`session:${hash}`, () => findSession(platform.reader, hash))
  if (!known || known.row.expiresAt <= now) return null
  if (now - known.row.lastSeenAt > 5 * MINUTE) touch(platform, known.row, now)
  return known
}

function findSession(db: Connection, hash: string): KnownSession | undefined {
  const row = db.get<SessionRow>(SESSION, [hash])
  if (!row) return undefined
  const firm = findEntryRules(db, row.tenantId)
  if (firm?.status !== 'active') return undefined
  const principal = findPerson(db, row, firm.demanded)
  if (!principal) return undefined
  const identity = { principal, tenantId: row.tenantId }
  if (row.impersonatorId === null) return { row, identity }
  const until = viewHoldsUntil(db, row, firm.demanded)
  return until === undefined ? undefined : { row: { ...row, expiresAt: until }, identity }
}

const VIEW = 'SELECT own_session_id AS ownSessionId, role FROM views WHERE tenant_id = ? AND session_id = ?'
const BY_ID = SESSION.replace('token_hash = ?', 'tenant_id = ? AND id = ?')

/**
 * Returns until when a view is valid: it ends with the session that started it and with the viewer's role, which must
 * stay above the viewed one. Undefined if it is no longer valid. RULES “Views”.
 */
function viewHoldsUntil(db: Connection, row: SessionRow, demanded: string | null): number | undefined {
  const view = db.get<{ ownSessionId: string; role: string }>(VIEW, [row.tenantId, row.id])
  const own = view && db.get<SessionRow>(BY_ID, [row.tenantId, view.ownSessionId])
  if (!own || own.userId !== row.impersonatorId) return undefined
  const viewer = findPerson(db, own, demanded)
  if (viewer?.kind !== 'user' || viewer.role !== view.role || viewer.mustEnrol) return undefined
  const shown = row.userId === null ? undefined : activeStaff(db, row.tenantId, row.userId)
  if (shown && getRank(topRole(parseRoles(shown.roles))) >= getRank(viewer.role)) return undefined
  return Math.min(row.expiresAt, own.expiresAt)
}

function findPerson(db: Connection, row: SessionRow, demanded: string | null): Principal | undefined {
  const provenAt = Math.max(row.createdAt, row.provenAt ?? 0)
  const common = { sessionId: row.id, provenAt, impersonatorId: row.impersonatorId }
  if (row.userId !== null) {
    const user = activeStaff(db, row.tenantId, row.userId)
    if (!user) return undefined
    const roles = parseRoles(user.roles)
    const person: Principal = { kind: 'user', id: row.userId, role: topRole(roles), roles, ...common }
    const mustEnrol = row.impersonatorId === null && lacksSecondFactor(db, row, demanded, roles)
    return mustEnrol ? { ...person, mustEnrol } : person
  }
  if (row.traderId === null || !traderIsOpen(db, row.tenantId, row.traderId)) return undefined
  const affiliate = findAffiliate(db, row.tenantId, row.traderId)
  return { kind: 'trader', id: row.traderId, ...common, ...(affiliate && { affiliate }) }
}

const SESSION_ALIVE = 'SELECT 1 AS n FROM sessions WHERE tenant_id = ? AND id = ? AND expires_at > ?'
const KEY_ALIVE =
  'SELECT role FROM api_keys WHERE tenant_id = ? AND id = ? AND revoked_at IS NULL AND coalesce(expires_at > ?, 1)'

/**
 * Returns whether a caller who was identified earlier is still valid. A write asks this inside its transaction, since a
 * slow hash, a name server or the queue may have delayed it; an open stream asks it too. True for our own jobs,
 * gateways and a person who has just signed in. src/README “Sessions and keys”.
 */
export function stillHolds(db: Connection, tenantId: string, principal: Principal, now: number): boolean {
  const { kind } = principal
  if (kind !== 'user' && kind !== 'trader' && kind !== 'api_key') return true
  if (kind !== 'api_key' && principal.sessionId === '') return true
  if (!tenantIsActive(db, tenantId)) return false
  if (kind === 'api_key') {
    const key = db.get<{ role: string | null }>(KEY_ALIVE, [tenantId, principal.id, now])
    const maker = activeStaff(db, tenantId, principal.userId)
    return key !== undefined && maker !== undefined && pickKeyRole(key.role, maker.roles) === principal.role
  }
  if (principal.impersonatorId !== null) {
    const row = db.get<SessionRow>(BY_ID, [tenantId, principal.sessionId])
    const until = row && viewHoldsUntil(db, row, findEntryRules(db, tenantId)?.demanded ?? null)
    if (until === undefined || until <= now) return false
  } else if (db.get(SESSION_ALIVE, [tenantId, principal.sessionId, now]) === undefined) return false
  if (kind === 'trader') {
    const affiliate = findAffiliate(db, tenantId, principal.id)
    const same = affiliate?.id === principal.affiliate?.id && affiliate?.suspended === principal.affiliate?.suspended
    return same && traderIsOpen(db, tenantId, principal.id)
  }
  const user = activeStaff(db, tenantId, principal.id)
  return user !== undefined && topRole(parseRoles(user.roles)) === principal.role
}

/** Returns the role of a key: the lower of its own, if it has one, and its maker's present one. */
export function pickKeyRole(own: string | null, makerRoles: string): Role {
  const makers = topRole(parseRoles(makerRoles))
  return isRole(own) ? pickLower(own, makers) : makers
}

/** Extends a session that is used. The row is written at most every five minutes, and no request waits for it. */
function touch(platform: Platform, row: SessionRow, now: number): void {
  if (platform.roles.current().name !== 'primary') return
  const expiresAt = Math.min(now + platform.config.sessionHours * HOUR, row.createdAt + LONGEST_SESSION)
  // a view is not extended
  const until = row.impersonatorId === null ? expiresAt : row.expiresAt
  platform.writer
    .submit(() => platform.connection.run(TOUCH, [now, until, row.tenantId, row.id]))
    .catch((error: unknown) => platform.log.warn({ err: error }, 'session could not be touched'))
}

/** Returns the session cookie; `maxAge` 0 removes it. src/README “Sessions and keys”. */
export const sessionCookie = (token: string, maxAgeSeconds: number): string =>
  cookie(SESSION_COOKIE, token, maxAgeSeconds)

/** Returns one of our cookies, closed to scripts, clear text and other sites' forms; `maxAge` 0 removes it. */
export const cookie = (name: string, value: string, maxAgeSeconds: number): string =>
  `${name}=${value}; HttpOnly; Secure; Path=/; SameSite=Lax; Max-Age=${maxAgeSeconds}`

/** Returns the value of a named cookie in a Cookie header. */
export function readCookie(header: string | null, wanted: string): string | undefined {
  if (header === null) return undefined
  for (const part of header.split(';')) {
    const [name, value] = part.trim().split('=', 2)
    if (name === wanted && value) return value
  }
  return undefined
}

/** Returns how many session cookies a header has: of two, nobody can tell which is the browser's own. */
export const countSessionCookies = (header: string | null): number =>
  header === null ? 0 : header.split(';').filter((part) => part.trim().split('=', 1)[0] === SESSION_COOKIE).length

/** Returns the session token in a Cookie header. */
export const readSessionCookie = (header: string | null): string | undefined => readCookie(header, SESSION_COOKIE)
