import type { Ctx } from '../../platform/access/ctx.ts'
import type { Reader } from '../../platform/db/reader.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { say } from '../../words/say.ts'
import { accounts } from '../accounts/accounts.table.ts'
import { traderPayload } from '../traders/traders.model.ts'
import { traders } from '../traders/traders.table.ts'
import { post, walletFor } from '../wallets/ledger.service.ts'
import { keepLine, keepPosted, keepProgress, linesOfClient, linesToUndo } from './imports.lines.ts'
import { withLines } from './imports.post.ts'
import { importStates } from './imports.states.ts'
import { type ImportLineRow, type ImportRow, imports } from './imports.table.ts'
import { isAccountUsed, isTouched } from './imports.untouched.ts'

/** Lines of one write, and clients of one look. */
const STEP = 40
const LOOK = 50

/** Takes an opening balance out of the books again; the ledger keeps both movements. */
function takeBack(tx: Tx, { id, traderId, currency, balance }: ImportLineRow): void {
  if (traderId === null || currency === null || balance === null) return
  const wallet = walletFor(tx, traderId, currency)
  post(tx, {
    kind: 'opening_undone',
    reference: id,
    description: say('imports.ledger.undone'),
    legs: [
      { account: 'client_available', wallet, currency, amount: -balance },
      { account: 'opening_balances', currency, amount: balance },
    ],
  })
  keepPosted(tx, id, false)
}

/** Undoes one line: its money, then its account. Answers whether its money was in the books. */
function undoLine(tx: Tx, line: ImportLineRow): boolean {
  const wasPosted = line.posted === 'here'
  if (wasPosted) takeBack(tx, line)
  if (line.accountId !== null) tx.remove(accounts, line.accountId)
  keepLine(tx, line.id, { ...line, status: 'undone', errors: [] })
  return wasPosted
}

/** Takes a client back whom the file made. The address is free for a better file; the person is erased in 30 days. */
function removeClient(tx: Tx, traderId: string): void {
  const trader = tx.update(traders, traderId, { email: null })
  tx.remove(traders, traderId)
  tx.emit('trader.deleted', { ...traderPayload(trader), version: trader.version + 1 })
}

type Undone = { lines: ImportLineRow[]; clients: number; left: number }

/** Whether the money of a line that was added to a client who was there before can still be taken back. */
function isSpent(tx: Tx, { traderId, currency, balance, posted }: ImportLineRow): boolean {
  if (posted !== 'here' || traderId === null || currency === null || balance === null) return false
  return walletFor(tx, traderId, currency).available < balance
}

function undoOne(tx: Tx, row: ImportRow, line: ImportLineRow, undone: Undone): void {
  const { traderId, accountId } = line
  if (traderId === null) return
  if (!line.isMaker) {
    // the line that made the client, in this file or an earlier one, decides about the client
    if (linesOfClient(tx, row.id, traderId).some(({ isMaker }) => isMaker)) return
    if (isSpent(tx, line) || (accountId !== null && isAccountUsed(tx, accountId))) {
      undone.left += 1
      keepLine(tx, line.id, { ...line, status: 'left' })
      return
    }
    if (undoLine(tx, line)) undone.lines.push(line)
    return
  }
  const lines = linesOfClient(tx, row.id, traderId)
  if (isTouched(tx, row.id, traderId)) {
    undone.left += 1
    for (const one of lines) keepLine(tx, one.id, { ...one, status: 'left' })
    return
  }
  for (const one of lines) if (undoLine(tx, one)) undone.lines.push(one)
  removeClient(tx, traderId)
  undone.clients += 1
}

/** Undoes the next lines of an import; what something happened to meanwhile is left, and counted. */
export function undoStep(ctx: Ctx, row: ImportRow): Promise<null> {
  return ctx.write('import.undo', (tx) => {
    const now = tx.get(imports, row.id)
    if (now.status !== 'undoing') return null
    const lines = linesToUndo(tx, row.id, now.cursor, STEP)
    const last = lines.at(-1)
    if (!last) {
      tx.transition(imports, row.id, importStates, 'undone', { finishedAt: tx.now })
      return null
    }
    const undone: Undone = { lines: [], clients: 0, left: 0 }
    for (const line of lines) undoOne(tx, now, line, undone)
    const tallies = withLines(now.tallies, undone.lines, 'undone')
    keepProgress(tx, row.id, { cursor: last.line, tallies, undone: undone.clients, left: undone.left })
    return null
  })
}

/** How many clients whom an import made something has happened to, up to `most`, with their ids. */
export async function touchedClients(ctx: { db: Reader }, importId: string, most: number): Promise<string[]> {
  const touched: string[] = []
  for (let after = 0; ; ) {
    const lines = linesToUndo(ctx.db, importId, after, LOOK)
    const last = lines.at(-1)
    if (!last || touched.length >= most) return touched.slice(0, most)
    for (const { traderId, isMaker } of lines)
      if (isMaker && traderId !== null && isTouched(ctx.db, importId, traderId)) touched.push(traderId)
    after = last.line
    await Bun.sleep(0)
  }
}
