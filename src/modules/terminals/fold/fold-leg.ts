import { type Amounts, addAmounts, type DerivedClosing, type DerivedLeg } from '../../books/positions/derived.model.ts'
import type { Deal } from '../contract/terminal.ts'
import { NOTHING, Pool } from './amounts.ts'
import { AveragePrice } from './average-price.ts'

/** A deal that counts: a trade, of which the terminal says what it did to which position. */
export type Trade = Deal & {
  entry: NonNullable<Deal['entry']>
  position: string
  symbol: string
  side: NonNullable<Deal['side']>
}

export type FoldedClosing = DerivedClosing & {
  /** The deal that closed it. */
  deal: string
}

export type FoldedLeg = DerivedLeg & {
  /** Tickets under which the terminal may list it since a technical deal opened it anew. */
  otherTickets: string[]
}

/** Lots of one opening that are not closed, and the amounts that wait with them. */
type Opening = { deal: string; at: number; lots: bigint; pools: Pool[] }

/** What is known of a leg while its deals are gone through. Lots are closed first in, first out. */
export class LegBuilder {
  readonly #leg: Omit<FoldedLeg, 'openPrice' | 'waiting'>
  readonly #price = new AveragePrice()
  #queue: Opening[] = []
  /** What came while nothing was open, so that no lots have it. */
  #loose: Amounts = NOTHING

  constructor(n: number, ticket: string, side: Trade['side'], { symbol, at }: Trade) {
    const lots = { openedLots: 0n, closedLots: 0n, lostLots: 0n }
    const times = { openedAt: at, closedAt: null, lastPrice: null }
    this.#leg = { n, ticket, otherTickets: [], symbol, side, ...lots, ...times }
  }
  get n(): number {
    return this.#leg.n
  }
  get side(): Trade['side'] {
    return this.#leg.side
  }
  /** The lots that can be closed. */
  get open(): bigint {
    return this.#leg.openedLots - this.#leg.closedLots - this.#leg.lostLots
  }

  /** Opens lots, with which amounts wait. */
  add(deal: Trade, lots: bigint, amounts: Amounts, openedAt = deal.at): void {
    if (lots === 0n) {
      this.attach(amounts)
      return
    }
    this.#queue.push({ deal: deal.id, at: openedAt, lots, pools: [new Pool(amounts, lots)] })
    this.#price.add(deal.price, lots)
    this.#leg.openedLots += lots
    this.#leg.lastPrice = deal.price ?? this.#leg.lastPrice
    this.#leg.closedAt = null
  }

  /**
   * Takes lots out of the leg by a technical deal. They stay in the queue with their opening times and are only counted
   * as lost until a technical deal brings them back.
   */
  lose({ at }: Trade, lots: bigint, amounts: Amounts): void {
    this.attach(amounts)
    this.#leg.lostLots += lots
    if (lots > 0n) this.#endAt(at)
  }

  /**
   * Brings lots back by a technical deal. More than were lost (a split, or a position from another server) are opened
   * at the first opening time of what is open, or at the time of the deal.
   */
  bring(deal: Trade, lots: bigint, amounts: Amounts): void {
    const { lostLots } = this.#leg
    const back = lots < lostLots ? lots : lostLots
    this.#leg.lostLots -= back
    if (lots > back) this.add(deal, lots - back, { ...NOTHING, spread: null }, this.#queue[0]?.at)
    this.attach(amounts)
    if (this.open > 0n) this.#leg.closedAt = null
    for (const ticket of [deal.position, deal.order])
      if (ticket !== null && ticket !== this.#leg.ticket && !this.#leg.otherTickets.includes(ticket))
        this.#leg.otherTickets.push(ticket)
  }

  /** Shares amounts among the lots of the queue, so that they wait with them; spreads belong to openings alone. */
  attach(amounts: Amounts): void {
    const added = { ...amounts, spread: 0n }
    const all = this.#queue.reduce((sum, { lots }) => sum + lots, 0n)
    if (all === 0n) this.#loose = addAmounts(this.#loose, added)
    const pool = new Pool(added, all)
    for (const [index, opening] of this.#queue.entries()) {
      const share = pool.take(opening.lots, index === this.#queue.length - 1)
      opening.pools.push(new Pool(share, opening.lots))
    }
  }

  /** Closes lots, of which there must be as many; the amounts of the deal are shared among the closings. */
  close(deal: Trade, lots: bigint, amounts: Amounts): FoldedClosing[] {
    if (lots === 0n) {
      this.attach(amounts)
      return []
    }
    const own = new Pool({ ...amounts, spread: 0n }, lots)
    const closings: FoldedClosing[] = []
    for (let left = lots; left > 0n; ) {
      const opening = this.#queue[0]
      if (!opening) throw new RangeError('More lots are closed than are open.')
      const isLast = opening.lots <= left
      const part = isLast ? opening.lots : left
      left -= part
      const sums = opening.pools.map((pool) => pool.take(part, isLast)).reduce(addAmounts, own.take(part, left === 0n))
      opening.lots -= part
      if (isLast) this.#queue.shift()
      const times = { openedAt: opening.at, closedAt: deal.at }
      closings.push({ key: `${opening.deal}-${deal.id}`, leg: this.n, deal: deal.id, lots: part, ...times, ...sums })
    }
    this.#leg.closedLots += lots
    this.#leg.lastPrice = deal.price ?? this.#leg.lastPrice
    this.#endAt(deal.at)
    return closings
  }

  #endAt(at: number): void {
    if (this.open === 0n) this.#leg.closedAt = at
  }

  /** Returns the leg; `taken` are amounts of its closings that do not hold, and wait with it again. */
  finish(taken: readonly Amounts[]): FoldedLeg {
    const waiting = this.#queue.flatMap(({ pools }) => pools.map(({ left }) => left))
    const sum = [...waiting, ...taken].reduce(addAmounts, this.#loose)
    return { ...this.#leg, openPrice: this.#price.read(), waiting: sum }
  }
}
