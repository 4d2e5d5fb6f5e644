import { sql } from 'drizzle-orm'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { type LineRow, commissionLines as lines, commissionRuns as runs } from './commissions.table.ts'
import type { Wanted } from './sources.ts'

/** A line to write: a wanted line, or the contra line of a former one. */
export type NewLine = Omit<Wanted, 'sourceType'> & {
  sourceType: LineRow['sourceType']
  revision: number
  contra: boolean
}
/** A stored line, with amounts as numbers of minor units. */
type Held = Omit<NewLine, 'lots' | 'amount' | 'contra' | 'detail'> & {
  lots: number
  amount: number
  contra: number
  detail: string
  isVoid: number
}

/** Selects lines of runs that failed for good: they do not count, and their sources are run again. */
export const OF_FAILED = sql`EXISTS (SELECT 1 FROM ${runs} WHERE ${runs.tenantId} = ${lines.tenantId}
  AND ${runs.id} = ${lines.runId} AND ${runs.status} = 'failed')`
const OF_SOURCES = statement(
  sql`SELECT ${listed({
    source: lines.source,
    affiliateId: lines.affiliateId,
    traderId: lines.traderId,
    level: lines.level,
    model: lines.model,
    sourceType: lines.sourceType,
    symbol: lines.symbol,
    lots: lines.lots,
    occurredAt: lines.occurredAt,
    planVersionId: lines.planVersionId,
    currency: lines.currency,
    amount: lines.amount,
    detail: lines.detail,
    revision: lines.revision,
    contra: lines.contra,
    isVoid: OF_FAILED,
  })} FROM ${lines} WHERE ${lines.tenantId} = ?1 AND ${lines.source} IN (SELECT value FROM json_each(?2))
  ORDER BY ${lines.revision}, ${lines.contra}`,
)

const buildKey = ({ source, affiliateId, level, model }: Pick<Wanted, 'source' | 'affiliateId' | 'level' | 'model'>) =>
  `${source} ${affiliateId} ${level} ${model}`

const toContra = ({ lots, amount, detail, isVoid: _, ...held }: Held, revision: number): NewLine => ({
  ...held,
  revision,
  lots: -BigInt(lots),
  amount: -BigInt(amount),
  detail: JSON.parse(detail),
  sourceType: 'correction',
  contra: true,
})

/** Returns the valid line of each key (the newest that was not taken back), and the last revision of each key. */
function heldLines(db: Reader, sources: readonly string[]) {
  const held = new Map<string, Held>()
  const revisions = new Map<string, number>()
  const voided = new Set<string>()
  for (const row of db.query<Held>(OF_SOURCES, [JSON.stringify(sources)])) {
    const key = buildKey(row)
    revisions.set(key, row.revision)
    if (row.isVoid === 1) voided.add(key)
    else if (row.contra === 1) held.delete(key)
    else held.set(key, row)
  }
  return { held, revisions, voided }
}

/**
 * Returns the lines to write so that `sources` have exactly the wanted lines. An equal line needs nothing; a changed
 * source gets a contra line and a new one; a source that earns nothing now gets only a contra line.
 */
export function differences(db: Reader, sources: readonly string[], wanted: readonly Wanted[]): NewLine[] {
  const { held, revisions, voided } = heldLines(db, sources)
  // revisions that a failed run used must not be used again, those of its contra lines included
  const takeBack = (key: string, line: Held): NewLine => {
    const revision = voided.has(key) ? (revisions.get(key) ?? 0) + 1 : line.revision
    revisions.set(key, Math.max(revision, revisions.get(key) ?? 0))
    return toContra(line, revision)
  }
  const found: NewLine[] = []
  for (const line of wanted) {
    const key = buildKey(line)
    const before = held.get(key)
    held.delete(key)
    // the carried loss must be equal too, since the next month starts with it
    const same =
      before !== undefined &&
      BigInt(before.amount) === line.amount &&
      before.currency === line.currency &&
      JSON.parse(before.detail).carried === line.detail.carried
    if (same) continue
    if (before) found.push(takeBack(key, before))
    found.push({ ...line, revision: (revisions.get(key) ?? 0) + 1, contra: false })
  }
  for (const [key, gone] of held) found.push(takeBack(key, gone))
  return found
}

/** Returns what an affiliate got from a source at one level by one model, summed over all lines, in minor units. */
export const sumNet = (db: Reader, line: Pick<LineRow, 'source' | 'affiliateId' | 'level' | 'model'>): bigint =>
  db
    .query<Held>(OF_SOURCES, [JSON.stringify([line.source])])
    .filter((row) => row.isVoid === 0 && buildKey(row) === buildKey(line))
    .reduce((sum, { amount }) => sum + BigInt(amount), 0n)
