import { migrate } from './db/migrate.ts'
import { type Migration, migrations } from './db/migrations.ts'
import { sealAnew } from './seals/seal.ts'
import type { MasterBox } from './secrets.ts'
import type { Connection } from './sqlite.ts'

/**
 * Applies those migrations of a list that a database does not have yet, then runs `atEnd`, then seals all rows, in one
 * transaction. Changes nothing where it has them all. Returns the names of those it applied.
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
