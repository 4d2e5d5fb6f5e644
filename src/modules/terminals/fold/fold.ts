import type { Amounts } from '../../books/positions/derived.model.ts'
import { parseLots } from '../../books/positions/lots.ts'
import type { Deal } from '../contract/terminal.ts'
import { NOTHING, readAmounts, takeShare } from './amounts.ts'
import { type FoldedClosing, type FoldedLeg, LegBuilder, type Trade } from './fold-leg.ts'

/** What the deals of a position come to. */
export type Folded = {
  legs: FoldedLeg[]
  closings: FoldedClosing[]
  /** Whether more was closed than opened, so that deals are missing or were changed; then there are no closings. */
  impossible: boolean
}

/** Compares the numbers of deals. */
const compareNumbers = (one: string, other: string): number =>
  one.length - other.length || (one < other ? -1 : Number(one > other))

/** Orders deals by their moment, and those of one moment by their number. */
export const compareDeals = (one: Deal, other: Deal): number => one.at - other.at || compareNumbers(one.id, other.id)

/** Returns whether a deal counts for a position. */
export const isTrade = (deal: Deal): deal is Trade =>
  deal.kind === 'trade' &&
  !deal.cancelled &&
  deal.entry !== null &&
  deal.position !== null &&
  deal.symbol !== null &&
  deal.side !== null

/** Returns the other side. */
export const turnSide = (side: Trade['side']): Trade['side'] => (side === 'long' ? 'short' : 'long')

/**
 * Derives the legs and closings of one position from all its deals, in whatever order they came and however often.
 * Deals of several numbers are those of one position that technical deals closed under a number and opened under the
 * next (`findEarlierNumbers`); its ticket stays the first number. RULES “Positions”.
 *
 * A technical deal neither opens nor closes lots. One that takes them out (a rollover, a settlement) sets them aside
 * with their opening times, and one that brings lots in takes up those again, so that a position which was closed and
 * opened anew goes on as it was. Lots that do not come back are lost: the leg ends without a closing. Lots that come in
 * beyond those set aside are opened, since they can be closed. Amounts of technical deals are shared by the lots that
 * are open and are part of their closings.
 */
export function foldPosition(deals: Iterable<Deal>, decimals: number): Folded {
  const unique = new Map<string, Trade>()
  for (const deal of deals) if (isTrade(deal)) unique.set(deal.id, deal)
  const fold = new Fold(decimals)
  for (const deal of [...unique.values()].sort(compareDeals)) fold.take(deal)
  return fold.finish()
}

/**
 * Returns every ticket that a position may have had here: the numbers of its deals and the orders of its turns, of
 * cancelled deals too.
 */
export function listTickets(deals: Iterable<Deal>): string[] {
  const tickets = new Set<string>()
  for (const { position, entry, order, id } of deals) {
    if (position !== null) tickets.add(position)
    if (entry === 'turn') tickets.add(order ?? id)
  }
  return [...tickets]
}

class Fold {
  readonly #decimals: number
  readonly #legs: LegBuilder[] = []
  readonly #closings: FoldedClosing[] = []
  #impossible = false
  /** Amounts by leg that no closing can have, since its deal closes more than is open. */
  readonly #unplaced: { leg: number; amounts: Amounts }[] = []

  constructor(decimals: number) {
    this.#decimals = decimals
  }

  take(deal: Trade): void {
    const lots = parseLots(deal.lots)
    const amounts = readAmounts(deal, this.#decimals)
    if (deal.entry === 'in') this.#open(deal, lots, amounts)
    else if (deal.entry === 'turn') this.#turn(deal, lots, amounts)
    else this.#close(deal, lots, amounts)
  }

  /** Returns the leg that deals belong to; before the first one, one of the side that the deal leaves or enters. */
  #current(deal: Trade): LegBuilder {
    const side = deal.entry === 'in' ? deal.side : turnSide(deal.side)
    return this.#legs.at(-1) ?? this.#begin(deal, deal.position, side)
  }

  #begin(deal: Trade, ticket: string, side: Trade['side']): LegBuilder {
    const leg = new LegBuilder(this.#legs.length + 1, ticket, side, deal)
    this.#legs.push(leg)
    return leg
  }

  #open(deal: Trade, lots: bigint, amounts: Amounts): void {
    const leg = this.#current(deal)
    if (leg.side !== deal.side) this.#impossible = true
    if (deal.technical) leg.bring(deal, lots, amounts)
    else leg.add(deal, lots, amounts)
  }

  #close(deal: Trade, lots: bigint, amounts: Amounts): void {
    const leg = this.#current(deal)
    if (lots > leg.open) {
      this.#impossible = true
      this.#unplaced.push({ leg: leg.n, amounts: { ...amounts, spread: 0n } })
      this.#close(deal, leg.open, NOTHING)
    } else if (deal.technical) leg.lose(deal, lots, amounts)
    else this.#closings.push(...leg.close(deal, lots, amounts))
  }

  /** Closes the leg, and opens what is over as the next one, with its share of the commission and of the spread. */
  #turn(deal: Trade, lots: bigint, amounts: Amounts): void {
    const { open } = this.#current(deal)
    const closed = deal.lotsClosed === null ? open : parseLots(deal.lotsClosed)
    const rest = lots > closed ? lots - closed : 0n
    // a turn leaves nothing open, and is larger than what it closes
    if (closed !== open || rest === 0n) this.#impossible = true
    const share = lots === 0n ? NOTHING : takeShare(amounts, rest, lots)
    const { commission, spread } = share
    this.#close(deal, closed, { ...amounts, commission: amounts.commission - commission })
    const leg = this.#begin(deal, deal.order ?? deal.id, deal.side)
    leg.add(deal, rest, { ...NOTHING, commission, spread })
  }

  finish(): Folded {
    const byLeg = (leg: LegBuilder): Amounts[] =>
      this.#impossible ? this.#closings.filter((closing) => closing.leg === leg.n) : []
    const unplaced = (leg: LegBuilder): Amounts[] =>
      this.#unplaced.filter((one) => one.leg === leg.n).map(({ amounts }) => amounts)
    const legs = this.#legs.map((leg) => leg.finish([...byLeg(leg), ...unplaced(leg)]))
    return { legs, closings: this.#impossible ? [] : this.#closings, impossible: this.#impossible }
  }
}
