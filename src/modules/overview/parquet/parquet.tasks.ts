import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { sql } from 'drizzle-orm'
import { systemClock, toIso } from '../../../platform/clock.ts'
import { countMigrations } from '../../../platform/db/migrate.ts'
import { createReader } from '../../../platform/db/reader.ts'
import { statement } from '../../../platform/db/statement.ts'
import { readSum, sumAsText } from '../../../platform/db/sums.ts'
import { openReader, openStill } from '../../../platform/sqlite.ts'
import { readFirmSettings } from '../../base/firm-settings/firm-settings.ts'
import { ledgerEntries } from '../../books/wallets/wallets.table.ts'
import { createCalendar, listFileTables, type SourceRow } from './file-columns.ts'
import { FirmFilesIn, type FirmFilesOut } from './parquet.model.ts'
import { writeTableFile } from './table-file.ts'

const LEDGER = statement(
  sql`SELECT ${ledgerEntries.account}, ${ledgerEntries.currency}, count(*) AS entries,
    ${sumAsText(ledgerEntries.amount)} AS sum FROM ${ledgerEntries} WHERE ${ledgerEntries.tenantId} = ?1
    GROUP BY ${ledgerEntries.account}, ${ledgerEntries.currency}
    ORDER BY ${ledgerEntries.account}, ${ledgerEntries.currency}`,
)
type Sum = { account: string; currency: string; entries: number; sum: string }

/** Returns the place of a table's file below a night; readers take the firm from the name of its directory. */
const namePart = (table: string, tenantId: string): string => `${table}/tenant=${tenantId}/part-0.parquet`

/** Writes the files of one firm in a child, all from one read transaction. */
export const writeFirmTask = async (input: unknown): Promise<Static<typeof FirmFilesOut>> => {
  const { database, isStill, tenantId, directory, withPeople } = Value.Decode(FirmFilesIn, input)
  const connection = isStill ? openStill(database) : openReader(database)
  try {
    // every row is read once, and this child has little memory
    connection.exec('PRAGMA cache_size = -4096')
    connection.exec('BEGIN')
    const schema = countMigrations(connection)
    const readAt = toIso(systemClock.now())
    const db = createReader(connection, { tenantId, traderId: null })
    const { timeZone } = readFirmSettings(db)
    const calendar = createCalendar(timeZone)
    const files: Static<typeof FirmFilesOut>['files'] = []
    for (const table of listFileTables({ withPeople })) {
      const path = namePart(table.name, tenantId)
      mkdirSync(dirname(join(directory, path)), { recursive: true, mode: 0o700 })
      const rows = connection.raw.prepare<SourceRow, [string]>(table.select)
      files.push({ path, ...(await writeTableFile(join(directory, path), table, rows.iterate(tenantId), calendar)) })
      rows.finalize()
    }
    const ledger = db
      .query<Sum>(LEDGER)
      .map(({ account, currency, entries, sum }) => ({ account, currency, entries, minor: String(readSum(sum)) }))
    connection.exec('COMMIT')
    return { readAt, timeZone, schema, files, ledger }
  } finally {
    connection.close()
  }
}
