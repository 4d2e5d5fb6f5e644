import type { Static } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import type { FieldError } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'
import { updatesAreRead } from '../../base/events/events.service.ts'
import { webhookSubscriptions as subscriptions } from '../../firm/webhooks/webhooks.table.ts'
import { accounts } from '../accounts/accounts.table.ts'
import { createRowSorter, type Placed, type SortedRows } from '../accounts/feed-rows.ts'
import { advance, isBridge, lastTaken, limitNumbers, listNumbers, mustBePlatform } from '../accounts/platform-feed.ts'
import { parseLots } from './lots.ts'
import { type SyncIn, type SyncOut, SyncPosition, Ticket } from './positions.model.ts'
import { assumeClosed, type Owner, type Reported, type Run, takeOne } from './positions.reported.ts'
import { type PositionRow, positions } from './positions.table.ts'

/** One step takes this many rows, in about two milliseconds. */
const STEP = 50

type Report = Static<typeof SyncOut>
type Account = Owner & { number: string }

const ACCOUNTS = statement(
  sql`SELECT ${listed({
    number: accounts.accountNumber,
    id: accounts.id,
    traderId: accounts.traderId,
    currency: accounts.currency,
  })} FROM ${accounts}
  WHERE ${accounts.tenantId} = ?1 AND ${accounts.platform} = ?2 AND ${accounts.deletedAt} IS NULL
    AND ${accounts.accountNumber} IN (SELECT value FROM json_each(?3)) AND ${accounts.server} IN ('', ?4)`,
)
const LISTENED = statement(
  sql`SELECT 1 AS n FROM ${subscriptions} WHERE ${subscriptions.tenantId} = ?1
    AND ${subscriptions.status} = 'active' AND ${subscriptions.deletedAt} IS NULL
    AND EXISTS (SELECT 1 FROM json_each(${subscriptions.events}) WHERE value = 'position.updated') LIMIT 1`,
)
/** A cost of this many units or more, in any currency, is refused as the platform's mistake. */
const MOST_COST = 10n ** 10n
const COSTS = ['swap', 'commission', 'spread'] as const

/** Returns the fault of a well-formed row: an open position without volume, or an absurd cost. */
function findFault({ volume, closedAt, ...row }: Reported): FieldError | undefined {
  // some platforms report no volume for a closed position
  if (closedAt === undefined && parseLots(volume) === 0n)
    return { path: 'volume', code: 'not_positive', message: say('positions.field.volume_not_positive') }
  const wild = COSTS.find((field) => BigInt((row[field] ?? '0').replace('-', '').split('.')[0] ?? '') >= MOST_COST)
  if (wild === undefined) return undefined
  return { path: wild, code: 'amount_range', message: say('affiliates.field.cost', { most: '10^10' }) }
}

const sortRows = createRowSorter({ list: 'positions', key: 'ticket', row: SyncPosition, name: Ticket }, findFault)

/**
 * Takes the report of a platform bridge: a new ticket opens a position, changed values update it, and `closedAt` (or
 * absence from a snapshot) closes it. Up to 10,000 positions are one transaction, whose steps let reads run in between.
 * The amounts are the platform's and not in our books: decimals beyond the currency's are rounded, and a position with
 * an amount too large for the account's currency stays unlinked. A repeated or older number changes nothing, and the
 * answer says so. Of several rows only a bad one is refused, and counts as present in a snapshot; if its ticket cannot
 * be read, the snapshot closes nothing. RULES “Positions”, “Feeds”.
 */
