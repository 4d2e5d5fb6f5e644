import { migrate } from './db/migrate.ts'
import { type Migration, migrations } from './db/migrations.ts'
import { sealAnew } from './seals/seal.ts'
import type { MasterBox } from './secrets.ts'
import type { Connection } from './sqlite.ts'

/**
 * Applies the migrations of a list that a database lacks, then runs `atEnd`, then seals all rows, in one transaction.
 * Changes nothing if none is lacking. Returns the names of the applied ones.
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
