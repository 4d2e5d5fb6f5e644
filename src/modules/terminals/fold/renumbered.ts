import { DAY } from '../../../platform/clock.ts'
import type { Deal } from '../contract/terminal.ts'
import { compareDeals, isTrade, turnSide } from './fold.ts'
import type { Trade } from './fold-leg.ts'

/** The reason of a deal that gives a position other lots for those that it had. */
const SPLIT = 'split'

/**
 * Returns what the two technical deals of a position that goes on under another number have in common: the lots too,
 * but for a split.
 */
const describe = ({ login, reason, symbol, side, lots, entry }: Trade): string =>
  JSON.stringify([login, reason, symbol, entry === 'in' ? side : turnSide(side), reason === SPLIT ? '' : lots])

/** Returns whether a deal opened the number of its position, which is then the number of its order. */
const isFirst = ({ order, position }: Trade): boolean => order === null || order === position

/**
 * Returns, of each number under which a position goes on, the number that it had first. A technical deal that takes
 * lots out under one number is followed, within a day, by one of the same reason, symbol, side and lots (a split
 * changes these) that begins another number; of several that fit, the first taken out is the first brought in.
 * `technical` are all technical deals of a login.
 */
export function findEarlierNumbers(technical: Iterable<Deal>): Map<string, string> {
  const first = new Map<string, string>()
  const out = new Map<string, Trade[]>()
  const known = new Map<string, Trade>()
  for (const deal of technical) if (isTrade(deal) && deal.technical) known.set(deal.id, deal)
  for (const deal of [...known.values()].sort(compareDeals)) {
    const key = describe(deal)
    const waiting = (out.get(key) ?? []).filter(({ at }) => deal.at - at <= DAY)
    out.set(key, waiting)
    if (deal.entry === 'turn') continue
    if (deal.entry !== 'in') {
      waiting.push(deal)
      continue
    }
    // the terminal may also open it anew under the same number, and then no other one goes on from it
    const own = waiting.find(({ position }) => position === deal.position)
    const before = own ?? (isFirst(deal) ? waiting[0] : undefined)
    if (!before) continue
    waiting.splice(waiting.indexOf(before), 1)
    if (!own) first.set(deal.position, first.get(before.position) ?? before.position)
  }
  return first
}
