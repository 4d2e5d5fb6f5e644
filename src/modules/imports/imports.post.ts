import type { Ctx } from '../../platform/access/ctx.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { say } from '../../words/say.ts'
import { noteClientAct } from '../independence/independence.service.ts'
import { post, walletFor } from '../wallets/ledger.service.ts'
import { keepPosted, keepProgress, linesToPost } from './imports.lines.ts'
import { NOTHING } from './imports.model.ts'
import { importStates } from './imports.states.ts'
import { type ImportLineRow, type ImportRow, imports, type Tally } from './imports.table.ts'

/** Lines of one write. */
const STEP = 60

/** What is owed to the client of a line, put into the books; the other side is what the firm brings along. */
function postOpening(tx: Tx, row: ImportRow, { id, traderId, currency, balance }: ImportLineRow): void {
  if (traderId === null || currency === null || balance === null) return
  const wallet = walletFor(tx, traderId, currency)
  post(tx, {
    kind: 'opening',
    reference: id,
    description: say('imports.ledger.opening'),
    legs: [
      { account: 'opening_balances', currency, amount: -balance },
      { account: 'client_available', wallet, currency, amount: balance },
    ],
  })
  noteClientAct(tx, row.createdBy, traderId, 'credit')
  keepPosted(tx, id, true)
}

/** The tallies with what some lines came to, added to one of their figures. */
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

/** Posts the next opening balances; they are committed with how far the import came, so that none is posted twice. */
export function postStep(ctx: Ctx, row: ImportRow): Promise<null> {
  return ctx.write('import.post', (tx) => {
    const now = tx.get(imports, row.id)
    if (now.status !== 'posting') return null
    const lines = linesToPost(tx, row.id, now.cursor, STEP)
    const last = lines.at(-1)
    if (!last) {
      tx.transition(imports, row.id, importStates, 'done', { finishedAt: tx.now })
      return null
    }
    for (const line of lines) postOpening(tx, now, line)
    keepProgress(tx, row.id, { cursor: last.line, tallies: withLines(now.tallies, lines, 'posted') })
    return null
  })
}
