import type { Static } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { bare, statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import type { EventName } from '../../../platform/events/catalogue.ts'
import type { FieldError } from '../../../platform/problem.ts'
import type { SqlValue } from '../../../platform/sqlite.ts'
import { say } from '../../../words/say.ts'
import { convertClosings, linkClosings, recordClosing, voidClosing } from './closings.ts'
import { beginLeg, countLots, findLotFault, type LotCounts, NO_LOTS, reopenLots } from './lot-counts.ts'
import { parseLots } from './lots.ts'
import { asReported, inCurrency, sameAmount, toWireAmounts } from './positions.amounts.ts'
import { positionPayload, type SyncOut, type SyncPosition } from './positions.model.ts'
import { type PositionRow, positions } from './positions.table.ts'

// nearly every report changes prices only; writing all columns takes twice as long. The result of an open position is
// in one index only, where it stays at its place: in the order of results each change would write 9 KB of log.
const MOVE = statement(
  sql`UPDATE ${positions} SET ${bare(positions.currentPrice)} = ?3, ${bare(positions.profit)} = ?4,
    ${bare(positions.swap)} = ?5, ${bare(positions.commission)} = ?6, ${bare(positions.currency)} = ?7,
    ${bare(positions.reported)} = ?8, ${bare(positions.version)} = ${positions.version} + 1,
    ${bare(positions.updatedAt)} = ?9, ${bare(positions.spread)} = ?10
  WHERE ${positions.tenantId} = ?1 AND ${positions.id} = ?2`,
)
const CHANGE = statement(
  sql`UPDATE ${positions} SET ${bare(positions.volume)} = ?3, ${bare(positions.status)} = ?4,
    ${bare(positions.closedAt)} = ?5, ${bare(positions.assumedClosed)} = ?6, ${bare(positions.accountId)} = ?7,
    ${bare(positions.traderId)} = ?8, ${bare(positions.openedVolume)} = ?9, ${bare(positions.closedVolume)} = ?10,
    ${bare(positions.earlierVolume)} = ?11, ${bare(positions.leg)} = ?12, ${bare(positions.side)} = ?13,
    ${bare(positions.openPrice)} = ?14, ${bare(positions.openedAt)} = ?15
  WHERE ${positions.tenantId} = ?1 AND ${positions.id} = ?2`,
)
/** `CHANGE` writes these columns, in its order. */
const RARELY = [
  'volume',
  'status',
  'closedAt',
  'assumedClosed',
  'accountId',
  'traderId',
  'openedVolume',
  'closedVolume',
  'earlierVolume',
  'leg',
  'side',
  'openPrice',
  'openedAt',
] as const

export type Reported = Static<typeof SyncPosition>

/** The account of a reported number. */
export type Owner = { id: string; traderId: string; currency: string }

/** One report of a platform: its source, and the result so far. */
export type Run = {
  tx: Tx
  platform: string
  server: string
  /** Whether the platform itself reports, and nobody in its name. */
  isBridge: boolean
  /** Whether anybody reads updates. */
  listened: boolean
  report: Static<typeof SyncOut>
  /** Account numbers that are not linked here, or whose currency cannot store an amount of their position. */
  unlinked: Set<string>
}

type Values = ReturnType<typeof toRowValues>

/** What a report says of one position; `closedAt` is null while it is open. */
type Said = { reported: Reported; values: Values; closedAt: number | null; lots: Parameters<typeof countLots>[1] }

/** Takes the report of one position, known or new; returns its fault if it cannot be true, and then changes nothing. */
export function takeOne(
  run: Run,
  reported: Reported,
  before: PositionRow | undefined,
  account: Owner | undefined,
): FieldError | undefined {
  const closedAt = reported.closedAt === undefined ? null : Date.parse(reported.closedAt)
  const closedVolume = reported.closedVolume === undefined ? undefined : parseLots(reported.closedVolume)
  const lots = { volume: parseLots(reported.volume), isClosed: closedAt !== null, closedVolume }
  const said = { reported, values: toRowValues(run, reported, before, account), closedAt, lots }
  if (!before) return open(run, said)
  if (before.status === 'open') return follow(run, before, said)
  // it was closed because a snapshot lacked it; the platform's explicit report is better
  if (before.assumedClosed) return follow(run, { ...before, ...reopenLots(before) }, said)
  if (reported.corrects === true) return correct(run, before, said)
  // its account was linked since, but the program stopped before it linked the positions
  if (before.accountId === null && said.values.accountId !== null) {
    save(run.tx, before, { ...said.values, currentPrice: before.currentPrice })
    run.report.updated += 1
  }
  // a closed position never opens again, since platforms give new tickets
  else run.report.unchanged += 1
  return undefined
}

function open(run: Run, { reported, values, closedAt, lots }: Said): FieldError | undefined {
  const { tx, platform, server, report } = run
  const volume = lots.volume || (lots.closedVolume ?? 0n)
  // it was closed before it was ever reported, so it never had a volume to show
  if (volume === 0n) {
    report.unchanged += 1
    return undefined
  }
  const counts = countLots(NO_LOTS, { ...lots, volume })
  const fault = findLotFault(counts, lots.isClosed)
  if (fault) return fault
  const { ticket, symbol, side, openPrice } = reported
  const row = tx.insert(positions, {
    ...values,
    ...counts,
    platform,
    server,
    ticket,
    accountNumber: reported.accountNumber.trim(),
    symbol,
    side,
    openPrice,
    openedAt: Date.parse(reported.openedAt),
  })
  report.opened += 1
  emit(tx, 'position.opened', row)
  if (closedAt !== null) close(run, row, { closedAt })
  return undefined
}

/** Takes what is said of a position that is open, or that only a snapshot without it closed. */
function follow(run: Run, before: PositionRow, said: Said): FieldError | undefined {
  // a close without a volume closes what was left, whatever its side
  if (said.reported.side !== before.side && said.lots.volume > 0n) return turn(run, before, said)
  const counts = countLots(before, said.lots)
  const fault = findLotFault(counts, said.lots.isClosed)
  if (fault) return fault
  const changes = { ...said.values, ...counts }
  if (before.assumedClosed) confirm(run, before, changes, said.closedAt)
  else if (said.closedAt !== null) close(run, before, { ...changes, closedAt: said.closedAt })
  else update(run, before, changes)
  return undefined
}

/** Closes the leg of a ticket that has another side now, as it was last reported, and begins the next leg. */
function turn(run: Run, before: PositionRow, { reported, values, closedAt, lots }: Said): FieldError | undefined {
  const { tx, report } = run
  const { ended, begun } = beginLeg(before)
  const counts = countLots(begun, lots)
  const fault = findLotFault(counts, lots.isClosed)
  if (fault) return fault
  const saidAt = Date.parse(reported.openedAt)
  // some platforms keep the first opening time of a ticket, at which the new leg was not open yet
  const turnedAt = saidAt > before.openedAt ? saidAt : Math.min(tx.now, closedAt ?? tx.now)
  const last = { ...before, ...ended, status: 'closed' as const, closedAt: turnedAt }
  recordClosing(tx, last, turnedAt, false)
  if (!before.assumedClosed) {
    report.closed += 1
    emit(tx, 'position.closed', last)
  }
  const { side, openPrice } = reported
  const leg = { side, openPrice, openedAt: turnedAt, leg: before.leg + 1, status: 'open', closedAt: null } as const
  const row = save(tx, before, { ...dropSpread(values, reported), ...counts, ...leg, assumedClosed: false })
  report.opened += 1
  emit(tx, 'position.opened', row)
  if (closedAt !== null) close(run, row, { closedAt })
  return undefined
}

/** Returns the values of a new leg, of which the spread that was reported for the leg before is none. */
function dropSpread(values: Values, { spread }: Reported): Values {
  if (spread !== undefined) return values
  if (values.reported === null) return { ...values, spread: null }
  const { spread: _, ...reported } = values.reported
  return { ...values, reported }
}

/** Replaces an assumed closing by the platform's report. */
function confirm(run: Run, before: PositionRow, changes: Partial<PositionRow>, closedAt: number | null): void {
  const { tx, report, listened } = run
  const status = closedAt === null ? 'open' : 'closed'
  const row = save(tx, before, { ...changes, status, closedAt, assumedClosed: false })
  report.updated += 1
  if (closedAt === null) voidClosing(tx, row)
  else recordClosing(tx, row, closedAt, false)
  if (closedAt === null) emit(tx, 'position.opened', row)
  else if (listened) emit(tx, 'position.updated', row)
}

/** Replaces what was said of a closed ticket and its closing; without a time of closing it is open again. */
function correct(run: Run, before: PositionRow, { reported, values, closedAt, lots }: Said): FieldError | undefined {
  const { tx, report } = run
  if (!run.isBridge) return { path: 'corrects', code: 'not_allowed', message: say('positions.field.corrects') }
  // the volume takes the place of the one that was reported for the close, so that nothing is added
  const said = { ...lots, volume: lots.volume || before.volume }
  const counts = countLots({ ...reopenLots(before), volume: said.volume }, said)
  const fault = findLotFault(counts, lots.isClosed)
  if (fault) return fault
  const { side, openPrice } = reported
  const openedAt = Date.parse(reported.openedAt)
  const status = closedAt === null ? ('open' as const) : ('closed' as const)
  const after = { ...values, ...counts, side, openPrice, openedAt, status, closedAt }
  if (AS_CORRECTED.every((field) => after[field] === before[field]) && isSameMoney(before, values)) {
    report.unchanged += 1
    return undefined
  }
  const row = save(tx, before, after)
  if (closedAt === null) voidClosing(tx, row)
  else recordClosing(tx, row, closedAt, false)
  report.updated += 1
  emit(tx, 'position.corrected', row)
  return undefined
}
/** A correction that changes none of these, and no amount, is a repetition. */
const AS_CORRECTED = ['volume', 'closedVolume', 'side', 'openPrice', 'currentPrice', 'openedAt', 'closedAt'] as const

const MONEY = ['profit', 'swap', 'commission', 'spread'] as const
const isSameMoney = (before: PositionRow, values: Values): boolean =>
  MONEY.every((field) => sameAmount(before, values, field))

function update(run: Run, before: PositionRow, values: Values & LotCounts): void {
  const { tx, report, listened } = run
  const moved = hasMoved(before, values)
  const isSameCount = before.closedVolume === values.closedVolume && before.openedVolume === values.openedVolume
  if (!moved && isSameCount && isSameMoney(before, values) && before.accountId === values.accountId) {
    report.unchanged += 1
    return
  }
  const row = save(tx, before, values)
  report.updated += 1
  if (moved && listened) emit(tx, 'position.updated', row)
}

const hasMoved = (before: PositionRow, values: Values & LotCounts): boolean =>
  before.volume !== values.volume ||
  before.currentPrice !== values.currentPrice ||
  !sameAmount(before, values, 'profit')

/** Closes an open position, reported or assumed. */
function close({ tx, report }: Run, before: PositionRow, changes: Partial<PositionRow>): void {
  const closedAt = changes.closedAt ?? tx.now
  const row = save(tx, before, { ...changes, status: 'closed', closedAt })
  recordClosing(tx, row, closedAt, row.assumedClosed)
  report.closed += 1
  emit(tx, 'position.closed', row)
}

/** Closes a position that a snapshot lacks, although its platform has not said so. */
export const assumeClosed = (run: Run, before: PositionRow): void =>
  close(run, before, {
    ...countLots(before, { volume: 0n, isClosed: true, closedVolume: undefined }),
    assumedClosed: true,
  })

/** Tells receivers of a position. */
export const emit = (tx: Tx, event: EventName & `position.${string}`, row: PositionRow) =>
  tx.emit(event, positionPayload(row))

/** Returns the reported values in the account's currency, and the client of an account that was linked since. */
function toRowValues(
  { tx, unlinked }: Run,
  reported: Reported,
  before: PositionRow | undefined,
  account: Owner | undefined,
) {
  const owner = before?.accountId ? before : account && { ...account, accountId: account.id }
  const { profit, swap = '0', commission = '0', spread, currentPrice } = reported
  // a bridge that reported the spread once and now leaves it out does not withdraw it
  const cost = spread ?? (before && toWireAmounts(before).spread) ?? undefined
  const said = { profit, swap, commission, ...(cost === undefined ? {} : { spread: cost }) }
  const own = owner?.currency ? inCurrency(said, owner.currency) : null
  // legs that were closed before the account was linked get its currency too
  const isLinked = own !== null && before !== undefined && before.currency === null
  const earlier = isLinked ? convertClosings(tx, before.id, own.currency ?? '') : []
  const amounts = earlier === null ? null : own
  if (amounts === null) unlinked.add(reported.accountNumber.trim())
  return {
    currentPrice,
    ...(amounts ?? asReported(said)),
    accountId: amounts && owner ? owner.accountId : null,
    traderId: amounts && owner ? owner.traderId : null,
  }
}

const toSql = (value: bigint | boolean | number | string | null): SqlValue =>
  typeof value === 'boolean' ? Number(value) : value

/** Writes changes of a row, with the fast statement if only prices changed. */
export function save(tx: Tx, before: PositionRow, changes: Partial<PositionRow>): PositionRow {
  const row = { ...before, ...changes, version: before.version + 1, updatedAt: tx.now }
  const { id, currentPrice, profit, swap, commission, currency, spread } = row
  const reported = row.reported && JSON.stringify(row.reported)
  tx.execute(MOVE, [id, currentPrice, profit, swap, commission, currency, reported, tx.now, spread])
  if (RARELY.some((column) => row[column] !== before[column])) {
    tx.execute(CHANGE, [id, ...RARELY.map((column) => toSql(row[column]))])
  }
  if (before.currency === null && row.currency !== null)
    linkClosings(tx, convertClosings(tx, row.id, row.currency) ?? [])
  return row
}
