import type { Static } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { bare, statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import type { EventName } from '../../../platform/events/catalogue.ts'
import { parseLots } from './lots.ts'
import { asReported, inCurrency, sameAmount, toWireAmounts } from './positions.amounts.ts'
import { positionPayload, type SyncOut, type SyncPosition } from './positions.model.ts'
import { type PositionRow, positions } from './positions.table.ts'

// nearly every report changes prices only, which are in no index or foreign key; writing all columns takes twice as
// long
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
    ${bare(positions.traderId)} = ?8
  WHERE ${positions.tenantId} = ?1 AND ${positions.id} = ?2`,
)
/** `CHANGE` writes these columns. */
const RARELY = ['volume', 'status', 'closedAt', 'assumedClosed', 'accountId', 'traderId'] as const

export type Reported = Static<typeof SyncPosition>

/** The account of a reported number. */
export type Owner = { id: string; traderId: string; currency: string }

/** One report of a platform: its source, and the result so far. */
export type Run = {
  tx: Tx
  platform: string
  server: string
  /** Whether anybody reads updates. */
  listened: boolean
  report: Static<typeof SyncOut>
  /** Account numbers that are not linked here, or whose currency cannot store an amount of their position. */
  unlinked: Set<string>
}

type Values = ReturnType<typeof toRowValues>

/** Takes the report of one position, known or new. */
export function takeOne(
  run: Run,
  reported: Reported,
  before: PositionRow | undefined,
  account: Owner | undefined,
): void {
  const values = toRowValues(run, reported, before, account)
  const closedAt = reported.closedAt === undefined ? null : Date.parse(reported.closedAt)
  if (!before) open(run, reported, values, closedAt)
  else if (before.status === 'open') update(run, before, values, closedAt)
  // it was closed because a snapshot lacked it; the platform's explicit report is better
  else if (before.assumedClosed) correct(run, before, values, closedAt)
  // its account was linked since, but the program stopped before it linked the positions
  else if (before.accountId === null && values.accountId !== null) {
    save(run.tx, before, { ...values, volume: before.volume, currentPrice: before.currentPrice })
    run.report.updated += 1
  }
  // a closed position never opens again, since platforms give new tickets
  else run.report.unchanged += 1
}

function open(run: Run, reported: Reported, values: Values, closedAt: number | null): void {
  const { tx, platform, server, report } = run
  // it was closed before it was ever reported, so it never had a volume to show
  if (values.volume === 0n) {
    report.unchanged += 1
    return
  }
  const { ticket, symbol, side, openPrice } = reported
  const row = tx.insert(positions, {
    ...values,
    openedVolume: values.volume,
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
}

/** Replaces an assumed closing by the platform's report. */
function correct(run: Run, before: PositionRow, values: Values, closedAt: number | null): void {
  const { tx, report, listened } = run
  const status = closedAt === null ? 'open' : 'closed'
  const row = save(tx, before, { ...values, status, closedAt, assumedClosed: false })
  report.updated += 1
  if (closedAt === null) emit(tx, 'position.opened', row)
  else if (listened) emit(tx, 'position.updated', row)
}

function update(run: Run, before: PositionRow, values: Values, closedAt: number | null): void {
  const { tx, report, listened } = run
  if (closedAt !== null) {
    close(run, before, { ...values, closedAt })
    return
  }
  const moved = hasMoved(before, values)
  const same = (['swap', 'commission', 'spread'] as const).every((field) => sameAmount(before, values, field))
  if (!moved && same && before.accountId === values.accountId) {
    report.unchanged += 1
    return
  }
  const row = save(tx, before, values)
  report.updated += 1
  if (moved && listened) emit(tx, 'position.updated', row)
}

const hasMoved = (before: PositionRow, values: Values): boolean =>
  before.volume !== values.volume ||
  before.currentPrice !== values.currentPrice ||
  !sameAmount(before, values, 'profit')

/** Closes an open position, reported or assumed. */
export function close({ tx, report }: Run, before: PositionRow, changes: Partial<PositionRow>): void {
  const row = save(tx, before, { ...changes, status: 'closed', closedAt: changes.closedAt ?? tx.now })
  report.closed += 1
  emit(tx, 'position.closed', row)
}

const emit = (tx: Tx, event: EventName & `position.${string}`, row: PositionRow) => tx.emit(event, positionPayload(row))

/** Returns the reported values in the account's currency, and the client of an account that was linked since. */
function toRowValues(
  { unlinked }: Run,
  reported: Reported,
  before: PositionRow | undefined,
  account: Owner | undefined,
) {
  const owner = before?.accountId ? before : account && { ...account, accountId: account.id }
  const { profit, swap = '0', commission = '0', spread, currentPrice } = reported
  const volume = parseLots(reported.volume)
  // a bridge that reported the spread once and now leaves it out does not withdraw it
  const cost = spread ?? (before && toWireAmounts(before).spread) ?? undefined
  const said = { profit, swap, commission, ...(cost === undefined ? {} : { spread: cost }) }
  const amounts = owner?.currency ? inCurrency(said, owner.currency) : null
  if (amounts === null) unlinked.add(reported.accountNumber.trim())
  return {
    volume: volume === 0n && before ? before.volume : volume,
    currentPrice,
    ...(amounts ?? asReported(said)),
    accountId: amounts && owner ? owner.accountId : null,
    traderId: amounts && owner ? owner.traderId : null,
  }
}

/** Writes changes of a row, with the fast statement if only prices changed. */
function save(tx: Tx, before: PositionRow, changes: Partial<PositionRow>): PositionRow {
  const row = { ...before, ...changes, version: before.version + 1, updatedAt: tx.now }
  const { id, currentPrice, profit, swap, commission, currency, spread } = row
  const reported = row.reported && JSON.stringify(row.reported)
  tx.execute(MOVE, [id, currentPrice, profit, swap, commission, currency, reported, tx.now, spread])
  if (RARELY.some((column) => row[column] !== before[column])) {
    const { volume, status, closedAt, assumedClosed, accountId, traderId } = row
    tx.execute(CHANGE, [id, volume, status, closedAt, assumedClosed ? 1 : 0, accountId, traderId])
  }
  return row
}
