import { say } from '../../words/say.ts'
import type { MasterBox, SecretBox } from '../secrets.ts'
import type { Connection } from '../sqlite.ts'
import {
  type AuditHead,
  erasureMac,
  findBreak,
  GENESIS,
  HEAD,
  hashData,
  headMac,
  linkHash,
  SEALED,
  type SealedHead,
  type StoredEntry,
} from './audit.ts'

export type Verification = {
  entries: number
  intact: boolean
  firstBroken: { seq: number; id: string | null; reason: string } | null
  /** The last entry, which is sent out daily: a later log must still contain it. */
  head: AuditHead | null
  /** Whether the log contains the given anchor; null without one. */
  anchored: boolean | null
}

const SELECT_CHAIN = `SELECT a.tenant_id AS tenantId, a.seq, a.id, a.at, a.actor_kind AS actorKind, a.actor_id AS actorId,
  a.api_key_id AS apiKeyId, a.impersonator_id AS impersonatorId, a.ip, a.request_id AS requestId, a.action, a.entity,
  a.entity_id AS entityId, a.trader_id AS traderId, a.data_hash AS dataHash, a.hash, d.salt, d.before, d.after, e.mac AS erasure
  FROM audit a LEFT JOIN audit_data d ON d.tenant_id = a.tenant_id AND d.seq = a.seq
  LEFT JOIN audit_erasures e ON e.tenant_id = a.tenant_id AND e.seq = a.seq
  WHERE a.tenant_id = ? AND a.seq > ? ORDER BY a.seq LIMIT ?`

type ChainRow = StoredEntry & {
  salt: string | null
  before: string | null
  after: string | null
  erasure: string | null
}

/** Returns why one entry is not what was logged, or null. */
function findFault(row: ChainRow, previous: AuditHead, signer: SecretBox, firm: SecretBox): string | null {
  if (row.seq !== previous.seq + 1) return say('audit.fault.entry_missing')
  if (linkHash(signer, previous.hash, row) !== row.hash) return say('audit.fault.entry_altered')
  if (row.salt !== null)
    return hashData(row.salt, row.before, row.after) === row.dataHash ? null : say('audit.fault.data_altered')
  return row.erasure === erasureMac(firm, row.seq) ? null : say('audit.fault.data_removed')
}

/**
 * Verifies a tenant's chain from the first entry in batches, between which other requests run. A recorded erasure is
 * not a break; altered or removed clear text is one, and so is a log that ends before its sealed head. Names the first
 * broken entry. `anchor` is an earlier head.
 */
export async function verifyChain(
  connection: Connection,
  secrets: MasterBox,
  tenantId: string,
  anchor: AuditHead | null = null,
): Promise<Verification> {
  const firm = secrets.forFirm(tenantId)
  const sealed = connection.get<SealedHead>(SEALED, [tenantId])
  let previous = GENESIS
  let anchored = anchor === null ? null : false
  const broken = (seq: number, id: string | null, reason: string): Verification => ({
    entries: previous.seq,
    intact: false,
    firstBroken: { seq, id, reason },
    head: null,
    anchored,
  })
  const gone = findBreak(connection, tenantId)
  if (gone?.hash === '' || (sealed === undefined && connection.get(HEAD, [tenantId]) !== undefined))
    return broken(1, null, say('audit.fault.head_missing'))
  for (;;) {
    const rows = connection.all<ChainRow>(SELECT_CHAIN, [tenantId, previous.seq, 1000])
    for (const row of rows) {
      const signer = sealed !== undefined && row.seq >= sealed.firmKeyFrom ? firm : secrets
      const fault = findFault(row, previous, signer, firm)
      if (fault !== null) return broken(row.seq, row.id, fault)
      previous = { seq: row.seq, hash: row.hash }
      if (anchor !== null && row.seq === anchor.seq) anchored = row.hash === anchor.hash
      // entries after the sealed head were written during this read
      if (row.seq === sealed?.seq && row.hash !== sealed.hash)
        return broken(row.seq, row.id, say('audit.fault.entry_altered'))
    }
    if (rows.length < 1000) break
    await Bun.sleep(0)
  }
  if (sealed !== undefined && sealed.mac !== headMac(firm, sealed))
    return broken(sealed.seq, null, say('audit.fault.head_altered'))
  if (sealed !== undefined && previous.seq < sealed.seq)
    return broken(previous.seq + 1, null, say('audit.fault.tail_missing'))
  if (gone)
    return broken(
      gone.foundSeq + 1,
      null,
      say(gone.mac === headMac(firm, gone) ? 'audit.fault.tail_missing' : 'audit.fault.head_altered'),
    )
  return {
    entries: previous.seq,
    intact: true,
    firstBroken: null,
    head: previous.seq === 0 ? null : previous,
    anchored,
  }
}
