import type { Ctx } from '../../../platform/access/ctx.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { accounts } from '../../books/accounts/accounts.table.ts'
import { contradict, settleTransfer } from '../../books/transfers/settle.ts'
import { type TransferRow, transfers } from '../../books/transfers/transfers.table.ts'
import { traders } from '../../clients/traders/traders.table.ts'
import type { ConnectionRow } from '../connections/connections.table.ts'
import { type DealRow, terminalDeals } from '../deals/deals.table.ts'
import { findEffect } from '../deals/effects.ts'
import { healFinding, noteFinding } from '../findings/findings.service.ts'
import { MOVEMENT_KINDS } from '../findings/findings.table.ts'
import { moveOn } from '../instructions/instructions.store.ts'
import { terminalInstructions } from '../instructions/instructions.table.ts'
import { terminalLogins } from '../logins/logins.table.ts'
import { aboutUnresolved } from '../sending/money.ts'

/** Our own reference at the beginning of a comment. RULES “Transfers”. */
const REFERENCE = /^BB-[0-9A-Z]{12}/
/** Movements of money that nobody has to explain: they move credit, or undo a loss below zero. */
const OWNED = ['credit', 'bonus', 'compensation', 'credit_compensation'] as const
/** What says who moved money without one of our references. */
const NEEDS_OWNER = ['balance', 'charge', 'correction'] as const
type Judged = { tx: Tx; ctx: Ctx; connection: ConnectionRow; deal: DealRow; amount: bigint }

/** Notes a finding of a deal, and that other findings of it are no more. */
function note({ tx, connection, deal, amount }: Judged, kind: (typeof MOVEMENT_KINDS)[number] | null): void {
  const { login, currency, number: subject } = deal
  for (const one of MOVEMENT_KINDS)
    if (one === kind) noteFinding(tx, { connectionId: connection.id, kind: one, subject }, { login, currency, amount })
    else healFinding(tx, { connectionId: connection.id, kind: one, subject })
}

/** Returns whether a deal is exactly what a transfer asks for. */
function fitsTransfer({ tx, connection, deal, amount }: Judged, transfer: TransferRow): boolean {
  const account = tx.unowned.find(accounts, { id: transfer.accountId ?? '' }, { withDeleted: true })
  if (account === undefined || account.platform !== connection.platform) return false
  if (account.accountNumber !== deal.login || (account.server !== '' && account.server !== connection.server))
    return false
  const isIn = transfer.kind === 'wallet_to_account'
  const currency = isIn ? transfer.toCurrency : transfer.fromCurrency
  return currency === deal.currency && amount === (isIn ? transfer.toAmount : -transfer.fromAmount)
}

/** Books a transfer whose deal was read: a confirmed terminal says so itself. */
function book({ tx, ctx, connection, deal }: Judged, transfer: TransferRow): void {
  const asked = tx.find(terminalInstructions, { transferId: transfer.id })
  if (transfer.state === 'sent') {
    const word = { state: 'booked', by: null, byBridge: true, reference: deal.number, reason: null } as const
    settleTransfer(tx, transfer, { ...word, hands: connection.enteredBy })
  } else if (transfer.state === 'refused') contradict(tx, ctx, transfer, 'booked')
  if (asked === undefined) return
  if (['queued', 'sending', 'unclear', 'unresolved'].includes(asked.state))
    moveOn(tx, asked, 'done', { number: deal.number, answer: null })
  healFinding(tx, aboutUnresolved(asked))
}

/** Takes a deal as the booking of its transfer; returns what does not fit about that, or null. */
function takeBooking(judged: Judged, reference: string): (typeof MOVEMENT_KINDS)[number] | null {
  const { tx, connection, deal } = judged
  const transfer = tx.unowned.find(transfers, { reference })
  if (transfer === undefined) return 'reference_unknown'
  if (!fitsTransfer(judged, transfer)) return 'transfer_differs'
  const twin = tx.find(terminalDeals, { transferId: transfer.id })
  if (twin !== undefined && twin.id !== deal.id) return 'transfer_twice'
  // until it is confirmed, a connection is one person’s word, which books nothing
  if (connection.confirmedAt !== null) book(judged, transfer)
  // the client has this money a second time
  if (transfer.state === 'refused') return 'booked_after_refusal'
  if (deal.transferId !== transfer.id) tx.update(terminalDeals, deal.id, { transferId: transfer.id })
  healFinding(tx, { connectionId: connection.id, kind: 'transfer_missing', subject: transfer.id })
  return null
}

/** Notes that the deal of a transfer is no more, so that the money of the transfer is not there. */
function loseTransfer({ tx, connection, deal }: Judged): void {
  const { login, currency, transferId } = deal
  if (transferId === null) return
  tx.update(terminalDeals, deal.id, { transferId: null })
  noteFinding(tx, { connectionId: connection.id, kind: 'transfer_missing', subject: transferId }, { login, currency })
}

/** Warns that a terminal pays agents of clients who have an affiliate here, so that both may be paid. */
function warnOfAgent({ tx, connection, deal }: Judged): void {
  const { login, currency } = deal
  const about = { connectionId: connection.id, kind: 'agent_commission', subject: login } as const
  const there = { platform: connection.platform, accountNumber: login }
  const account = tx.unowned.list(accounts, there).find(({ server }) => server === '' || server === connection.server)
  const client = account && tx.unowned.find(traders, { id: account.traderId })
  if (client?.affiliateId != null) noteFinding(tx, about, { login, currency })
}

/**
 * Judges deals that are no trades in the write that stores them: which transfer of ours they are, or whose money it is.
 * A deal of before the connection’s `since` and one of a demo login are nobody’s matter. RULES “Findings”.
 */
export function judgeMovements(tx: Tx, ctx: Ctx, connection: ConnectionRow, deals: readonly DealRow[]): void {
  for (const deal of deals) {
    if (deal.kind === 'trade' || deal.at < connection.since) continue
    const login = tx.find(terminalLogins, { connectionId: connection.id, login: deal.login })
    if (login?.accountType !== 'live') continue
    const effect = findEffect(deal)
    const judged = { tx, ctx, connection, deal, amount: effect.balance }
    const [reference] = REFERENCE.exec(deal.comment) ?? []
    if (deal.state !== 'live') {
      loseTransfer(judged)
      note(judged, null)
    } else if (reference !== undefined && deal.kind === 'balance') note(judged, takeBooking(judged, reference))
    else if (deal.kind === 'agent') warnOfAgent(judged)
    else if (NEEDS_OWNER.some((kind) => kind === deal.kind)) note(judged, 'movement_unknown')
    else if (OWNED.some((kind) => kind === deal.kind)) note(judged, null)
  }
}
