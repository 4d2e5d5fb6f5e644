import { expect, test } from 'bun:test'
import { createSeededRandom, type Random } from '../../../testing/insider/draw.ts'
import { countOpen, last, type Model, Trader } from '../../../testing/random-trader.ts'
import type { Deal } from '../contract/terminal.ts'
import { type Folded, foldPosition } from './fold.ts'
import { findEarlierNumbers } from './renumbered.ts'

/** How many random traders are tried. */
const SEEDS = Number(process.env.BROKERBASE_SEEDS ?? 300)
/** Lots of the model are hundredths, those of the derivation hundred-millionths. */
const HUNDREDTH = 1_000_000n

/** Rounds thousandths of a unit to hundredths, half to even. */
function roundThousandths(thousandths: number): number {
  const below = Math.floor(thousandths / 10)
  const over = thousandths - below * 10
  return over > 5 || (over === 5 && below % 2 !== 0) ? below + 1 : below
}
const readThousandths = (text: string): number => Math.round(Number(text) * 1000)

const MONEY = ['profit', 'swap', 'commission'] as const
/** Returns what the deals that count come to in hundredths of a unit. */
const sumDeals = (deals: readonly Deal[]) => {
  const counted = deals.filter(({ cancelled }) => !cancelled)
  const sum = (read: (deal: Deal) => number) =>
    counted.reduce((all, deal) => all + BigInt(roundThousandths(read(deal))), 0n)
  return {
    profit: sum(({ profit }) => readThousandths(profit)),
    swap: sum(({ swap }) => readThousandths(swap)),
    commission: sum(({ commission, fee }) => readThousandths(commission) + readThousandths(fee)),
  }
}
const sumFolded = ({ legs, closings }: Folded) => {
  const parts = [...closings, ...legs.map(({ waiting }) => waiting)]
  const [profit, swap, commission] = MONEY.map((field) => parts.reduce((all, part) => all + part[field], 0n))
  return { profit, swap, commission }
}
function shuffle<T>(any: Random, items: readonly T[]): T[] {
  const left = [...items]
  const found: T[] = []
  while (left.length > 0) found.push(...left.splice(any(left.length), 1))
  return found
}

const toUnits = (hundredths: number): bigint => BigInt(hundredths) * HUNDREDTH
/** Expects of a derivation what the model knows. */
function check(model: Model, folded: Folded, isEmpty: boolean): void {
  expect(folded.impossible).toBe(false)
  const lots = Object.fromEntries(folded.closings.map((closing) => [closing.key, closing.lots]))
  expect(lots).toEqual(Object.fromEntries(Object.entries(model.closings).map(([key, n]) => [key, toUnits(n)])))
  expect(Object.keys(lots)).toHaveLength(folded.closings.length)
  if (isEmpty) return
  const { ticket, side, ...leg } = last(model)
  expect(folded.legs.map((one) => one.ticket)).toEqual(model.legs.map((one) => one.ticket))
  const found = folded.legs.at(-1)
  expect([found?.openedLots, found?.closedLots, found?.lostLots]).toEqual(
    [leg.opened, leg.closed, leg.lost].map(toUnits),
  )
  expect([found?.ticket, found?.side, found?.closedAt === null]).toEqual([ticket, side, countOpen(last(model)) > 0])
  for (const { waiting, lostLots, closedAt, n } of folded.legs) {
    const own = folded.closings.filter((closing) => closing.leg === n)
    if (closedAt === null || lostLots > 0n || own.length === 0) continue
    // whatever is closed as a whole waits for nothing
    expect(MONEY.map((field) => waiting[field])).toEqual([0n, 0n, 0n])
  }
}

test('random traders: lots, side, ticket and closings as single hundredths tell, and sums as the deals have them', () => {
  const seen = { turn: 0, by: 0, technical: 0, cancelled: 0, renumbered: 0, impossible: 0 }
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const any = createSeededRandom(seed)
    const trader = new Trader(any, seed % 2 === 0)
    trader.trade(1 + any(60))
    const { deals, renumbered } = trader
    const firsts = findEarlierNumbers(
      shuffle(
        any,
        deals.filter(({ technical }) => technical),
      ),
    )
    expect(firsts.size).toBe(renumbered.size)
    for (const [root, model] of trader.positions) {
      const own = deals.filter(({ position }) => (renumbered.get(position ?? '') ?? position) === root)
      const folded = foldPosition(own, 2)
      check(
        model,
        folded,
        own.every(({ cancelled }) => cancelled),
      )
      expect(sumFolded(folded)).toEqual(sumDeals(own))
      expect(foldPosition(shuffle(any, [...own, ...own.filter(() => any(3) === 0)]), 2)).toEqual(folded)
      const cut = own.slice(1 + any(own.length))
      const short = foldPosition(cut, 2)
      if (short.impossible) seen.impossible += 1
      for (const { openedLots, closedLots, n } of short.legs) {
        const closed = short.closings.reduce((all, { leg, lots }) => (leg === n ? all + lots : all), 0n)
        expect(closed <= closedLots && closedLots <= openedLots).toBe(true)
      }
      expect(sumFolded(short)).toEqual(sumDeals(cut))
    }
    seen.renumbered += renumbered.size
    for (const { entry, technical, cancelled } of deals) {
      if (entry === 'turn' || entry === 'by') seen[entry] += 1
      if (technical) seen.technical += 1
      if (cancelled) seen.cancelled += 1
    }
  }
  // each kind of act is tried by the traders of a usual run
  if (SEEDS >= 300) for (const count of Object.values(seen)) expect(count).toBeGreaterThan(50)
})
