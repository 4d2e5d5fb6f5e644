import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { getTableName, sql } from 'drizzle-orm'
import { bare, statement } from '../../../platform/db/statement.ts'
import { runTask } from '../../../platform/query-runner/task.ts'
import { differing } from '../../../platform/seals/check-seal.ts'
import { readSeal } from '../../../platform/seals/seal.ts'
import { createSecretBox } from '../../../platform/secrets.ts'
import { type Connection, openReader } from '../../../platform/sqlite.ts'
import { ledgerEntries } from '../../books/wallets/wallets.table.ts'
import { DEADLINE } from './check.tasks.ts'

const CompareIn = Type.Object({
  live: Type.String(),
  copy: Type.String(),
  until: Type.Integer(),
  key: Type.String(),
  least: Type.Integer(),
})
const Compared = Type.Object({ foreign: Type.Integer(), missing: Type.Integer(), seals: Type.Array(Type.String()) })
type Compared = Static<typeof Compared>

const table = sql.identifier(getTableName(ledgerEntries))
const sameId = sql`there.${bare(ledgerEntries.tenantId)} = here.${bare(ledgerEntries.tenantId)}
  AND there.${bare(ledgerEntries.id)} = here.${bare(ledgerEntries.id)}`
/** Entries of the copy that the live books lack or have with other values. */
const FOREIGN = statement(sql`SELECT count(*) AS n FROM copy.${table} AS here WHERE NOT EXISTS (
  SELECT 1 FROM main.${table} AS there WHERE ${sameId}
    AND there.${bare(ledgerEntries.amount)} = here.${bare(ledgerEntries.amount)}
    AND there.${bare(ledgerEntries.currency)} = here.${bare(ledgerEntries.currency)}
    AND there.${bare(ledgerEntries.account)} = here.${bare(ledgerEntries.account)})`)
/** Entries that the live books had at a time and the copy lacks. */
const MISSING = statement(sql`SELECT count(*) AS n FROM main.${table} AS here
  WHERE here.${bare(ledgerEntries.createdAt)} <= ?1
    AND NOT EXISTS (SELECT 1 FROM copy.${table} AS there WHERE ${sameId})`)

/** Returns how often the seal of a database was renewed, which rises with each commit; 0 without a seal. */
export const countSealRenewals = (db: Connection, key: Uint8Array): number =>
  readSeal(db, createSecretBox(key))?.renewed ?? 0

/** Compares the seals over all rows of two databases; the copy's must have been renewed at least `least` times. */
function compareSeals(live: Connection, copyPath: string, key: Uint8Array, least: number): string[] {
  const copy = openReader(copyPath)
  try {
    const secrets = createSecretBox(key)
    const [here, there] = [readSeal(live, secrets), readSeal(copy, secrets)]
    if (!here || !there) return []
    if (there.renewed < least) return [`the copy lacks the last ${least - there.renewed} writes`]
    if (there.renewed !== here.renewed) return []
    return differing(live, here.sums, there.sums).map((name) => `rows of ${name} are others in the live data`)
  } finally {
    copy.close()
  }
}

/** Compares, in a child, the books of a copy with the live ones at a time, and the seals over all rows. */
export const compareTask = (input: unknown): Compared => {
  const { live, copy, until, key, least } = Value.Decode(CompareIn, input)
  const db = openReader(live)
  try {
    const seals = compareSeals(db, copy, Buffer.from(key, 'base64'), least)
    db.raw.run('ATTACH ? AS copy', [copy])
    return {
      foreign: db.get<{ n: number }>(FOREIGN)?.n ?? 0,
      missing: db.get<{ n: number }>(MISSING, [until])?.n ?? 0,
      seals,
    }
  } finally {
    db.close()
  }
}

/** Starts the child that compares the books of a copy with the live ones; returns the faults as sentences. */
export async function compareApart(
  parts: { live: string; copy: string; until: number; key: Uint8Array; least: number },
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const input = { ...parts, key: Buffer.from(parts.key).toString('base64') }
  const options = { deadlineMs: DEADLINE, background: true, ...(signal && { signal }) }
  const { foreign, missing, seals } = Value.Decode(Compared, await runTask('backups.compare', input, options))
  return [
    ...seals,
    ...(foreign > 0 ? [`${foreign} entries of the copy's books are not in the live ones, or are others there`] : []),
    ...(missing > 0 ? [`${missing} entries of the live books are not in the copy`] : []),
  ]
}
