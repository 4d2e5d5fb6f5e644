import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { getTableName, sql } from 'drizzle-orm'
import { bare, statement } from '../../platform/db/statement.ts'
import { runTask } from '../../platform/query-runner/task.ts'
import { openReader } from '../../platform/sqlite.ts'
import { ledgerEntries } from '../wallets/wallets.table.ts'
import { DEADLINE } from './check.tasks.ts'

const CompareIn = Type.Object({ live: Type.String(), copy: Type.String(), until: Type.Integer() })
const Compared = Type.Object({ foreign: Type.Integer(), missing: Type.Integer() })

const table = sql.identifier(getTableName(ledgerEntries))
const sameId = sql`there.${bare(ledgerEntries.tenantId)} = here.${bare(ledgerEntries.tenantId)}
  AND there.${bare(ledgerEntries.id)} = here.${bare(ledgerEntries.id)}`
/** Entries of the copy that the books do not have, or have otherwise. */
const FOREIGN = statement(sql`SELECT count(*) AS n FROM copy.${table} AS here WHERE NOT EXISTS (
  SELECT 1 FROM main.${table} AS there WHERE ${sameId}
    AND there.${bare(ledgerEntries.amount)} = here.${bare(ledgerEntries.amount)}
    AND there.${bare(ledgerEntries.currency)} = here.${bare(ledgerEntries.currency)}
    AND there.${bare(ledgerEntries.account)} = here.${bare(ledgerEntries.account)})`)
/** Entries that were in the books at a moment and are not in the copy. */
const MISSING = statement(sql`SELECT count(*) AS n FROM main.${table} AS here
  WHERE here.${bare(ledgerEntries.createdAt)} <= ?1
    AND NOT EXISTS (SELECT 1 FROM copy.${table} AS there WHERE ${sameId})`)

/** Child task: compares the books of a copy, entry by entry, with the live ones as they were at a moment. */
export const compareTask = (input: unknown): { foreign: number; missing: number } => {
  const { live, copy, until } = Value.Decode(CompareIn, input)
  const db = openReader(live)
  try {
    db.raw.run('ATTACH ? AS copy', [copy])
    return {
      foreign: db.get<{ n: number }>(FOREIGN)?.n ?? 0,
      missing: db.get<{ n: number }>(MISSING, [until])?.n ?? 0,
    }
  } finally {
    db.close()
  }
}

/** Compares the books of a copy with the live ones in a child; answers what is wrong, in words. */
export async function compareApart(
  input: { live: string; copy: string; until: number },
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const options = { deadlineMs: DEADLINE, background: true, ...(signal && { signal }) }
  const { foreign, missing } = Value.Decode(Compared, await runTask('backups.compare', input, options))
  return [
    ...(foreign > 0 ? [`${foreign} entries of the copy's books are not in the live ones, or are others there`] : []),
    ...(missing > 0 ? [`${missing} entries of the live books are not in the copy`] : []),
  ]
}
