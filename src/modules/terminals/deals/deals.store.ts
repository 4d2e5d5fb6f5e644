import { ERASED_TEXT } from '../../../platform/db/erasure.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { formatLots, parseLots } from '../../books/positions/lots.ts'
import type { Deal } from '../contract/terminal.ts'
import { type DealRow, terminalDealRevisions, terminalDeals } from './deals.table.ts'
import { findEffect } from './effects.ts'

/** What storing deals changed: positions to derive anew, and by how much each login’s balance is explained. */
export type Touched = {
  positions: Set<string>
  explained: Map<string, bigint>
  /** Deals that are no trades, as they are now. */
  movements: Map<string, DealRow>
  changes: DealChange[]
  /** The moment of the latest deal. */
  lastAt: number
}
/** Returns that nothing was changed yet. */
export const touchNothing = (): Touched => ({
  positions: new Set(),
  explained: new Map(),
  movements: new Map(),
  changes: [],
  lastAt: 0,
})

/** What is compared to find out whether a deal was changed. */
const CONTENT = [
  'login',
  'at',
  'kind',
  'action',
  'entry',
  'position',
  'orderNumber',
  'symbol',
  'side',
  'lots',
  'lotsClosed',
  'price',
  'profit',
  'swap',
  'commission',
  'fee',
  'spread',
  'technical',
  'reason',
  'comment',
  'flags',
  'state',
] as const satisfies readonly (keyof DealRow)[]

/** A stored deal that says something else than before, and in which fields. */
export type DealChange = { before: DealRow; now: DealRow; fields: readonly (typeof CONTENT)[number][] }

type Content = Pick<DealRow, (typeof CONTENT)[number]>

/** Returns lots as they are written everywhere, however many zeros a terminal writes. */
const tidyLots = (lots: string): string => formatLots(parseLots(lots))

/** Returns a deal as it is stored. */
const toContent = ({ id: _, order, cancelled, ...deal }: Deal): Content => ({
  ...deal,
  lots: tidyLots(deal.lots),
  lotsClosed: deal.lotsClosed && tidyLots(deal.lotsClosed),
  orderNumber: order,
  state: cancelled ? 'cancelled' : 'live',
})

/** Returns a stored deal as its terminal said it. */
export const toDeal = (row: DealRow): Deal => ({
  id: row.number,
  login: row.login,
  at: row.at,
  kind: row.kind,
  action: row.action,
  entry: row.entry,
  position: row.position,
  order: row.orderNumber,
  symbol: row.symbol,
  side: row.side,
  lots: row.lots,
  lotsClosed: row.lotsClosed,
  price: row.price,
  profit: row.profit,
  swap: row.swap,
  commission: row.commission,
  fee: row.fee,
  spread: row.spread,
  technical: row.technical,
  reason: row.reason,
  comment: row.comment,
  flags: row.flags,
  cancelled: row.state === 'cancelled',
})

const isSame = (before: DealRow, now: Content): boolean =>
  CONTENT.every((key) => (key === 'flags' ? before.flags.join() === now.flags.join() : before[key] === now[key]))

/** Notes what a deal changed before and changes now. */
function touch(touched: Touched, before: DealRow | undefined, now: DealRow, since: number): void {
  for (const row of before ? [before, now] : [now]) {
    if (row.position !== null && row.kind === 'trade') touched.positions.add(row.position)
    if (row.at < since) continue
    const effect = findEffect(row).balance
    const sum = touched.explained.get(row.login) ?? 0n
    touched.explained.set(row.login, row === now ? sum + effect : sum - effect)
  }
  if (now.kind !== 'trade') touched.movements.set(now.id, now)
  touched.lastAt = Math.max(touched.lastAt, now.at)
}

/** Changes a stored deal, and keeps what it said before. */
function revise(tx: Tx, touched: Touched, before: DealRow, changes: Partial<DealRow>, since: number): void {
  const fields = CONTENT.filter((key) => key in changes && changes[key] !== before[key])
  const said = Object.fromEntries(fields.map((key) => [key, before[key]]))
  tx.insert(terminalDealRevisions, { dealId: before.id, revision: before.revision, content: said })
  const now = tx.update(terminalDeals, before.id, { ...changes, missing: 0, revision: before.revision + 1 })
  touch(touched, before, now, since)
  touched.changes.push({ before, now, fields })
}

/** The connection whose deals are stored; before `since` they explain no balance. */
type Source = { id: string; since: number }

/**
 * Stores deals as they were read: new ones, and those that are not what they were. `currencies` has the currency of
 * each login; deals of a login without one are left out. A comment that was erased with its client does not come back.
 */
export function storeDeals(
  tx: Tx,
  { id: connectionId, since }: Source,
  deals: readonly Deal[],
  currencies: ReadonlyMap<string, string>,
  touched: Touched,
): void {
  const known = new Map(
    tx
      .list(terminalDeals, { connectionId, number: deals.map(({ id }) => id) })
      .map((row) => [row.number, row] as const),
  )
  for (const deal of deals) {
    const currency = currencies.get(deal.login)
    if (currency === undefined) continue
    const before = known.get(deal.id)
    const content = { ...toContent(deal), ...(before?.comment === ERASED_TEXT && { comment: ERASED_TEXT }) }
    if (before === undefined) {
      const row = tx.insert(terminalDeals, { ...content, connectionId, number: deal.id, currency })
      known.set(deal.id, row)
      touch(touched, undefined, row, since)
    } else if (!isSame(before, content)) revise(tx, touched, before, content, since)
    else if (before.missing > 0) tx.update(terminalDeals, before.id, { missing: 0 })
  }
}

/** Marks a deal that the terminal has no more, also by its number, as gone. */
export const markGone = (tx: Tx, before: DealRow, since: number, touched: Touched): void =>
  revise(tx, touched, before, { state: 'gone' }, since)
