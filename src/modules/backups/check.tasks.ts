import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { sql } from 'drizzle-orm'
import { createAuditTrail } from '../../platform/audit/audit.ts'
import { verifyChain } from '../../platform/audit/verify.ts'
import { HOUR } from '../../platform/clock.ts'
import { openBlobStore } from '../../platform/db/blobs.ts'
import { tenantIds } from '../../platform/db/directory.ts'
import { proveKey } from '../../platform/db/key-proof.ts'
import { migrate, schemaOf } from '../../platform/db/migrate.ts'
import { type Migration, migrations } from '../../platform/db/migrations.ts'
import { createReader } from '../../platform/db/reader.ts'
import { statement } from '../../platform/db/statement.ts'
import { runTask } from '../../platform/query-runner/task.ts'
import { createSecretBox, sha256Hex } from '../../platform/secrets.ts'
import { type Connection, openReader, openWriter } from '../../platform/sqlite.ts'
import { files } from '../files/files.table.ts'
import { findLedgerFaults, readTrialBalance } from '../wallets/ledger.queries.ts'
import { ledgerEntries } from '../wallets/wallets.table.ts'

/** A paper that the books name and that is not there, or does not open. */
const Paper = Type.Object({ tenantId: Type.String(), fileId: Type.String() })

/** What was found in a copy of the two databases. It is good where `faults` is empty; papers are told apart. */
export const CheckReport = Type.Object({
  schema: Type.Integer({ description: 'migrations that the copy had when it came' }),
  bytes: Type.Integer({ description: 'of both databases' }),
  firms: Type.Integer(),
  entries: Type.Integer({ description: 'entries of the ledger, all of them replayed' }),
  auditEntries: Type.Integer({ description: 'links of the audit chains, all of them verified' }),
  papers: Type.Integer({ description: 'attached files that opened with the key' }),
  missing: Type.Array(Paper, { description: 'attached files whose bytes are not there' }),
  faults: Type.Array(Type.String(), { description: 'what is wrong, in words' }),
})
export type CheckReport = Static<typeof CheckReport>

/** A large installation's copy takes minutes on a slow disk; beyond hours something is wrong. */
export const DEADLINE = 6 * HOUR
/** The migration since which the heads of the audits are sealed. */
const SEALS_HEADS = '0011_evidence'
/** More than this of one kind helps nobody. */
const MOST_FAULTS = 20

const ENTRIES = statement(sql`SELECT count(*) AS n FROM ${ledgerEntries} WHERE ${ledgerEntries.tenantId} = ?1`)
const ATTACHED = statement(
  sql`SELECT ${files.tenantId} AS tenantId, ${files.id} AS id, ${files.sha256} AS sha256
    FROM ${files} WHERE ${files.status} = 'attached'`,
)

/** What SQLite itself finds wrong in a file: pages, indexes and references. Empty where it is whole. */
export function brokenParts(connection: Connection, name: string): string[] {
  const integrity = connection.raw
    .prepare<{ integrity_check: string }, []>(`PRAGMA integrity_check(${MOST_FAULTS})`)
    .all()
    .map((row) => row.integrity_check)
    .filter((line) => line !== 'ok')
  const keys = connection.raw.prepare<{ table: string; rowid: number | null }, []>('PRAGMA foreign_key_check').all()
  return [
    ...integrity.map((line) => `${name}: ${line}`),
    ...keys.slice(0, MOST_FAULTS).map((row) => `${name}: row ${row.rowid} of ${row.table} refers to nothing`),
  ]
}

/**
 * Proves a copy of the databases in a directory that nobody serves: every page and reference, the key, the replay of
 * all books, every link of the audit, every attached paper. The copy is brought to this program's schema first; a newer
 * one, and a wrong key, throw in words. Nothing of it leaves the directory.
 */
