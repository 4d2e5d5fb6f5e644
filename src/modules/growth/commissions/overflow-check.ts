import type { Reader } from '../../../platform/db/reader.ts'
import { maxMinor } from '../../../platform/money.ts'
import { affiliateBalances } from '../affiliates/balances.table.ts'
import type { RunResult } from './commissions.table.ts'
import type { NewLine } from './differences.ts'

const fits = (amount: bigint): boolean => amount <= maxMinor && amount >= -maxMinor

/**
 * Returns the lines of a batch that can be booked: no line, and no affiliate's balance with it, may exceed the largest
 * amount. Of a source that does, only the contra lines remain, and it is counted.
 */
export function storableLines(
  db: Reader,
  totals: RunResult['totals'],
  found: readonly NewLine[],
): { lines: NewLine[]; tooLarge: number } {
  const buildKey = ({ affiliateId, currency }: { affiliateId: string; currency: string }) =>
    `${affiliateId} ${currency}`
  const added = new Map(totals.map((total) => [buildKey(total), BigInt(total.amount)]))
  const sums = new Map<string, bigint>()
  const getSum = (line: NewLine): bigint => {
    const { affiliateId, currency } = line
    const key = buildKey(line)
    const known = sums.get(key)
    if (known !== undefined) return known
    const sum = (db.find(affiliateBalances, { affiliateId, currency })?.earned ?? 0n) + (added.get(key) ?? 0n)
    sums.set(key, sum)
    return sum
  }
  const book = (list: readonly NewLine[]): boolean => {
    const after = new Map<string, bigint>()
    for (const line of list) after.set(buildKey(line), (after.get(buildKey(line)) ?? getSum(line)) + line.amount)
    if (!list.every(({ amount }) => fits(amount)) || ![...after.values()].every(fits)) return false
    for (const [key, sum] of after) sums.set(key, sum)
    return true
  }
  const lines: NewLine[] = []
  let tooLarge = 0
  for (const list of Map.groupBy(found, ({ source }) => source).values()) {
    if (book(list)) {
      lines.push(...list)
      continue
    }
    tooLarge += 1
    const contra = list.filter((line) => line.contra)
    if (book(contra)) lines.push(...contra)
  }
  return { lines, tooLarge }
}
