import type { Static } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import type { Ctx } from '../../platform/access/ctx.ts'
import { bare, listed, statement } from '../../platform/db/statement.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { EventName } from '../../platform/events/catalogue.ts'
import { invalid } from '../../platform/http/problem.ts'
import { say } from '../../words/say.ts'
import { accounts } from '../accounts/accounts.table.ts'
import { advance, byNumber, lastTaken, mustBePlatform, named, numbersOf } from '../accounts/platform-feed.ts'
import { updatesAreRead } from '../events/events.service.ts'
import { webhookSubscriptions as subscriptions } from '../webhooks/webhooks.table.ts'
import { parseLots } from './lots.ts'
import { amountsOf, asReported, inCurrency, sameAmount } from './positions.amounts.ts'
import { positionPayload, type SyncIn, type SyncOut, type SyncPosition } from './positions.model.ts'
import { type PositionRow, positions } from './positions.table.ts'

/** Rows of one step: about two milliseconds. */
const STEP = 50

type Report = Static<typeof SyncOut>
type Account = { number: string; id: string; traderId: string; currency: string }
type Known = Map<string, PositionRow>

const ACCOUNTS = statement(
  sql`SELECT ${listed({
    number: accounts.accountNumber,
    id: accounts.id,
    traderId: accounts.traderId,
    currency: accounts.currency,
  })} FROM ${accounts}
  WHERE ${accounts.tenantId} = ?1 AND ${accounts.platform} = ?2 AND ${accounts.deletedAt} IS NULL
    AND ${accounts.accountNumber} IN (SELECT value FROM json_each(?3))`,
)
const LISTENED = statement(
  sql`SELECT 1 AS n FROM ${subscriptions} WHERE ${subscriptions.tenantId} = ?1
    AND ${subscriptions.status} = 'active' AND ${subscriptions.deletedAt} IS NULL
    AND EXISTS (SELECT 1 FROM json_each(${subscriptions.events}) WHERE value = 'position.updated') LIMIT 1`,
)
// Nearly every report moves prices only, and those are in no index and
// no foreign key: naming the other columns too would halve the feed.
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
/** What `CHANGE` writes. */
const RARELY = ['volume', 'status', 'closedAt', 'assumedClosed', 'accountId', 'traderId'] as const

type Reported = Static<typeof SyncPosition>

/** A cost of so many units or more, in whatever currency, is taken for an error of the platform and refused. */
const MOST_COST = 10n ** 10n
const COSTS = ['swap', 'commission', 'spread'] as const

/** Refuses a ticket that comes twice, an open position without volume, and a cost that cannot be meant. */
function refuseBadRows(list: readonly Reported[]): void {
  const seen = new Set<string>()
  list.forEach(({ ticket, volume, closedAt, ...row }, index) => {
    if (seen.has(ticket))
      throw invalid(`positions.${index}.ticket`, 'repeated', say('problems.field.given_more_than_once'))
    seen.add(ticket)
    // of a closed position nothing is left on some platforms
    if (closedAt === undefined && parseLots(volume) === 0n)
      throw invalid(`positions.${index}.volume`, 'not_positive', say('positions.field.must_greater_than_zero'))
    const wild = COSTS.find((field) => BigInt((row[field] ?? '0').replace('-', '').split('.')[0] ?? '') >= MOST_COST)
    if (wild)
      throw invalid(`positions.${index}.${wild}`, 'amount_range', say('affiliates.field.cost', { most: '10^10' }))
  })
}

/**
 * Takes what a platform bridge reports: first sight opens, a changed price, profit or volume updates,
 * `closedAt` (or missing from a snapshot) closes. One transaction for up to 10,000 positions, in steps
 * that let reads through. Amounts are what the platform says, not our books: decimals beyond the
 * currency's are rounded, and a position of which the account's currency cannot hold one is nobody's, as if
 * no account were there. A repeated or older sequence changes nothing and says so. RULES “Positions”.
 */
export function syncPositions(ctx: Ctx, input: Static<typeof SyncIn>): Promise<Report> {
  refuseBadRows(input.positions)
  return ctx.writeSteps('position.sync', function* (tx): Generator<void, Report> {
    const { platform, server, sequence } = input
    mustBePlatform(tx, platform)
    const last = lastTaken(tx, ctx, 'positions', input)
    const counts = { opened: 0, updated: 0, closed: 0, unchanged: 0 }
    const report: Report = { applied: false, sequence: last, ...counts, unlinked: [] }
    if (sequence <= last) return report
    const run = createRun(tx, platform, server, report)
    for (let start = 0; start < input.positions.length; start += STEP) {
      run.take(input.positions.slice(start, start + STEP))
      yield
    }
    if (input.mode === 'snapshot') yield* run.closeMissing(new Set(input.positions.map(({ ticket }) => ticket)))
    advance(tx, ctx, 'positions', input)
    Object.assign(report, { applied: true, sequence, unlinked: named(run.unlinked) })
    const { opened, updated, closed } = report
    tx.audit({
      entity: 'position_stream',
      entityId: null,
      after: { platform, server, sequence, mode: input.mode, opened, updated, closed },
    })
    return report
  })
}