export async function checkCopy(parts: {
  directory: string
  key: Uint8Array
  now: number
  list?: readonly Migration[]
  /** False where nobody touched the papers. */
  papers?: boolean
}): Promise<CheckReport> {
  const { directory, key, now, list = migrations, papers = true } = parts
  const secrets = createSecretBox(key)
  const path = join(directory, 'brokerbase.db')
  const papersPath = join(directory, 'files.db')
  const faults: string[] = []
  const missing: Static<typeof Paper>[] = []
  const copy = openWriter(path)
  try {
    const schema = schemaOf(copy)
    faults.push(...brokenParts(copy, 'brokerbase.db'))
    const bytes = statSync(path).size + (existsSync(papersPath) ? statSync(papersPath).size : 0)
    const found = { schema, bytes, firms: 0, entries: 0, auditEntries: 0, papers: 0, missing, faults }
    // a damaged file is not asked for more
    if (faults.length > 0) return found
    proveKey(copy, secrets, directory)
    migrate(copy, { now, list })
    // as the first start after that upgrade does: before it there were no sealed heads
    if (!list.slice(0, schema).some(({ name }) => name === SEALS_HEADS))
      createAuditTrail(copy, secrets).sealFirst(tenantIds(copy))
    const tenants = tenantIds(copy)
    found.firms = tenants.length
    for (const tenantId of tenants) {
      const db = createReader(copy, { tenantId, traderId: null })
      found.entries += copy.get<{ n: number }>(ENTRIES, [tenantId])?.n ?? 0
      if (!readTrialBalance(db).balanced) faults.push(`the books of ${tenantId} do not balance`)
      for (const { kind, id } of findLedgerFaults(db).slice(0, MOST_FAULTS)) faults.push(`${kind} ${id} of ${tenantId}`)
      const chain = await verifyChain(copy, secrets, tenantId)
      found.auditEntries += chain.entries
      if (chain.firstBroken)
        faults.push(`the audit of ${tenantId}, entry ${chain.firstBroken.seq}: ${chain.firstBroken.reason}`)
    }
    if (!papers) return found
    const store = openReader(papersPath)
    faults.push(...brokenParts(store, 'files.db'))
    store.close()
    if (faults.length > 0) return found
    const blobs = openBlobStore(papersPath, secrets)
    try {
      for (const { tenantId, id, sha256 } of copy.all<{ tenantId: string; id: string; sha256: string | null }>(
        ATTACHED,
      )) {
        const opened = openPaper(() => blobs.get(tenantId, id))
        if (opened === undefined) missing.push({ tenantId, fileId: id })
        else if (opened === null || (sha256 !== null && sha256Hex(opened) !== sha256))
          faults.push(`the paper ${id} of ${tenantId} does not open as it was`)
        else found.papers += 1
      }
    } finally {
      blobs.close()
    }
    return found
  } finally {
    copy.close()
  }
}

/** The bytes of a paper; undefined where there are none, null where they do not open. */
function openPaper(read: () => Uint8Array | undefined): Uint8Array | undefined | null {
  try {
    return read()
  } catch {
    return null
  }
}

const CheckIn = Type.Object({ directory: Type.String(), key: Type.String(), now: Type.Integer() })

/** Child task: proves a copy of the databases. The key comes on standard input, as all of this does. */
export const checkTask = async (input: unknown): Promise<CheckReport> => {
  const { directory, key, now } = Value.Decode(CheckIn, input)
  const bytes = new Uint8Array(Buffer.from(key, 'base64'))
  return checkCopy({ directory, key: bytes, now })
}

/** Proves a copy in a child. */
export async function checkApart(
  { directory, key, now }: { directory: string; key: Uint8Array; now: number },
  signal: AbortSignal | undefined,
): Promise<CheckReport> {
  const input = { directory, key: Buffer.from(key).toString('base64'), now }
  const options = { deadlineMs: DEADLINE, background: true, ...(signal && { signal }) }
  return Value.Decode(CheckReport, await runTask('backups.check', input, options))
}
