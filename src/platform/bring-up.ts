import { createAuditTrail } from './audit/audit.ts'
import { tenantIds } from './db/directory.ts'
import { migrate, schemaOf } from './db/migrate.ts'
import { type Migration, migrations } from './db/migrations.ts'
import { sealAnew } from './seals/seal.ts'
import type { MasterBox } from './secrets.ts'
import type { Connection } from './sqlite.ts'

/** The migration since which the heads of the audits are sealed. */
const SEALS_HEADS = '0011_evidence'

/**
 * Brings a database to the schema of a list of migrations, and seals in the same transaction what is there then: the
 * ends of the audits where the schema had no place for that before, and all rows. `atEnd` runs before the rows are
 * sealed. Changes nothing where no migration is due. Returns the names applied.
 */
export function bringUp(
  connection: Connection,
  secrets: MasterBox,
  { now, list = migrations, atEnd }: { now: number; list?: readonly Migration[]; atEnd?: () => void },
): string[] {
  const hasBook = connection.get(`SELECT 1 FROM sqlite_schema WHERE name = 'schema_migrations'`) !== undefined
  const before = new Set(list.slice(0, hasBook ? schemaOf(connection) : 0).map(({ name }) => name))
  return migrate(connection, {
    now,
    list,
    atEnd: () => {
      if (!before.has(SEALS_HEADS) && list.some(({ name }) => name === SEALS_HEADS))
        createAuditTrail(connection, secrets).sealFirst(tenantIds(connection))
      atEnd?.()
      sealAnew(connection, secrets)
    },
  })
}
