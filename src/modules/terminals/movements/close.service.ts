import type { Static } from '@sinclair/typebox'
import { atLeast } from '../../../platform/access/catalogue.ts'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { findRole, findStaffId } from '../../../platform/access/principal.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { writeEach } from '../../../platform/http/answers/bulk-results.ts'
import { defineErrors, invalid, wrongState } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'
import { type AccountRow, accounts } from '../../books/accounts/accounts.table.ts'
import { reaches, readMeasure } from '../../books/approval-policy/approval-policy.ts'
import { transfers } from '../../books/transfers/transfers.table.ts'
import {
  linkedAccount,
  noteClientAct,
  refuseGivenPassword,
  requireDecider,
  whyNotVote,
} from '../../firm/independence/independence.service.ts'
import { terminalConnections } from '../connections/connections.table.ts'
import { terminalDeals } from '../deals/deals.table.ts'
import { findEffect } from '../deals/effects.ts'
import type { CloseIn } from '../findings/findings.model.ts'
import { BRINGS_MONEY, type FindingRow, terminalFindings } from '../findings/findings.table.ts'
import { terminalInstructions } from '../instructions/instructions.table.ts'
import { terminalLogins } from '../logins/logins.table.ts'
import { BEHIND } from '../sending/money.hooks.ts'
import { sendingErrors } from '../sending/sending.errors.ts'

const movementErrors = defineErrors('terminals', () => ({
  admin_explains: [403, say('terminals.problem.admin_explains')],
  linker_explains: [403, say('terminals.problem.linker_explains')],
  acknowledge_it: [409, say('terminals.problem.acknowledge_it')],
}))

/** Does what follows from a person’s word that a finding is explained. */
function follow(tx: Tx, { kind, login, amount, connectionId }: FindingRow): void {
  if (login === null) return
  const row = tx.find(terminalLogins, { connectionId, login })
  if (row === undefined) return
  // the difference is what the balance is beside its deals from now on
  if (kind === 'balance_differs' && amount !== null) tx.update(terminalLogins, row.id, { base: row.base + amount })
  // the login is another account by the person's word: it is read as one from now on
  if (kind === 'login_reused') tx.remove(terminalLogins, row.id)
}

/** Returns the account that a login is linked to here; undefined without one. */
function findLinked(tx: Tx, { connectionId, login }: FindingRow): AccountRow | undefined {
  const connection = tx.find(terminalConnections, { id: connectionId })
  if (login === null || connection === undefined) return undefined
  return tx.unowned
    .list(accounts, { platform: connection.platform, accountNumber: login })
    .find(({ server }) => server === '' || server === connection.server)
}

/**
 * Refuses a person who may not call money explained that came to a client’s account, and notes that they did: it is as
 * if they had reported that balance and brought that money. From the threshold on it takes an independent admin who did
 * not link the account. RULES “Findings”.
 */
function takeExplanation(tx: Tx, ctx: Ctx, { kind, amount, currency }: FindingRow, account: AccountRow): void {
  if (!BRINGS_MONEY.some((one) => one === kind) || amount === null || amount <= 0n) return
  const { userId, people } = requireDecider(tx, ctx, account.traderId)
  const measure = readMeasure(tx.unowned, tx.now)
  if (
    reaches(
      measure,
      measure.compare(amount, currency ?? '', (author) => people.samePerson(author, userId)),
    )
  ) {
    if (!atLeast(findRole(ctx.principal) ?? 'viewer', 'admin')) throw movementErrors.admin_explains()
    const refusal = whyNotVote(tx.unowned, people, userId, account.traderId, tx.now)
    if (refusal) throw refusal
    if (linkedAccount(tx.unowned, people, userId, account.traderId, tx.now)) throw movementErrors.linker_explains()
  }
  noteClientAct(tx, userId, account.traderId, 'transfer')
}

/** Takes a person’s word that the deal of a finding is a transfer; refuses one that does not fit. */
function takeTransfer(
  tx: Tx,
  { connectionId, subject }: FindingRow,
  account: AccountRow | undefined,
  transferId: string,
): void {
  const transfer = tx.unowned.find(transfers, { id: transferId })
  if (transfer === undefined) throw invalid('transferId', 'unknown', say('terminals.field.transfer_unknown'))
  const deal = tx.find(terminalDeals, { connectionId, number: subject })
  const isIn = transfer.kind === 'wallet_to_account'
  const amount = isIn ? transfer.toAmount : -transfer.fromAmount
  const fits = deal?.state === 'live' && transfer.accountId === account?.id && findEffect(deal).balance === amount
  if (!fits) throw sendingErrors.deal_differs()
  if (deal.at < transfer.createdAt - BEHIND) throw sendingErrors.deal_differs()
  // the terminal named another deal, which is there still or was not read yet
  const named = tx.find(terminalInstructions, { transferId })?.number ?? subject
  const other = named === subject ? undefined : tx.find(terminalDeals, { connectionId, number: named })
  const isBooked = named !== subject && (other === undefined || other.state === 'live')
  if (isBooked || transfer.state !== 'booked' || tx.find(terminalDeals, { transferId })) throw sendingErrors.deal_used()
  tx.update(terminalDeals, deal.id, { transferId })
}

/**
 * Closes findings with a reason, each by itself; those that are not open any more stay as they are. With `transferId`
 * the deal of the finding is the booking of that transfer.
 */
export const closeFindings = (ctx: Ctx, { ids, reason, transferId }: Static<typeof CloseIn>) =>
  writeEach(ctx, 'terminals.close_findings', ids, (tx, id) => {
    refuseGivenPassword(tx, ctx)
    const before = tx.get(terminalFindings, id)
    if (before.state !== 'open') throw wrongState('terminal_finding', before.state)
    if (before.kind === 'transfer_unresolved') throw movementErrors.acknowledge_it()
    const account = findLinked(tx, before)
    if (account) takeExplanation(tx, ctx, before, account)
    if (transferId !== undefined) takeTransfer(tx, before, account, transferId)
    // the account is another person’s by the word of whoever says so
    if (account && before.kind === 'login_reused')
      noteClientAct(tx, findStaffId(ctx.principal), account.traderId, 'linked_account')
    const closed = { state: 'closed', reason, closedBy: findStaffId(ctx.principal), closedAt: tx.now } as const
    const { version } = tx.update(terminalFindings, id, { ...closed, transferId: transferId ?? null })
    follow(tx, before)
    tx.audit({
      entity: 'terminal_finding',
      entityId: id,
      after: { kind: before.kind, reason, ...(transferId && { transferId }) },
    })
    return { version }
  })
