import { hashSync, verifySync } from '@node-rs/argon2'
import { MINUTE } from '../clock.ts'
import { tenantIsActive } from '../db/directory.ts'
import { randomToken } from '../ids.ts'
import type { Platform } from '../platform.ts'
import type { Connection } from '../sqlite.ts'
import { getRank, isScope, type Scope } from './catalogue.ts'
import { inNetworks } from './networks.ts'
import { activeStaff, type Identity, parseRoles, pickKeyRole } from './session.ts'

// low costs suffice for a random secret of 256 bits, which nobody can guess; passwords use OWASP's parameters
const PARAMETERS = { memoryCost: 1024, timeCost: 1, parallelism: 1 } as const
const SHAPE = /^crm_live_([0-9a-f]{16})_([A-Za-z0-9_-]{43})$/

type KeyRow = {
  tenantId: string
  id: string
  userId: string
  secretHash: string
  scopes: string
  role: string | null
  allowedNetworks: string
  expiresAt: number | null
  lastUsedAt: number | null
  revokedAt: number | null
}

const FIND = `SELECT tenant_id AS tenantId, id, user_id AS userId, secret_hash AS secretHash, scopes, role, allowed_networks AS allowedNetworks,
  expires_at AS expiresAt, last_used_at AS lastUsedAt, revoked_at AS revokedAt FROM api_keys WHERE public_id = ?`
const TOUCH = 'UPDATE api_keys SET last_used_at = ? WHERE tenant_id = ? AND id = ?'

/** Makes a key: the text that is shown once, and what is stored of it. src/README “Sessions and keys”. */
export function mintApiKey(): { key: string; publicId: string; secretHash: string } {
  const publicId = Buffer.from(crypto.getRandomValues(new Uint8Array(8))).toString('hex')
  const secret = randomToken(32)
  return { key: `crm_live_${publicId}_${secret}`, publicId, secretHash: hashSync(secret, PARAMETERS) }
}

/**
 * Identifies callers by `X-API-Key`. It caches the result of the hash for one secret and its stored hash, and the key's
 * row until the next commit.
 */
export function createApiKeyIdentifier(platform: Platform) {
  const proven = new Map<string, true>()
  const matches = (secret: string, stored: string): boolean => {
    const memo = `${Bun.SHA256.hash(secret, 'hex')}:${stored}`
    if (proven.has(memo)) return true
    if (!verifySync(stored, secret)) return false
    if (proven.size >= 10_000) proven.clear()
    proven.set(memo, true)
    return true
  }
  return (header: string, ip: string | null, now: number): Identity | null => {
    const [, publicId, secret] = SHAPE.exec(header) ?? []
    if (!publicId || !secret) return null
    const known = platform.reader.recall(`key:${publicId}`, () => findKey(platform.reader, publicId))
    if (!known) return null
    const { row, identity } = known
    if (row.expiresAt !== null && row.expiresAt <= now) return null
    if (!matches(secret, row.secretHash)) return null
    if (row.allowedNetworks !== '[]' && !inNetworks(ip, parseNames(row.allowedNetworks))) return null
    if (now - (row.lastUsedAt ?? 0) > MINUTE && platform.roles.current().name === 'primary') {
      platform.writer
        .submit(() => platform.connection.run(TOUCH, [now, row.tenantId, row.id]))
        .catch((error: unknown) => platform.log.warn({ err: error }, 'key use could not be noted'))
    }
    return identity
  }
}

/**
 * Finds a key that is not revoked, and the person for whom it acts. The result depends on the database alone, so it is
 * cached until the next commit.
 */
function findKey(db: Connection, publicId: string): { row: KeyRow; identity: Identity } | undefined {
  const row = db.get<KeyRow>(FIND, [publicId])
  if (!row || row.revokedAt !== null) return undefined
  const { tenantId, id, userId } = row
  const user = activeStaff(db, tenantId, userId)
  if (!user || !tenantIsActive(db, tenantId)) return undefined
  const role = pickKeyRole(row.role, user.roles)
  const roles = [...new Set([...parseRoles(user.roles).filter((one) => getRank(one) <= getRank(role)), role])]
  const scopes: ReadonlySet<Scope> = new Set(parseNames(row.scopes).filter(isScope))
  return { row, identity: { tenantId, principal: { kind: 'api_key', id, userId, role, roles, scopes } } }
}

const parseNames = (text: string): string[] => {
  const value: unknown = JSON.parse(text)
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
