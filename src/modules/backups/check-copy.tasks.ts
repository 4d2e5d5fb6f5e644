import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { createAuditTrail } from '../../platform/audit/audit.ts'
import { verifyChain } from '../../platform/audit/verify.ts'
import { tenantIds } from '../../platform/db/directory.ts'
import { proveKey } from '../../platform/db/key-proof.ts'
import { migrate, schemaOf } from '../../platform/db/migrate.ts'
import { type Migration, migrations } from '../../platform/db/migrations.ts'
import { createReader } from '../../platform/db/reader.ts'
import { statement } from '../../platform/db/statement.ts'
import { createSecretBox, type MasterBox } from '../../platform/secrets.ts'
import { type Connection, openWriter } from '../../platform/sqlite.ts'
import { findLedgerFaults, readTrialBalance } from '../wallets/ledger.queries.ts'
import { ledgerEntries } from '../wallets/wallets.table.ts'
import { brokenParts, MOST_FAULTS } from './broken-parts.ts'
import type { CheckReport } from './check.model.ts'
import { checkPapers } from './check-papers.tasks.ts'

/** The migration since which the heads of the audits are sealed. */
const SEALS_HEADS = '0011_evidence'

const ENTRIES = statement(sql`SELECT count(*) AS n FROM ${ledgerEntries} WHERE ${ledgerEntries.tenantId} = ?1`)

/** Replays the books of one firm and every link of its audit. */
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

/** Proves a copy that SQLite finds whole; the copy is brought to this program's schema. */
async function checkBooks(
  copy: Connection,
  secrets: MasterBox,
  { directory, now, list }: { directory: string; now: number; list: readonly Migration[] },
): Promise<Pick<CheckReport, 'firms' | 'entries' | 'auditEntries' | 'faults'>> {
  const schema = schemaOf(copy)
  proveKey(copy, secrets, directory)
  migrate(copy, { now, list })
  // as the first start after that upgrade does: before it there were no sealed heads
  if (!list.slice(0, schema).some(({ name }) => name === SEALS_HEADS))
    createAuditTrail(copy, secrets).sealFirst(tenantIds(copy))
  const faults: string[] = []
  const found = { firms: 0, entries: 0, auditEntries: 0, faults }
  for (const tenantId of tenantIds(copy)) {
    const firm = await checkFirm(copy, secrets, tenantId)
    found.firms += 1
    found.entries += firm.entries
    found.auditEntries += firm.auditEntries
    faults.push(...firm.faults)
  }
  return found
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
  const copy = openWriter(path)
  try {
    const bytes = statSync(path).size + (existsSync(papersPath) ? statSync(papersPath).size : 0)
    const none = { firms: 0, entries: 0, auditEntries: 0, papers: 0, missing: [], faults: [] }
    const found = { ...none, schema: schemaOf(copy), bytes }
    const broken = brokenParts(copy, 'brokerbase.db')
    // a damaged file is not asked for more
    if (broken.length > 0) return { ...found, faults: broken }
    const books = await checkBooks(copy, secrets, { directory, now, list })
    if (!papers) return { ...found, ...books }
    const ofPapers = checkPapers(copy, papersPath, secrets)
    return { ...found, ...books, ...ofPapers, faults: [...books.faults, ...ofPapers.faults] }
  } finally {
    copy.close()
  }
}
