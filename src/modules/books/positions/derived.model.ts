/** Amounts in minor units; a spread that is not known is null, which is never zero. */
export type Amounts = { profit: bigint; swap: bigint; commission: bigint; spread: bigint | null }

/** Returns the sum of amounts, whose spread is known if both are. */
export const addAmounts = (one: Amounts, other: Amounts): Amounts => ({
  profit: one.profit + other.profit,
  swap: one.swap + other.swap,
  commission: one.commission + other.commission,
  spread: one.spread === null || other.spread === null ? null : one.spread + other.spread,
})

/** A leg of a position as its deals tell it. Lots are units of 0.00000001 lot. */
export type DerivedLeg = {
  n: number
  ticket: string
  symbol: string
  side: 'long' | 'short'
  openedLots: bigint
  closedLots: bigint
  /** Lots that are gone without being closed by anybody. */
  lostLots: bigint
  openPrice: string
  lastPrice: string | null
  openedAt: number
  closedAt: number | null
  /** What no closing has. */
  waiting: Amounts
}

export type DerivedClosing = Amounts & {
  /** `<deal that opened>-<deal that closed>` */
  key: string
  leg: number
  lots: bigint
  openedAt: number
  closedAt: number
}

/** What the platform says of an open position now; amounts are decimals. */
export type LiveState = { lots: bigint; currentPrice: string; profit: string; swap: string }

/** A position as its deals tell it, with all its legs and closings. */
export type Derived = {
  accountNumber: string
  /** Every ticket that the position may have here; one that no leg has any more is revoked. */
  tickets: readonly string[]
  /** The currency of the platform’s group, and the decimals of the amounts. */
  currency: string
  decimals: number
  /** More was closed than opened, so that it pays nothing. */
  impossible: boolean
  legs: readonly DerivedLeg[]
  closings: readonly DerivedClosing[]
  /** The state of the last leg, if it was read. */
  live: LiveState | null
}