function createRun(tx: Tx, platform: string, server: string, report: Report) {
  // an update that nobody listens to is not worth a row in the outbox: prices move all day
  const listened = tx.query(LISTENED).length > 0 || updatesAreRead(tx, tx.now)
  const unlinked = new Set<string>()
  const emit = (event: EventName & `position.${string}`, row: PositionRow) => tx.emit(event, positionPayload(row))

  const accountsOf = (part: readonly Reported[]): Map<string, Account> =>
    new Map(tx.query<Account>(ACCOUNTS, [platform, JSON.stringify(numbersOf(part))]).map((row) => [row.number, row]))

  const knownOf = (part: readonly Reported[]): Known =>
    new Map(
      tx
        .list(positions, { platform, server, ticket: part.map(({ ticket }) => ticket) })
        .map((row) => [row.ticket, row]),
    )

  const save = (before: PositionRow, changes: Partial<PositionRow>): PositionRow => {
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

  const close = (before: PositionRow, changes: Partial<PositionRow>) => {
    const row = save(before, { ...changes, status: 'closed', closedAt: changes.closedAt ?? tx.now })
    report.closed += 1
    emit('position.closed', row)
  }

  /**
   * What a report says, in the currency of the account; a position
   * of an account that was linked since takes on its owner.
   */
  const valuesOf = (reported: Reported, before: PositionRow | undefined, account: Account | undefined) => {
    const owner = before?.accountId ? before : account && { ...account, accountId: account.id }
    const { profit, swap = '0', commission = '0', spread, currentPrice } = reported
    const volume = parseLots(reported.volume)
    // a bridge that once knew the spread and does not say it again has not taken it back
    const cost = spread ?? (before && amountsOf(before).spread) ?? undefined
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

  const takeOne = (reported: Reported, before: PositionRow | undefined, account: Account | undefined) => {
    const values = valuesOf(reported, before, account)
    const closedAt = reported.closedAt === undefined ? null : Date.parse(reported.closedAt)
    if (!before) {
      // over before it was seen, and nothing is left of it to show
      if (values.volume === 0n) {
        report.unchanged += 1
        return
      }
      const { ticket, symbol, side, openPrice } = reported
      const accountNumber = reported.accountNumber.trim()
      const row = tx.insert(positions, {
        ...values,
        openedVolume: values.volume,
        platform,
        server,
        ticket,
        accountNumber,
        symbol,
        side,
        openPrice,
        openedAt: Date.parse(reported.openedAt),
      })
      report.opened += 1
      emit('position.opened', row)
      if (closedAt !== null) close(row, { closedAt })
      return
    }
    // a closed position does not open again: platforms give new tickets
    if (before.status === 'closed' && !before.assumedClosed) {
      report.unchanged += 1
      return
    }
    if (before.status === 'closed') {
      // a snapshot had missed it: the platform's own word, open or closed, is the better one
      const row = save(before, {
        ...values,
        status: closedAt === null ? 'open' : 'closed',
        closedAt,
        assumedClosed: false,
      })
      report.updated += 1
      if (closedAt === null) emit('position.opened', row)
      else if (listened) emit('position.updated', row)
      return
    }
    if (closedAt !== null) return close(before, { ...values, closedAt })
    const moved =
      before.volume !== values.volume ||
      before.currentPrice !== values.currentPrice ||
      !sameAmount(before, values, 'profit')
    const same = (['swap', 'commission', 'spread'] as const).every((field) => sameAmount(before, values, field))
    if (!moved && same && before.accountId === values.accountId) {
      report.unchanged += 1
      return
    }
    const row = save(before, values)
    report.updated += 1
    if (moved && listened) emit('position.updated', row)
  }

  return {
    unlinked,
    take: (part: readonly Reported[]) => {
      const accounts = accountsOf(part)
      const known = knownOf(part)
      for (const reported of part) {
        const account = byNumber(accounts, reported.accountNumber)
        if (!account) unlinked.add(reported.accountNumber.trim())
        takeOne(reported, known.get(reported.ticket), account)
      }
    },
    /** A snapshot is everything that is open: what is not in it was closed. */
    *closeMissing(present: ReadonlySet<string>): Generator<void> {
      const open = tx.list(positions, { platform, server, status: 'open' })
      yield
      for (const [index, row] of open.filter(({ ticket }) => !present.has(ticket)).entries()) {
        close(row, { assumedClosed: true })
        if (index % STEP === STEP - 1) yield
      }
    },
  }
}
