import type { Tx } from '../../../platform/db/tx.ts'
import { maxMinor } from '../../../platform/money.ts'
import type { Derived, DerivedLeg } from './derived.model.ts'
import {
  findHolder,
  type Holder,
  type WantedClosing,
  type WantedRow,
  wantClosings,
  wantNothing,
  wantRow,
} from './derived-values.ts'
import { sameAmount, toWireAmounts } from './positions.amounts.ts'
import { positionPayload } from './positions.model.ts'
import { emit, save } from './positions.reported.ts'
import { findAccounts, isListened } from './positions.sync.ts'
import { type ClosingRow, positionClosings as closings, type PositionRow, positions } from './positions.table.ts'

/** Where deals are read. */
type DerivedSource = {
  platform: string
  server: string
  /** From when on deals are the truth. What was opened and closed before makes no events and earns no commission. */
  since: number
  /** Whether anybody reads updates. */
  listened: boolean
}

/** What became of a position; with the last two nothing of it was written. */
type DerivedOutcome = 'written' | 'unchanged' | 'currency_differs' | 'too_large'

/** One row to write, with its closings. */
type Task = {
  before: PositionRow | undefined
  known: ClosingRow[]
  ticket: string
  row: WantedRow
  closings: WantedClosing[]
}

/** Returns a source for the positions of one write. */
export const openSource = (tx: Tx, place: Omit<DerivedSource, 'listened'>): DerivedSource => ({
  ...place,
  listened: isListened(tx),
})

/**
 * Makes the rows and closings of a position what its deals tell, whatever was there before, and tells receivers. Each
 * leg is a ticket of its own. Closings that do not hold any more become void, those that a bridge reported too, and get
 * back their place if they hold again; only what a bridge reported as closed before `since` stays as it was said.
 * Nothing is written if nothing changes. RULES “Positions”.
 */
export function takeDerived(tx: Tx, source: DerivedSource, derived: Derived): DerivedOutcome {
  const tasks = plan(tx, source, derived)
  if (typeof tasks === 'string') return tasks
  const written = tasks.map((task) => write(tx, source, task))
  return written.includes(true) ? 'written' : 'unchanged'
}

/** Returns the rows to write, or why none can be. */
function plan(tx: Tx, source: DerivedSource, derived: Derived): Task[] | 'currency_differs' | 'too_large' {
  const { platform, server } = source
  const { accountNumber, legs } = derived
  const account = findAccounts({ tx, platform, server }, [accountNumber]).get(accountNumber)
  const tickets = [...new Set([...derived.tickets, ...legs.map(({ ticket }) => ticket)])]
  const known = new Map(
    tx.list(positions, { platform, server, ticket: tickets }).map((row) => [row.ticket, row] as const),
  )
  const tasks: Task[] = []
  for (const leg of legs) {
    const before = known.get(leg.ticket)
    known.delete(leg.ticket)
    const task = planLeg(tx, source, derived, leg, before, findHolder(before, account))
    if (typeof task === 'string') return task
    if (task) tasks.push(task)
  }
  for (const before of known.values()) {
    const row = wantNothing(before, tx.now)
    const isEarlier = before.closedAt !== null && before.closedAt < source.since
    if (!isEarlier) tasks.push({ before, known: readClosings(tx, before), ticket: before.ticket, row, closings: [] })
  }
  return tasks
}

function planLeg(
  tx: Tx,
  { since }: DerivedSource,
  derived: Derived,
  leg: DerivedLeg,
  before: PositionRow | undefined,
  holder: Holder,
): Task | 'currency_differs' | 'too_large' | undefined {
  if (holder && holder.currency !== derived.currency) return 'currency_differs'
  const own = derived.closings.filter((closing) => closing.leg === leg.n)
  const known = before ? readClosings(tx, before) : []
  const isHeld = known.some((closing) => isEarlierWord(closing, since))
  const isOver = leg.closedAt !== null && leg.closedAt < since
  // a bridge said how it ended before deals became the truth
  if (isHeld && isOver && before?.status === 'closed') return undefined
  const isLast = leg === derived.legs.at(-1)
  const row = wantRow(leg, own, isLast ? derived : { ...derived, live: null }, before, holder)
  const held = isHeld ? own.filter(({ closedAt }) => closedAt >= since) : own
  const wanted = wantClosings(held, derived.decimals, holder, since)
  if (row === null || wanted === null || (row && row.openedVolume > maxMinor)) return 'too_large'
  const shown = row ?? (before && wantNothing(before, tx.now))
  return shown && { before, known, ticket: leg.ticket, row: shown, closings: wanted }
}

const readClosings = (tx: Tx, { id }: PositionRow): ClosingRow[] => tx.list(closings, { positionId: id })

/** Returns whether a bridge reported a closing before deals became the truth. */
const isEarlierWord = (row: ClosingRow, since: number): boolean =>
  row.deal === null && !row.void && row.closedAt < since

