import { migrate } from './db/migrate.ts'
import { type Migration, migrations } from './db/migrations.ts'
import { sealAnew } from './seals/seal.ts'
import type { MasterBox } from './secrets.ts'
import type { Connection } from './sqlite.ts'

/**
 * Migrates a database to the schema of a list of migrations, and seals all rows that exist then in the same
 * transaction. `atEnd` runs before that. Changes nothing where no migration is due. Returns the names applied.
 */
export const bringUp = (
  connection: Connection,
  secrets: MasterBox,
  { now, list = migrations, atEnd }: { now: number; list?: readonly Migration[]; atEnd?: () => void },
): string[] =>
  migrate(connection, {
    now,
    list,
    atEnd: () => {
      atEnd?.()
      sealAnew(connection, secrets)
    },
  })
