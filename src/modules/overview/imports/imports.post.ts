import type { Ctx } from '../../../platform/access/ctx.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { maxMinor } from '../../../platform/money.ts'
import { Problem } from '../../../platform/problem.ts'
import { say, sayForAll } from '../../../words/say.ts'
import { post, walletFor } from '../../books/wallets/ledger.service.ts'
import { wallets } from '../../books/wallets/wallets.table.ts'
import { refuseCreditTo } from '../../clients/sanctions/sanctions.queries.ts'
import { traders } from '../../clients/traders/traders.table.ts'
import { noteClientAct } from '../../firm/independence/independence.service.ts'
import { keepFault, keepPosted, linesToPost, unpostedLines } from './imports.balances.ts'
import { toLineError } from './imports.load.ts'
import { NOTHING } from './imports.model.ts'
import { keepProgress } from './imports.progress.ts'
import { importStates } from './imports.states.ts'
import { type ImportLineRow, type ImportRow, imports, type LineError, type Tally } from './imports.table.ts'

const STEP = 60

/** Returns why a client cannot be credited now, as for every credit; null if they can. */
function whyNotCredit(tx: Tx, traderId: string, currency: string, balance: bigint): LineError | null {
  if (!tx.find(traders, { id: traderId })) return { field: null, code: 'deleted', message: say('imports.line.deleted') }
  const available = tx.find(wallets, { traderId, currency })?.available ?? 0n
  if (available + balance > maxMinor)
    return { field: 'balance', code: 'amount_range', message: say('wallets.error.amount_range') }
  try {
    refuseCreditTo(tx, traderId)
    return null
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return toLineError(error)
  }
}

/**
 * Posts the opening balance of a line's client against the firm's account for opening balances. Returns whether it is
 * posted: a client who is deleted or blocked by sanctions is not credited, and the line shows why.
 */
function postOpening(tx: Tx, row: ImportRow, { id, traderId, currency, balance }: ImportLineRow): boolean {
  if (traderId === null || currency === null || balance === null) return false
  const refusal = whyNotCredit(tx, traderId, currency, balance)
  if (refusal) {
    keepFault(tx, id, refusal)
    return false
  }
  const wallet = walletFor(tx, traderId, currency)
  post(tx, {
    kind: 'opening',
    reference: id,
    description: sayForAll('imports.ledger.opening'),
    legs: [
      { account: 'opening_balances', currency, amount: -balance },
      { account: 'client_available', wallet, currency, amount: balance },
    ],
  })
  noteClientAct(tx, row.createdBy, traderId, 'credit')
  keepPosted(tx, id, true)
  return true
}

/** Returns the sums after adding the amounts of some lines to one of their figures. */
export function withLines(
  tallies: Readonly<Record<string, Tally>>,
  lines: readonly Pick<ImportLineRow, 'currency' | 'balance'>[],
  figure: 'posted' | 'undone',
): Record<string, Tally> {
  const sums = { ...tallies }
  for (const { currency, balance } of lines) {
    if (currency === null || balance === null) continue
    const tally = sums[currency] ?? NOTHING
    sums[currency] = { ...tally, [figure]: (BigInt(tally[figure]) + balance).toString() }
  }
  return sums
}

/** Posts the next opening balances; the progress is committed with them, so that none is posted twice. */
export function postStep(ctx: Ctx, row: ImportRow): Promise<null> {
  return ctx.write('import.post', (tx) => {
    const now = tx.get(imports, row.id)
    if (now.status !== 'posting') return null
    const lines = linesToPost(tx, row.id, now.cursor, STEP)
    const last = lines.at(-1)
    if (!last) {
      const count = unpostedLines(tx, row.id)
      const failure = count === 0 ? null : say('imports.failure.unposted', { count })
      tx.transition(imports, row.id, importStates, 'done', { failure, finishedAt: tx.now })
      return null
    }
    const posted = lines.filter((line) => postOpening(tx, now, line))
    keepProgress(tx, row.id, { cursor: last.line, tallies: withLines(now.tallies, posted, 'posted') })
    return null
  })
}