/** Writes a row and its closings, as far as they change, and returns whether anything did. */
function write(tx: Tx, source: DerivedSource, task: Task): boolean {
  const { before, ticket } = task
  const { platform, server } = source
  const row = before ? change(tx, before, task.row) : tx.insert(positions, { platform, server, ticket, ...task.row })
  const effect = writeClosings(tx, source, row, task.known, task.closings)
  tell(tx, source, before, row, effect.isCorrected)
  return row !== before || effect.isWritten
}

/** These columns are written at once; the others change so seldom that they have a write of their own. */
const SELDOM = ['accountNumber', 'symbol'] as const
const isKey = <T extends object>(key: PropertyKey, of: T): key is keyof T => key in of
const isEqual = (one: unknown, other: unknown): boolean =>
  one === other || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(other))
/** Returns whether one of the values that a row should have is another one in it. */
const differs = <T extends object>(row: T, wanted: Partial<T>): boolean =>
  Object.entries(wanted).some(([key, value]) => isKey(key, row) && !isEqual(value, row[key]))

function change(tx: Tx, before: PositionRow, wanted: WantedRow): PositionRow {
  if (!differs(before, wanted)) return before
  const { accountNumber, symbol } = wanted
  const isSeldom = SELDOM.some((key) => wanted[key] !== before[key])
  return save(tx, isSeldom ? tx.update(positions, before.id, { accountNumber, symbol }) : before, wanted)
}

/** Writes the closings of a row, and returns whether any was written, and whether one that counted has changed. */
function writeClosings(
  tx: Tx,
  { since }: DerivedSource,
  { id: positionId }: PositionRow,
  known: readonly ClosingRow[],
  wanted: readonly WantedClosing[],
): { isWritten: boolean; isCorrected: boolean } {
  const left = new Map(known.map((row) => [row.deal ?? '', row]))
  let isWritten = false
  let isCorrected = false
  for (const closing of wanted) {
    const before = left.get(closing.deal)
    left.delete(closing.deal)
    if (before && !differs(before, { ...closing, void: false })) continue
    isWritten = true
    if (before) tx.update(closings, before.id, { ...closing, void: false })
    else tx.insert(closings, { ...closing, positionId })
    isCorrected ||= before !== undefined && (before.void || !isSameClosing(before, closing))
  }
  for (const row of known) {
    const isGone = row.deal === null || left.has(row.deal)
    if (!isGone || row.void || isEarlierWord(row, since)) continue
    tx.update(closings, row.id, { assumed: false, void: true })
    isWritten = true
    isCorrected ||= row.closedAt >= since
  }
  return { isWritten, isCorrected }
}

const MONEY = ['profit', 'swap', 'commission', 'spread'] as const
/** Returns whether a closing is the same, although its account may have been linked since. */
function isSameClosing(before: ClosingRow, after: WantedClosing): boolean {
  const [was, is] = [toWireAmounts(before), toWireAmounts(after)]
  const isSame = before.lots === after.lots && before.openedAt === after.openedAt && before.closedAt === after.closedAt
  return isSame && MONEY.every((field) => was[field] === is[field])
}

/** A closed position of which one of these changes is corrected. */
const AS_CLOSED = ['side', 'closedVolume', 'openPrice', 'profit', 'swap', 'commission', 'openedAt', 'closedAt'] as const

/** Tells receivers what happened to a position, but nothing of what was over before `since`. */
function tell(
  tx: Tx,
  { since, listened }: DerivedSource,
  before: PositionRow | undefined,
  row: PositionRow,
  isCorrected: boolean,
): void {
  const endedAt = row.closedAt ?? Number.POSITIVE_INFINITY
  if (!before) {
    if (row.openedAt >= since) emit(tx, 'position.opened', row)
    if (row.status === 'closed' && endedAt >= since) emit(tx, 'position.closed', row)
  } else if (before.status === 'open') {
    if (isCorrected) emit(tx, 'position.corrected', row)
    // one that a load left open for a moment was told to nobody, one that a bridge reported before was
    const isTold = endedAt >= since || before.createdAt < since
    if (row.status === 'closed' && isTold) emit(tx, 'position.closed', row)
    else if (row.status === 'open' && !isCorrected && listened && hasMoved(before, row))
      emit(tx, 'position.updated', row)
  } else if (row.status === 'open') emit(tx, before.assumedClosed ? 'position.opened' : 'position.corrected', row)
  else if (endedAt >= since || (before.closedAt ?? 0) >= since) {
    const [was, is] = [positionPayload(before), positionPayload(row)]
    if (AS_CLOSED.some((field) => was[field] !== is[field])) emit(tx, 'position.corrected', row)
  }
}

const hasMoved = (before: PositionRow, row: PositionRow): boolean =>
  before.volume !== row.volume || before.currentPrice !== row.currentPrice || !sameAmount(before, row, 'profit')
