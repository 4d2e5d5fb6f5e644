import type { Ctx } from '../../../platform/access/ctx.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { sayForAll } from '../../../words/say.ts'
import { accounts } from '../../books/accounts/accounts.table.ts'
import { post, walletFor } from '../../books/wallets/ledger.service.ts'
import { traderPayload } from '../../clients/traders/traders.model.ts'
import { traders } from '../../clients/traders/traders.table.ts'
import { keepPosted } from './imports.balances.ts'
import { keepLine, linesToUndo, listClientLines } from './imports.lines.ts'
import { withLines } from './imports.post.ts'
import { keepProgress } from './imports.progress.ts'
import { importStates } from './imports.states.ts'
import { type ImportLineRow, type ImportRow, importLines, imports } from './imports.table.ts'
import { isLineTouched, isTouched } from './imports.unused-clients.ts'

/** One write takes this many lines, and one search this many clients. */
const STEP = 40
const LOOK = 50

/** Reverses an opening balance; the ledger keeps both movements. */
function takeBack(tx: Tx, { id, traderId, currency, balance }: ImportLineRow): void {
  if (traderId === null || currency === null || balance === null) return
  const wallet = walletFor(tx, traderId, currency)
  post(tx, {
    kind: 'opening_undone',
    reference: id,
    description: sayForAll('imports.ledger.undone'),
    legs: [
      { account: 'client_available', wallet, currency, amount: -balance },
      { account: 'opening_balances', currency, amount: balance },
    ],
  })
  keepPosted(tx, id, false)
}

/** Undoes one line: its money, then its account. Returns whether the money was posted. */
function undoLine(tx: Tx, line: ImportLineRow): boolean {
  const wasPosted = line.posted === 'here'
  if (wasPosted) takeBack(tx, line)
  if (line.accountId !== null) tx.remove(accounts, line.accountId)
  keepLine(tx, line.id, { ...line, status: 'undone', errors: [] })
  return wasPosted
}

/** Removes a client whom the file made. The address is free for a better file; the person is erased after 30 days. */
function removeClient(tx: Tx, traderId: string): void {
  const trader = tx.update(traders, traderId, { email: null })
  tx.remove(traders, traderId)
  tx.emit('trader.deleted', { ...traderPayload(trader), version: trader.version + 1 })
}

type Undone = { lines: ImportLineRow[]; clients: number; left: number }

/** Returns whether this file made the client of a line; the line that made the client then decides about all lines. */
const isOfMaker = (db: Reader, { importId }: ImportLineRow, traderId: string): boolean =>
  listClientLines(db, importId, traderId).some(({ isMaker }) => isMaker)

/** Undoes what a line made for its client; the line that made the client is undone with all the other lines. */
function undoOne(tx: Tx, row: ImportRow, line: ImportLineRow, undone: Undone): void {
  const { traderId } = line
  // the line may have been undone in this step together with an earlier line of the same client
  if (traderId === null || !['done', 'known'].includes(tx.get(importLines, line.id).status)) return
  if (!line.isMaker) {
    if (isOfMaker(tx, line, traderId)) return
    if (isLineTouched(tx, line)) {
      undone.left += 1
      keepLine(tx, line.id, { ...line, status: 'left' })
    } else if (undoLine(tx, line)) undone.lines.push(line)
    return
  }
  const lines = listClientLines(tx, row.id, traderId)
  if (isTouched(tx, row.id, traderId)) {
    undone.left += 1
    for (const one of lines) keepLine(tx, one.id, { ...one, status: 'left' })
    return
  }
  for (const one of lines) if (undoLine(tx, one)) undone.lines.push(one)
  removeClient(tx, traderId)
  undone.clients += 1
}

/** Undoes the next lines of an import; clients with later activity are left and counted. */
export function undoStep(ctx: Ctx, row: ImportRow): Promise<null> {
  return ctx.write('import.undo', (tx) => {
    const now = tx.get(imports, row.id)
    if (now.status !== 'undoing') return null
    const lines = linesToUndo(tx, row.id, now.cursor, STEP)
    if (lines.length === 0) {
      tx.transition(imports, row.id, importStates, 'undone', { finishedAt: tx.now })
      return null
    }
    const undone: Undone = { lines: [], clients: 0, left: 0 }
    let cursor = now.cursor
    for (const line of lines) {
      // a client may have a hundred lines, which are undone together
      if (undone.lines.length >= STEP) break
      undoOne(tx, now, line, undone)
      cursor = line.line
    }
    const tallies = withLines(now.tallies, undone.lines, 'undone')
    keepProgress(tx, row.id, { cursor, tallies, undone: undone.clients, left: undone.left })
    return null
  })
}

/** Returns clients of an import with later activity, at most `most`. */
export async function touchedClients(ctx: { db: Reader }, importId: string, most: number): Promise<string[]> {
  const touched = new Set<string>()
  for (let after = 0; ; ) {
    const lines = linesToUndo(ctx.db, importId, after, LOOK)
    const last = lines.at(-1)
    if (!last || touched.size >= most) return [...touched].slice(0, most)
    for (const line of lines) {
      const { traderId, isMaker } = line
      if (traderId === null || touched.has(traderId)) continue
      const isAdded = !isMaker && isLineTouched(ctx.db, line) && !isOfMaker(ctx.db, line, traderId)
      if (isAdded || (isMaker && isTouched(ctx.db, importId, traderId))) touched.add(traderId)
    }
    after = last.line
    await Bun.sleep(0)
  }
}
