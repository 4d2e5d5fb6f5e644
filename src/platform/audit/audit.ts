import type { MasterBox, SecretBox } from '../secrets.ts'
import type { Connection } from '../sqlite.ts'

/** The kinds of actors of an entry. */
export const ACTOR_KINDS = ['user', 'api_key', 'trader', 'system', 'gateway', 'anonymous'] as const

/** One change as it is stored. `before`/`after` are JSON text of what changed, without secrets. */
type AuditEntry = {
  tenantId: string
  id: string
  at: number
  actorKind: (typeof ACTOR_KINDS)[number]
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

/** Returns a head as people keep it. */
export const formatAnchor = ({ seq, hash }: AuditHead): string => `${seq}:${hash}`

export const GENESIS: AuditHead = { seq: 0, hash: '' }

const INSERT = `INSERT INTO audit (tenant_id, seq, id, at, actor_kind, actor_id, api_key_id, impersonator_id, ip, request_id,
  action, entity, entity_id, trader_id, data_hash, hash) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)`
const INSERT_DATA = 'INSERT INTO audit_data (tenant_id, seq, salt, before, after) VALUES (?,?,?,?,?)'
export const HEAD = 'SELECT seq, hash FROM audit WHERE tenant_id = ? ORDER BY seq DESC LIMIT 1'

export type StoredEntry = Omit<AuditEntry, 'before' | 'after'> & { seq: number; dataHash: string; hash: string }

/** Returns the columns of a row in the order that is stored and hashed, which must never change. */
const toColumns = (entry: Omit<StoredEntry, 'hash'>) => [
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

/** Returns the hash of a link: every column of the row, in a fixed order, after the former link. */
export function linkHash(secrets: SecretBox, previous: string, entry: Omit<StoredEntry, 'hash'>): string {
  return secrets.sign('audit', JSON.stringify([previous, ...toColumns(entry)]))
}

export const hashData = (salt: string, before: string | null, after: string | null): string =>
  new Bun.CryptoHasher('sha256').update(JSON.stringify([salt, before, after])).digest('base64url')

/** A firm's sealed head: its last entry, and the first entry that the firm's own key signed. */
export type SealedHead = AuditHead & { firmKeyFrom: number; mac: string }

export const SEALED = 'SELECT seq, hash, firm_key_from AS firmKeyFrom, mac FROM audit_heads WHERE tenant_id = ?'
const SEAL = `INSERT INTO audit_heads (tenant_id, seq, hash, firm_key_from, mac) VALUES (?1,?2,?3,?4,?5)
  ON CONFLICT (tenant_id) DO UPDATE SET seq = ?2, hash = ?3, firm_key_from = ?4, mac = ?5`
const UNSIGNED = 'SELECT seq FROM audit_erasures WHERE tenant_id = ? AND mac IS NULL'
const SIGN_ERASURE = 'UPDATE audit_erasures SET mac = ? WHERE tenant_id = ? AND seq = ?'

export const headMac = (firm: SecretBox, { seq, hash, firmKeyFrom }: Omit<SealedHead, 'mac'>): string =>
  firm.sign('audit.head', JSON.stringify([seq, hash, firmKeyFrom]))
export const erasureMac = (firm: SecretBox, seq: number): string => firm.sign('audit.erasure', String(seq))

/** The sealed heads that the log no longer had; the one that was missed at the earliest entry comes first. */
const BREAK = `SELECT seq, hash, firm_key_from AS firmKeyFrom, mac, found_seq AS foundSeq FROM audit_breaks
  WHERE tenant_id = ? ORDER BY found_seq LIMIT 1`
const ANY_BREAK = 'SELECT 1 FROM audit_breaks LIMIT 1'
const NOTE_BREAK = `INSERT INTO audit_breaks (tenant_id, seq, hash, firm_key_from, mac, found_seq, found_hash, found_at)
  VALUES (?,?,?,?,?,?,?,?) ON CONFLICT DO NOTHING`
const HASH_AT = 'SELECT hash FROM audit WHERE tenant_id = ? AND seq = ?'

/** Returns a sealed head that the log of a firm no longer had, and the log's last entry then; normally undefined. */
export const findBreak = (connection: Connection, tenantId: string): (SealedHead & { foundSeq: number }) | undefined =>
  connection.get(BREAK, [tenantId])

/** Returns whether the end of any firm's log was found cut off. */
export const isAnyBroken = (connection: Connection): boolean => connection.get(ANY_BREAK) !== undefined

type Trail = {
  readonly connection: Connection
  readonly secrets: MasterBox
  readonly now: () => number
  /** Heads as of the last write that ended without an error; unknown ones are read from disk. */
  heads: Map<string, AuditHead>
  /** The first entry that a firm's own key signed. */
  firmKeyFrom: Map<string, number>
  /** Firms whose head moved since the last commit. */
  moved: Set<string>
  /** Firms whose log was compared with its sealed head since the disk was read. */
  compared: Set<string>
}

const getHead = ({ heads, connection }: Trail, tenantId: string): AuditHead =>
  heads.get(tenantId) ?? connection.get<AuditHead>(HEAD, [tenantId]) ?? GENESIS

function keyFrom(trail: Trail, tenantId: string): number {
  const known = trail.firmKeyFrom.get(tenantId)
  if (known !== undefined) return known
  const sealed = trail.connection.get<SealedHead>(SEALED, [tenantId])
  const from = sealed?.firmKeyFrom ?? getHead(trail, tenantId).seq + 1
  trail.firmKeyFrom.set(tenantId, from)
  return from
}

/** Returns whether the log of a firm has the entry that its sealed head names, and the seal is of this installation. */
export function endsAsSealed(connection: Connection, secrets: MasterBox, tenantId: string): boolean {
  const sealed = connection.get<SealedHead>(SEALED, [tenantId])
  const at = sealed && connection.get<{ hash: string }>(HASH_AT, [tenantId, sealed.seq])
  return sealed !== undefined && at?.hash === sealed.hash && sealed.mac === headMac(secrets.forFirm(tenantId), sealed)
}

/**
 * Compares the log of a firm with its sealed head. If the log ends before it, or has another entry there, the seal is
 * kept as proof, since the next seal replaces it. Returns whether that was the case.
 */
function noteBreak({ connection, secrets }: Trail, tenantId: string, now: number): boolean {
  if (endsAsSealed(connection, secrets, tenantId)) return false
  const sealed = connection.get<SealedHead>(SEALED, [tenantId])
  const { seq, hash, firmKeyFrom, mac } = sealed ?? { ...GENESIS, firmKeyFrom: 1, mac: '' }
  const found = connection.get<AuditHead>(HEAD, [tenantId]) ?? GENESIS
  connection.run(NOTE_BREAK, [tenantId, seq, hash, firmKeyFrom, mac, found.seq, found.hash, now])
  return true
}

/** Compares like `noteBreak`, before the first commit of a firm, when the log already has entries of this commit. */
function compareOnce(trail: Trail, tenantId: string): void {
  if (trail.compared.has(tenantId)) return
  trail.compared.add(tenantId)
  // the first entries of a new firm are sealed only now
  const isNew = trail.connection.get(SEALED, [tenantId]) === undefined
  if (!isNew) noteBreak(trail, tenantId, trail.now())
}

function seal(trail: Trail, tenantId: string): void {
  compareOnce(trail, tenantId)
  const head = { ...getHead(trail, tenantId), firmKeyFrom: keyFrom(trail, tenantId) }
  const mac = headMac(trail.secrets.forFirm(tenantId), head)
  trail.connection.run(SEAL, [tenantId, head.seq, head.hash, head.firmKeyFrom, mac])
}

const unsigned = ({ connection }: Trail, tenantId: string): number[] =>
  connection.all<{ seq: number }>(UNSIGNED, [tenantId]).map(({ seq }) => seq)

function signErasures({ connection, secrets }: Trail, tenantId: string, seqs: readonly number[]): void {
  const firm = secrets.forFirm(tenantId)
  for (const seq of seqs) connection.run(SIGN_ERASURE, [erasureMac(firm, seq), tenantId, seq])
}

function append(trail: Trail, head: AuditHead, entry: AuditEntry): AuditHead {
  const { connection, secrets } = trail
  const seq = head.seq + 1
  const salt = crypto.getRandomValues(new Uint8Array(16)).toBase64({ alphabet: 'base64url', omitPadding: true })
  const dataHash = hashData(salt, entry.before, entry.after)
  const linked = { ...entry, seq, dataHash }
  const signer = seq >= keyFrom(trail, entry.tenantId) ? secrets.forFirm(entry.tenantId) : secrets
  const hash = linkHash(signer, head.hash, linked)
  connection.run(INSERT, [...toColumns(linked), hash])
  connection.run(INSERT_DATA, [entry.tenantId, seq, salt, entry.before, entry.after])
  return { seq, hash }
}

/** The append-only, hash-chained audit trail of all tenants. src/README “Audit chain”. */
export type AuditTrail = ReturnType<typeof createAuditTrail>

/** Opens the trail over a connection; its heads are those on the disk until one is promoted. */
export function createAuditTrail(connection: Connection, secrets: MasterBox, now: () => number = () => 0) {
  const trail: Trail = {
    connection,
    secrets,
    now,
    heads: new Map(),
    firmKeyFrom: new Map(),
    moved: new Set(),
    compared: new Set(),
  }
  return {
    head: (tenantId: string): AuditHead => getHead(trail, tenantId),
    /** Makes a head the one that the next write continues. */
    promote: (tenantId: string, head: AuditHead) => {
      trail.heads.set(tenantId, head)
      trail.moved.add(tenantId)
    },
    /** Forgets the heads after a failed commit, so that they are read from the disk. */
    forget: () => {
      trail.heads = new Map()
      trail.firmKeyFrom = new Map()
      trail.moved = new Set()
      trail.compared = new Set()
    },
    /** Notes, inside a transaction, that a firm's log does not end at its seal; returns whether that was the case. */
    noteBreak: (tenantId: string, now: number): boolean => {
      if (!noteBreak(trail, tenantId, now)) return false
      seal(trail, tenantId)
      return true
    },
    /** Seals the heads that moved, in the same transaction: called once before each COMMIT. */
    sealHeads: () => {
      for (const tenantId of trail.moved) seal(trail, tenantId)
      trail.moved = new Set()
    },
    /**
     * Erases clear text by `run` and signs each erasure; text that was removed from outside before stays unsigned. The
     * caller is inside a transaction.
     */
    erase: (tenantId: string, run: () => void): void => {
      const before = new Set(unsigned(trail, tenantId))
      run()
      const erased = unsigned(trail, tenantId).filter((seq) => !before.has(seq))
      signErasures(trail, tenantId, erased)
    },
    /** Writes one entry after `head` and returns the new head. The caller is inside a transaction. */
    append: (head: AuditHead, entry: AuditEntry): AuditHead => append(trail, head, entry),
  }
}
