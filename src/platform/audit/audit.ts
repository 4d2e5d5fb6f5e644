import type { Connection } from '../db/client.ts'
import type { SecretBox } from '../secrets.ts'

/** One change as the trail stores it. `before`/`after` are JSON text of what changed, without secrets. */
export type AuditEntry = {
  tenantId: string
  id: string
  at: number
  actorKind: 'user' | 'api_key' | 'trader' | 'system' | 'gateway' | 'anonymous'
  actorId: string | null
  apiKeyId: string | null
  impersonatorId: string | null
  ip: string | null
  requestId: string | null
  action: string
  entity: string
  entityId: string | null
  traderId: string | null
  before: string | null
  after: string | null
}

/** The last link of a tenant's chain. */
export type AuditHead = { seq: number; hash: string }

const GENESIS: AuditHead = { seq: 0, hash: '' }

const INSERT = `INSERT INTO audit (tenant_id, seq, id, at, actor_kind, actor_id, api_key_id, impersonator_id, ip, request_id,
  action, entity, entity_id, trader_id, data_hash, hash) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)`
const INSERT_DATA = 'INSERT INTO audit_data (tenant_id, seq, salt, before, after) VALUES (?,?,?,?,?)'
const HEAD = 'SELECT seq, hash FROM audit WHERE tenant_id = ? ORDER BY seq DESC LIMIT 1'

type StoredEntry = Omit<AuditEntry, 'before' | 'after'> & { seq: number; dataHash: string; hash: string }

/** The columns of a row in the order that is stored and hashed; that order may never change. */
const columnsOf = (entry: Omit<StoredEntry, 'hash'>) => [
  entry.tenantId,
  entry.seq,
  entry.id,
  entry.at,
  entry.actorKind,
  entry.actorId,
  entry.apiKeyId,
  entry.impersonatorId,
  entry.ip,
  entry.requestId,
  entry.action,
  entry.entity,
  entry.entityId,
  entry.traderId,
  entry.dataHash,
]

/** What a link commits to: every column of the row, in a fixed order, after the link before it. */
function linkHash(secrets: SecretBox, previous: string, entry: Omit<StoredEntry, 'hash'>): string {
  return secrets.sign('audit', JSON.stringify([previous, ...columnsOf(entry)]))
}

const dataHashOf = (salt: string, before: string | null, after: string | null): string =>
  new Bun.CryptoHasher('sha256').update(JSON.stringify([salt, before, after])).digest('base64url')

/** The append-only, hash-chained audit trail of all tenants. DESIGN §4.8. */
export type AuditTrail = ReturnType<typeof createAuditTrail>

export function createAuditTrail(connection: Connection, secrets: SecretBox) {
  /** Heads as of the last released savepoint; read from disk when unknown. */
  let heads = new Map<string, AuditHead>()
  return {
    head: (tenantId: string): AuditHead =>
      heads.get(tenantId) ?? connection.get<AuditHead>(HEAD, [tenantId]) ?? GENESIS,
    /** Makes a head the one that the next write continues. */
    promote: (tenantId: string, head: AuditHead) => void heads.set(tenantId, head),
    /** After a lost commit only the disk knows. */
    forget: () => {
      heads = new Map()
    },
    /** Writes one entry after `head` and returns the new head. Call it inside a transaction only. */
    append: (head: AuditHead, entry: AuditEntry): AuditHead => {
      const seq = head.seq + 1
      const salt = crypto.getRandomValues(new Uint8Array(16)).toBase64({ alphabet: 'base64url', omitPadding: true })
      const dataHash = dataHashOf(salt, entry.before, entry.after)
      const linked = { ...entry, seq, dataHash }
      const hash = linkHash(secrets, head.hash, linked)
      connection.run(INSERT, [...columnsOf(linked), hash])
      connection.run(INSERT_DATA, [entry.tenantId, seq, salt, entry.before, entry.after])
      return { seq, hash }
    },
  }
}

export type Verification = {
  entries: number
  intact: boolean
  firstBroken: { seq: number; id: string; reason: string } | null
}

const SELECT_CHAIN = `SELECT a.tenant_id AS tenantId, a.seq, a.id, a.at, a.actor_kind AS actorKind, a.actor_id AS actorId,
  a.api_key_id AS apiKeyId, a.impersonator_id AS impersonatorId, a.ip, a.request_id AS requestId, a.action, a.entity,
  a.entity_id AS entityId, a.trader_id AS traderId, a.data_hash AS dataHash, a.hash, d.salt, d.before, d.after
  FROM audit a LEFT JOIN audit_data d ON d.tenant_id = a.tenant_id AND d.seq = a.seq
  WHERE a.tenant_id = ? AND a.seq > ? ORDER BY a.seq LIMIT ?`

type ChainRow = StoredEntry & { salt: string | null; before: string | null; after: string | null }

/**
 * Walks a tenant's chain from the first entry in batches, giving the event loop back between them; erased clear text is no break,
 * altered clear text is. Names the first broken entry.
 */
export async function verifyChain(connection: Connection, secrets: SecretBox, tenantId: string): Promise<Verification> {
  let previous = GENESIS
  for (;;) {
    const rows = connection.all<ChainRow>(SELECT_CHAIN, [tenantId, previous.seq, 1000])
    for (const row of rows) {
      const broken = (reason: string): Verification => ({
        entries: previous.seq,
        intact: false,
        firstBroken: { seq: row.seq, id: row.id, reason },
      })
      if (row.seq !== previous.seq + 1) return broken('an entry before this one is missing')
      if (linkHash(secrets, previous.hash, row) !== row.hash) return broken('the entry was altered')
      if (row.salt !== null && dataHashOf(row.salt, row.before, row.after) !== row.dataHash) {
        return broken('the before/after data was altered')
      }
      previous = { seq: row.seq, hash: row.hash }
    }
    if (rows.length < 1000) return { entries: previous.seq, intact: true, firstBroken: null }
    await Bun.sleep(0)
  }
}
