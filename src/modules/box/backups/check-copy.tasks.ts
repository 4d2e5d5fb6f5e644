import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { endsAsSealed } from '../../../platform/audit/audit.ts'
import { verifyChain } from '../../../platform/audit/verify.ts'
import { tenantIds } from '../../../platform/db/directory.ts'
import { proveKey } from '../../../platform/db/key-proof.ts'
import { countMigrations, findLacking } from '../../../platform/db/migrate.ts'
import { type Migration, migrations } from '../../../platform/db/migrations.ts'
import { createReader } from '../../../platform/db/reader.ts'
import { statement } from '../../../platform/db/statement.ts'
import { bringUp } from '../../../platform/migrate-and-seal.ts'
import { checkSeal } from '../../../platform/seals/check-seal.ts'
import { strangeObjects } from '../../../platform/seals/schema-objects.ts'
import { readSeal } from '../../../platform/seals/seal.ts'
import { createSecretBox, type MasterBox } from '../../../platform/secrets.ts'
import { type Connection, openWriter } from '../../../platform/sqlite.ts'
import { findLedgerFaults, readTrialBalance } from '../../books/wallets/ledger.queries.ts'
import { ledgerEntries } from '../../books/wallets/wallets.table.ts'
import { isOfKey, type Manifest } from './backups.archive.ts'
import { brokenPages, brokenParts, MOST_FAULTS } from './broken-parts.ts'
import type { CheckReport } from './check.model.ts'
import { checkPapers } from './check-papers.tasks.ts'

const ENTRIES = statement(sql`SELECT count(*) AS n FROM ${ledgerEntries} WHERE ${ledgerEntries.tenantId} = ?1`)

/** Returns what is wrong with the books of a firm as a whole, and with the end of its audit log. */
function checkFirmQuickly(copy: Connection, secrets: MasterBox, tenantId: string) {
  const isBalanced = readTrialBalance(createReader(copy, { tenantId, traderId: null })).balanced
  const faults = [
    ...(isBalanced ? [] : [`the books of ${tenantId} do not balance`]),
    ...(endsAsSealed(copy, secrets, tenantId) ? [] : [`the audit of ${tenantId} does not end where it was sealed`]),
  ]
  return { entries: 0, auditEntries: 0, faults }
}

async function checkFirm(
  copy: Connection,
  secrets: MasterBox,
  tenantId: string,
): Promise<Pick<CheckReport, 'entries' | 'auditEntries' | 'faults'>> {
  const db = createReader(copy, { tenantId, traderId: null })
  const chain = await verifyChain(copy, secrets, tenantId)
  const { firstBroken } = chain
  return {
    entries: copy.get<{ n: number }>(ENTRIES, [tenantId])?.n ?? 0,
    auditEntries: chain.entries,
    faults: [
      ...(readTrialBalance(db).balanced ? [] : [`the books of ${tenantId} do not balance`]),
      ...findLedgerFaults(db)
        .slice(0, MOST_FAULTS)
        .map(({ kind, id }) => `${kind} ${id} of ${tenantId}`),
      ...(firstBroken ? [`the audit of ${tenantId}, entry ${firstBroken.seq}: ${firstBroken.reason}`] : []),
    ],
  }
}

/**
 * Returns reasons to doubt that a copy is of the box with this key. A snapshot is proven by its manifest and its seal;
 * a replica only by its seal.
 */
function listDoubts(
  copy: Connection,
  secrets: MasterBox,
  { manifest, key, isQuick }: { manifest: Manifest | null; key: Uint8Array; isQuick: boolean },
): string[] {
  const isProven = manifest === null || isOfKey(manifest, key)
  const doubts = isProven ? [] : ['nothing proves that this installation took the snapshot']
  if (!isQuick) return [...doubts, ...checkSeal(copy, secrets).faults]
  return [...doubts, ...(readSeal(copy, secrets) ? [] : ['the seal over its rows is not of this installation'])]
}

/** Proves a copy whose pages SQLite found intact; the copy is migrated to this program's schema. */
async function checkBooks(
  copy: Connection,
  secrets: MasterBox,
  { now, list, isQuick }: { now: number; list: readonly Migration[]; isQuick: boolean },
): Promise<Pick<CheckReport, 'firms' | 'entries' | 'auditEntries' | 'faults'>> {
  bringUp(copy, secrets, { now, list })
  const faults = strangeObjects(copy, list)
  const found = { firms: 0, entries: 0, auditEntries: 0, faults }
  for (const tenantId of tenantIds(copy)) {
    const check = isQuick ? checkFirmQuickly : checkFirm
    const firm = await check(copy, secrets, tenantId)
    found.firms += 1
    found.entries += firm.entries
    found.auditEntries += firm.auditEntries
    faults.push(...firm.faults)
  }
  return found
}

/**
 * Proves a copy of the databases in a directory that no server uses: every page and reference, the key, the schema, the
 * seal over all rows, all books, every link of the audit, every attached document. The copy is migrated to this
 * program's schema. Throws a sentence for a newer schema and for a wrong key. No data leaves the directory.
 */
export async function checkCopy(parts: {
  directory: string
  key: Uint8Array
  now: number
  list?: readonly Migration[]
  /** False if the documents need no check, since they were not changed. */
  papers?: boolean
  /** The manifest of the snapshot. */
  manifest?: Manifest | null
  /**
   * True checks only what takes seconds: pages, key, schema, that the books add up, and the ends of the audit logs.
   * Rows are then not compared with their seal, nor entries with each other.
   */
  isQuick?: boolean
  /** Whether a copy is accepted although nothing proves that it is of this box. */
  trusted?: boolean
}): Promise<CheckReport> {
  const { directory, key, now, list = migrations, papers = true, manifest = null } = parts
  const { isQuick = false, trusted = false } = parts
  const secrets = createSecretBox(key)
  const path = join(directory, 'brokerbase.db')
  const papersPath = join(directory, 'files.db')
  const copy = openWriter(path)
  try {
    const bytes = statSync(path).size + (existsSync(papersPath) ? statSync(papersPath).size : 0)
    const none = { firms: 0, entries: 0, auditEntries: 0, papers: 0, missing: [], faults: [], doubts: [] }
    const found = { ...none, schema: countMigrations(copy), bytes }
    const broken = (isQuick ? brokenPages : brokenParts)(copy, 'brokerbase.db')
    // a damaged file is not read further
    if (broken.length > 0) return { ...found, faults: broken }
    proveKey(copy, secrets, directory)
    // it is checked before anything is written, since foreign triggers in the schema would run then
    const strange = strangeObjects(copy, list.slice(0, findLacking(copy, list).from))
    if (strange.length > 0) return { ...found, faults: strange.slice(0, MOST_FAULTS) }
    const doubts = listDoubts(copy, secrets, { manifest, key, isQuick })
    if (doubts.length > 0 && !trusted) return { ...found, doubts, faults: doubts }
    const books = await checkBooks(copy, secrets, { now, list, isQuick })
    if (!papers) return { ...found, ...books, doubts }
    const ofPapers = checkPapers(copy, papersPath, secrets)
    return { ...found, ...books, ...ofPapers, doubts, faults: [...books.faults, ...ofPapers.faults] }
  } finally {
    copy.close()
  }
}
