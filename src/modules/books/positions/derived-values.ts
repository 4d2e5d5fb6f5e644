import { addAmounts, type Derived, type DerivedClosing, type DerivedLeg } from './derived.model.ts'
import { larger } from './lot-counts.ts'
import { asReported, inCurrency, type StoredAmounts, toWireAmounts } from './positions.amounts.ts'
import type { Owner } from './positions.reported.ts'
import type { ClosingRow, PositionRow, ReportedAmounts } from './positions.table.ts'

/** Whose a position is; null while no account is linked. */
export type Holder = { accountId: string; traderId: string | null; currency: string } | null

/** A closing as its row should be; `deal` is set to the key. */
export type WantedClosing = StoredAmounts &
  Pick<ClosingRow, 'leg' | 'lots' | 'openedAt' | 'closedAt' | 'assumed'> & { deal: string }

/** What a row should have. */
export type WantedRow = StoredAmounts &
  Pick<
    PositionRow,
    | 'accountId'
    | 'traderId'
    | 'accountNumber'
    | 'symbol'
    | 'side'
    | 'volume'
    | 'openedVolume'
    | 'closedVolume'
    | 'earlierVolume'
    | 'leg'
    | 'openPrice'
    | 'currentPrice'
    | 'status'
    | 'openedAt'
    | 'closedAt'
    | 'assumedClosed'
  >

/** Returns the owner of a row: whoever has it already, else the client of the linked account. */
export function findHolder(before: PositionRow | undefined, account: Owner | undefined): Holder {
  if (before?.accountId && before.currency !== null)
    return { accountId: before.accountId, traderId: before.traderId, currency: before.currency }
  return account ? { accountId: account.id, traderId: account.traderId, currency: account.currency } : null
}

/** Writes minor units as a decimal. */
function formatMinor(minor: bigint, decimals: number): string {
  const digits = (minor < 0n ? -minor : minor).toString().padStart(decimals + 1, '0')
  const whole = `${minor < 0n ? '-' : ''}${digits.slice(0, digits.length - decimals)}`
  return decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`
}

const toTexts = ({ profit, swap, commission, spread }: DerivedLeg['waiting'], decimals: number): ReportedAmounts => {
  const texts = {
    profit: formatMinor(profit, decimals),
    swap: formatMinor(swap, decimals),
    commission: formatMinor(commission, decimals),
  }
  return spread === null ? texts : { ...texts, spread: formatMinor(spread, decimals) }
}

/** Returns amounts as stored: in the owner’s currency, as texts without an owner, null if they are too large. */
const store = (said: ReportedAmounts, holder: Holder): StoredAmounts | null =>
  holder ? inCurrency(said, holder.currency) : asReported(said)

/**
 * Returns the closings of a leg as they should be stored; null if an amount is too large. What was closed before
 * `since` is marked as assumed, so that it earns nothing.
 */
export function wantClosings(
  closings: readonly DerivedClosing[],
  decimals: number,
  holder: Holder,
  since: number,
): WantedClosing[] | null {
  const found = []
  for (const { key, leg, lots, openedAt, closedAt, ...amounts } of closings) {
    const stored = store(toTexts(amounts, decimals), holder)
    if (!stored) return null
    found.push({ ...stored, deal: key, leg, lots, openedAt, closedAt, assumed: closedAt < since })
  }
  return found
}

/** Returns what is open of a leg. Of an impossible one the platform knows it better than its deals. */
const countOpen = ({ openedLots, closedLots, lostLots }: DerivedLeg, { live, impossible }: Derived): bigint =>
  impossible && live ? live.lots : openedLots - closedLots - lostLots

/**
 * Returns a leg’s row as it should be: an open one has what the platform says now and the costs of what is open, a
 * closed one the sums of all its deals. Returns null if an amount is too large, undefined if nothing is known to have
 * been opened, so that there is nothing to show.
 */
export function wantRow(
  leg: DerivedLeg,
  closings: readonly DerivedClosing[],
  derived: Derived,
  before: PositionRow | undefined,
  holder: Holder,
): WantedRow | null | undefined {
  const { n, symbol, side, openedLots, closedLots, openPrice, lastPrice, openedAt, waiting } = leg
  const { live, decimals, accountNumber } = derived
  const open = countOpen(leg, derived)
  const isOpen = open > 0n
  const volume = isOpen ? open : closedLots || openedLots
  if (volume === 0n) return undefined
  const all = isOpen ? waiting : closings.reduce(addAmounts, waiting)
  const costs = toTexts(all, decimals)
  const wasOpen = before?.status === 'open'
  const floating = live ?? (wasOpen ? toWireAmounts(before) : { profit: '0', swap: costs.swap })
  const said = isOpen ? { ...costs, profit: floating.profit, swap: floating.swap } : costs
  const amounts = store(said, holder)
  if (!amounts) return null
  const price = lastPrice ?? openPrice
  return {
    ...amounts,
    accountId: holder?.accountId ?? null,
    traderId: holder?.traderId ?? null,
    // erasing a client removes the number
    accountNumber: before?.accountNumber === '' ? '' : accountNumber,
    symbol,
    side,
    volume,
    openedVolume: larger(openedLots, closedLots + open),
    closedVolume: closedLots,
    earlierVolume: 0n,
    leg: n,
    openPrice,
    currentPrice: isOpen ? (live?.currentPrice ?? (wasOpen ? before.currentPrice : price)) : price,
    status: isOpen ? 'open' : 'closed',
    openedAt,
    closedAt: isOpen ? null : (leg.closedAt ?? openedAt),
    assumedClosed: false,
  }
}

/** Returns what a row should have that no deal tells of any more: nothing was opened, and nothing closed. */
export function wantNothing(before: PositionRow, now: number): WantedRow {
  const none = { profit: '0', swap: '0', commission: '0' }
  const amounts = before.currency === null ? asReported(none) : inCurrency(none, before.currency)
  const lots = { openedVolume: 0n, closedVolume: 0n, earlierVolume: 0n }
  const end = { status: 'closed' as const, closedAt: before.closedAt ?? now, assumedClosed: false }
  return { ...before, ...(amounts ?? asReported(none)), ...lots, ...end }
}
