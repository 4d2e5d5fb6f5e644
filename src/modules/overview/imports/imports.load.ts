import type { Ctx } from '../../../platform/access/ctx.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { Problem } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'
import { readFirmSettings } from '../../base/firm-settings/firm-settings.ts'
import { findByNumber, numberTaken } from '../../books/accounts/account-numbers.ts'
import { type Account, toAccount } from '../../books/accounts/accounts.model.ts'
import { accounts } from '../../books/accounts/accounts.table.ts'
import { linkPositions } from '../../books/positions/positions.link.ts'
import { addTrader } from '../../clients/traders/traders.service.ts'
import { traders } from '../../clients/traders/traders.table.ts'
import { noteClientAct } from '../../firm/independence/independence.service.ts'
import { referrals } from '../../growth/affiliates/attribution.ts'
import { listEarlier, madeHere } from './imports.duplicates.ts'
import { IMPORT_FIELDS } from './imports.fields.ts'
import { keepLine, nameLogin, nextLines } from './imports.lines.ts'
import { findFailure, NOTHING, toPost } from './imports.model.ts'
import { type Plan, planLine } from './imports.plan.ts'
import { linkLostPositions } from './imports.positions.ts'
import { keepProgress } from './imports.progress.ts'
import { importStates } from './imports.states.ts'
import { type ImportLineRow, type ImportRow, imports, type LineError, type Tally } from './imports.table.ts'

/**
 * One write takes this many lines: it delays other writes by some twenty milliseconds, and a smaller one would need
 * more commits.
 */
const STEP = 40

type AccountPlan = NonNullable<Plan['account']>
type Loaded = { created: number; known: number; accounts: Account[]; refused: number }

/** Returns whether the account of a line is linked already; 409 if it is another client's. */
function isLinked(tx: Tx, plan: AccountPlan, traderId: string | null): boolean {
  const there = findByNumber(tx, plan)
  if (there && there.traderId !== traderId) throw numberTaken()
  return there !== undefined
}

/** A line to import, what it asks for, and its client if that one exists. */
type Ready = { line: ImportLineRow; plan: Plan; there: string | null }

/** Makes the client and the account of one line. A problem is thrown before anything is made. */
function loadLine(tx: Tx, ctx: Ctx, row: ImportRow, { line, plan, there }: Ready, loaded: Loaded): void {
  // the account is checked before the client is made, so that a refused line makes nothing
  const links = plan.account !== null && !isLinked(tx, plan.account, there)
  // the uploader counts as the author of the data, as if entering the client by hand
  const by = { referrals, emailBy: row.createdBy, setBy: row.createdBy }
  const traderId = there ?? (plan.trader && addTrader(tx, ctx, plan.trader, by).id)
  if (traderId === null) throw new Problem(409, 'wrong_state', say('imports.line.no_client'))
  const account = links && plan.account ? tx.insert(accounts, { ...plan.account, traderId }) : null
  if (account) {
    noteClientAct(tx, row.createdBy, traderId, 'linked_account')
    loaded.accounts.push(toAccount(account))
  }
  const isMaker = there === null
  if (isMaker) loaded.created += 1
  else loaded.known += 1
  const status = isMaker ? 'done' : 'known'
  const errors = nameLogin(line, row.reading, plan.notes)
  keepLine(tx, line.id, { status, traderId, accountId: account?.id ?? null, isMaker, errors })
}

/** Returns what is wrong with a line now: the firm, its clients and earlier lines may have changed since the check. */
function findFaults(tx: Tx, { line, plan, there }: Ready): readonly LineError[] {
  if (there !== null && !tx.find(traders, { id: there }))
    return [{ field: null, code: 'deleted', message: say('imports.line.deleted') }]
  // an earlier line should have made the client, but was refused
  if (there === null && line.cells.email === undefined && listEarlier(tx, line).length > 0)
    return [{ field: null, code: 'refused', message: say('imports.line.no_client') }]
  return plan.errors
}

/** Returns a problem in the form of a line's mistake. */
export const toLineError = ({ errors, code, message }: Problem): LineError => {
  const [first] = errors
  const field = IMPORT_FIELDS.find((one) => one === first?.path) ?? null
  return { field, code: first?.code ?? code, message: first?.message ?? message }
}

/** Stores that a checked line is refused because of a conflict that came later. */
function refuseLine(tx: Tx, line: ImportLineRow, errors: LineError[], tallies: Record<string, Tally>): void {
  const { traderId, currency, balance, posted } = line
  keepLine(tx, line.id, { status: 'refused', traderId, accountId: null, isMaker: false, errors })
  if (currency === null || balance === null) return
  const tally = tallies[currency] ?? NOTHING
  const known = posted === 'earlier' ? BigInt(tally.known) - balance : BigInt(tally.known)
  tallies[currency] = { ...tally, refused: (BigInt(tally.refused) + balance).toString(), known: known.toString() }
}

/**
 * Ends the import of lines. With balances it then waits for a second person. If lines were refused meanwhile and the
 * uploader did not allow that, the file is undone.
 */
const endLoad = (ctx: Ctx, id: string): Promise<null> =>
  ctx.write('import.loaded', (tx) => {
    const row = tx.get(imports, id)
    if (row.status !== 'loading') return null
    const failure = findFailure(row)
    const waits = Object.values(row.tallies).some((tally) => toPost(tally) !== 0n)
    const next = failure !== null ? 'undoing' : waits ? 'loaded' : 'done'
    tx.transition(imports, id, importStates, next, { failure, cursor: 0, finishedAt: next === 'done' ? tx.now : null })
    return null
  })

/** Makes the clients and accounts of the next lines; the progress is committed with them. */
export async function loadStep(ctx: Ctx, row: ImportRow): Promise<void> {
  const lines = nextLines(ctx.db, row.id, 'ready', row.cursor, STEP)
  const last = lines.at(-1)
  if (!last) {
    await linkLostPositions(ctx, row.id)
    return void (await endLoad(ctx, row.id))
  }
  const { platforms } = readFirmSettings(ctx.db)
  const linked = await ctx.write('trader.import', (tx) => {
    const now = tx.get(imports, row.id)
    if (now.status !== 'loading' || now.cursor !== row.cursor) return []
    const loaded: Loaded = { created: 0, known: 0, accounts: [], refused: 0 }
    const tallies = { ...now.tallies }
    const refuse = (line: ImportLineRow, faults: readonly LineError[]): void => {
      loaded.refused += 1
      refuseLine(tx, line, nameLogin(line, now.reading, faults), tallies)
    }
    for (const line of lines) {
      const there = line.traderId ?? madeHere(tx, line)
      const look = { isFirst: there === null, now: tx.now, platforms, reading: now.reading }
      const ready = { line, there, plan: planLine(line.cells, look) }
      try {
        const faults = findFaults(tx, ready)
        if (faults.length > 0) refuse(line, faults)
        else loadLine(tx, ctx, row, ready, loaded)
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        refuse(line, [toLineError(error)])
      }
    }
    const { created, known, refused } = loaded
    keepProgress(tx, row.id, { cursor: last.line, tallies, created, known, refused, accounts: loaded.accounts.length })
    return loaded.accounts
  })
  for (const account of linked) await linkPositions(ctx, account)
}