export function syncPositions(ctx: Ctx, input: Static<typeof SyncIn>): Promise<Report> {
  const rows = sortRows(input.positions)
  rows.mustHaveTaken()
  return ctx.writeSteps('position.sync', function* (tx): Generator<void, Report> {
    const { platform, server, sequence } = input
    mustBePlatform(tx, platform)
    const last = lastTaken(tx, ctx, 'positions', input)
    const counts = { opened: 0, updated: 0, closed: 0, unchanged: 0 }
    const report: Report = {
      applied: false,
      sequence: last,
      ...counts,
      closedNothing: false,
      unlinked: [],
      refused: [],
      refusedTotal: 0,
    }
    if (sequence <= last) return report
    const run = startRun(tx, { platform, server, report, isBridge: isBridge(tx, ctx) })
    for (let start = 0; start < rows.taken.length; start += STEP) {
      take(run, rows, rows.taken.slice(start, start + STEP))
      yield
    }
    rows.mustHaveTaken()
    const closedNothing = input.mode === 'snapshot' && rows.hasNameless
    if (input.mode === 'snapshot' && !closedNothing) yield* closeMissing(run, rows)
    advance(tx, ctx, 'positions', input)
    const refused = rows.refused.map(({ name, ...fault }) => ({ ticket: name, ...fault }))
    const { refusedTotal } = rows
    const unlinked = limitNumbers(run.unlinked)
    Object.assign(report, { applied: true, sequence, closedNothing, unlinked, refused, refusedTotal })
    const { opened, updated, closed } = report
    tx.audit({
      entity: 'position_stream',
      entityId: null,
      after: { platform, server, sequence, mode: input.mode, opened, updated, closed, refused: refusedTotal },
    })
    return report
  })
}

function startRun(tx: Tx, rest: Pick<Run, 'platform' | 'server' | 'report' | 'isBridge'>): Run {
  return { tx, ...rest, listened: isListened(tx), unlinked: new Set() }
}
/** Returns whether anybody reads updates; prices move all day, so others are not worth a row in the outbox. */
export const isListened = (tx: Tx): boolean => tx.query(LISTENED).length > 0 || updatesAreRead(tx, tx.now)

function take(run: Run, rows: SortedRows<Reported>, part: readonly Placed<Reported>[]): void {
  const reports = part.map(({ row }) => row)
  const accounts = findAccounts(run, listNumbers(reports))
  const known = findPositionsByTicket(run, reports)
  for (const { index, row } of part) {
    const before = known.get(row.ticket)
    const number = row.accountNumber.trim()
    const account = accounts.get(number)
    const fault = (before && findOther(before, row)) ?? takeOne(run, row, before, account)
    if (fault) rows.refuse(index, row.ticket, fault)
    else if (!account) run.unlinked.add(number)
  }
}

/** Returns the fault of a row whose symbol or account number is not that of its known ticket. */
function findOther(before: PositionRow, { symbol, accountNumber }: Reported): FieldError | undefined {
  // erasing a client removes the number
  const isOther = before.accountNumber !== '' && accountNumber.trim() !== before.accountNumber
  const other = symbol !== before.symbol ? 'symbol' : isOther && 'accountNumber'
  return other
    ? { path: other, code: 'in_use', message: say('positions.field.other', { was: before[other] }) }
    : undefined
}

/** Returns the linked accounts of a platform and server that have one of these numbers. */
export const findAccounts = (
  { tx, platform, server }: Pick<Run, 'tx' | 'platform' | 'server'>,
  numbers: readonly string[],
): Map<string, Account> =>
  new Map(
    tx.query<Account>(ACCOUNTS, [platform, JSON.stringify(numbers), server.trim()]).map((row) => [row.number, row]),
  )

const findPositionsByTicket = ({ tx, platform, server }: Run, part: readonly Reported[]): Map<string, PositionRow> =>
  new Map(
    tx.list(positions, { platform, server, ticket: part.map(({ ticket }) => ticket) }).map((row) => [row.ticket, row]),
  )

/** Closes the positions that a snapshot lacks, since a snapshot has everything that is open. */
function* closeMissing(run: Run, { taken, refusedNames }: SortedRows<Reported>): Generator<void> {
  const present = new Set(refusedNames)
  for (const { row } of taken) present.add(row.ticket)
  const open = run.tx.list(positions, { platform: run.platform, server: run.server, status: 'open' })
  yield
  for (const [index, row] of open.filter(({ ticket }) => !present.has(ticket)).entries()) {
    assumeClosed(run, row)
    if (index % STEP === STEP - 1) yield
  }
}
