import type { Ctx } from '../../platform/access/ctx.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { Problem } from '../../platform/http/problem.ts'
import { say } from '../../words/say.ts'
import { type Account, toAccount } from '../accounts/accounts.model.ts'
import { accounts } from '../accounts/accounts.table.ts'
import { referrals } from '../affiliates/attribution.ts'
import { readFirmSettings } from '../firm-settings/firm-settings.ts'
import { noteClientAct } from '../independence/independence.service.ts'
import { linkPositions } from '../positions/positions.link.ts'
import { addTrader } from '../traders/traders.service.ts'
import { IMPORT_FIELDS } from './imports.fields.ts'
import { keepLine, keepProgress, madeHere, nextLines } from './imports.lines.ts'
import { NOTHING, toPost } from './imports.model.ts'
import { type Plan, planOf } from './imports.plan.ts'
import { importStates } from './imports.states.ts'
import { type ImportLineRow, type ImportRow, imports, type LineError, type Tally } from './imports.table.ts'

/** Lines of one write: some twenty milliseconds, which everybody else waits; fewer would be more commits for all. */
const STEP = 40

type AccountPlan = NonNullable<Plan['account']>
type Loaded = { created: number; known: number; accounts: Account[]; refused: number }

/** Whether the account of a line is linked already. 409 where another client has it by now. */
function isLinked(tx: Tx, { platform, accountNumber }: AccountPlan, traderId: string | null): boolean {
  const there = tx.find(accounts, { platform, accountNumber })
  if (there && there.traderId !== traderId)
    throw new Problem(409, 'duplicate', say('imports.line.account_taken'), [
      { path: 'accountNumber', code: 'duplicate', message: say('imports.line.account_taken') },
    ])
  return there !== undefined
}

/** Makes the client and the account of one line. */
function loadLine(tx: Tx, ctx: Ctx, row: ImportRow, line: ImportLineRow, plan: Plan, loaded: Loaded): void {
  const there = line.traderId ?? madeHere(tx, line)
  // a clash of the account is found before the client is made, so that a refused line leaves nothing
  const links = plan.account !== null && !isLinked(tx, plan.account, there)
  const traderId = there ?? (plan.trader && addTrader(tx, ctx, plan.trader, { referrals, emailBy: row.createdBy }).id)
  if (traderId === null) throw new Error('a line without a client was called ready')
  const account = links && plan.account ? tx.insert(accounts, { ...plan.account, traderId }) : null
  if (account) {
    noteClientAct(tx, row.createdBy, traderId, 'linked_account')
    loaded.accounts.push(toAccount(account))
  }
  const isMaker = there === null
  if (isMaker) loaded.created += 1
  else loaded.known += 1
  const status = isMaker ? 'done' : 'known'
  keepLine(tx, line.id, { status, traderId, accountId: account?.id ?? null, isMaker, errors: [] })
}

const errorsOf = ({ errors, code, message }: Problem): LineError[] => {
  const [first] = errors
  const field = IMPORT_FIELDS.find((one) => one === first?.path) ?? null
  return [{ field, code: first?.code ?? code, message: first?.message ?? message }]
}

/** Keeps that a line which was ready is refused after all: what it clashes with came since it was checked. */
function refuseLine(tx: Tx, line: ImportLineRow, problem: Problem, tallies: Record<string, Tally>): void {
  const { traderId, currency, balance } = line
  keepLine(tx, line.id, { status: 'refused', traderId, accountId: null, isMaker: false, errors: errorsOf(problem) })
  if (currency === null || balance === null) return
  const tally = tallies[currency] ?? NOTHING
  tallies[currency] = { ...tally, refused: (BigInt(tally.refused) + balance).toString() }
}

/** Ends the loading: what has balances waits for a second person. */
const endLoad = (ctx: Ctx, id: string): Promise<null> =>
  ctx.write('import.loaded', (tx) => {
    const row = tx.get(imports, id)
    if (row.status !== 'loading') return null
    const waits = Object.values(row.tallies).some((tally) => toPost(tally) !== 0n)
    const next = waits ? 'loaded' : 'done'
    tx.transition(imports, id, importStates, next, { cursor: 0, finishedAt: waits ? null : tx.now })
    return null
  })

/** Makes clients and accounts of the next lines; they are committed with how far the import came. */
export async function loadStep(ctx: Ctx, row: ImportRow): Promise<void> {
  const lines = nextLines(ctx.db, row.id, 'ready', row.cursor, STEP)
  const last = lines.at(-1)
  if (!last) return void (await endLoad(ctx, row.id))
  const { platforms } = readFirmSettings(ctx.db)
  const linked = await ctx.write('trader.import', (tx) => {
    const now = tx.get(imports, row.id)
    if (now.status !== 'loading' || now.cursor !== row.cursor) return []
    const loaded: Loaded = { created: 0, known: 0, accounts: [], refused: 0 }
    const tallies = { ...now.tallies }
    for (const line of lines) {
      const plan = planOf(line.cells, {
        isFirst: line.traderId === null && madeHere(tx, line) === null,
        now: tx.now,
        platforms,
      })
      try {
        loadLine(tx, ctx, row, line, plan, loaded)
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        loaded.refused += 1
        refuseLine(tx, line, error, tallies)
      }
    }
    const { created, known, refused } = loaded
    keepProgress(tx, row.id, { cursor: last.line, tallies, created, known, refused, accounts: loaded.accounts.length })
    return loaded.accounts
  })
  for (const account of linked) await linkPositions(ctx, account)
}
