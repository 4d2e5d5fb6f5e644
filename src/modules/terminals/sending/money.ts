import type { Ctx } from '../../../platform/access/ctx.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { formatAmount, getScale, roundAmount } from '../../../platform/money.ts'
import { accounts } from '../../books/accounts/accounts.table.ts'
import { contradict, settleTransfer } from '../../books/transfers/settle.ts'
import { transfers } from '../../books/transfers/transfers.table.ts'
import { sanctionsHits } from '../../books/withdrawals/withdrawals.checks.ts'
import { traders } from '../../clients/traders/traders.table.ts'
import type { ConnectionRow } from '../connections/connections.table.ts'
import type { Deal } from '../contract/terminal.ts'
import { healFinding, noteFinding } from '../findings/findings.service.ts'
import { explainAnswer } from '../instructions/answer-words.ts'
import type { InstructionRow } from '../instructions/instructions.table.ts'
import type { Session } from '../sessions/session.ts'
import type { Found, Plan } from './plan.ts'

/** Returns the finding of a transfer of which nobody knows whether it was booked. */
export const aboutUnresolved = ({ connectionId, transferId }: InstructionRow) =>
  ({ connectionId, kind: 'transfer_unresolved', subject: transferId ?? '' }) as const

/** Returns whether a deal is what an instruction of money asked for. */
export const isAskedDeal = (
  { login, amount, currency }: Pick<InstructionRow, 'login' | 'amount' | 'currency'>,
  deal: Pick<Deal, 'kind' | 'login' | 'profit' | 'cancelled'>,
): boolean =>
  deal.kind === 'balance' && !deal.cancelled && deal.login === login && roundAmount(deal.profit, currency) === amount

/** Returns the smaller of two amounts. */
export const smaller = (a: bigint, b: bigint): bigint => [a, b].toSorted((x, y) => (x < y ? -1 : 1))[0] ?? a

/** Looks for the deal with our reference. */
async function look({ terminal }: Session, row: InstructionRow): Promise<Found> {
  const { login, reference, createdAt } = row
  if (login === null) return { is: 'none' }
  const deals = await terminal.find({ login, reference, since: createdAt })
  const [first] = deals.filter((deal) => isAskedDeal(row, deal)).toSorted((a, b) => Number(a.id) - Number(b.id))
  if (first !== undefined) return { is: 'done', number: first.id }
  return { is: deals.some(({ cancelled }) => !cancelled) ? 'differs' : 'none' }
}

/** Returns why money must not be moved as the account stands at the terminal now; null if it may be. */
async function check({ terminal, groups }: Session, row: InstructionRow): Promise<string | null> {
  const { login, amount, currency } = row
  if (login === null || amount === null) return 'no_login'
  for await (const [state] of terminal.states([login])) {
    if (state === undefined) break
    const group = groups.get(state.group)
    if (group?.currency !== currency) return 'currency_differs'
    const spare = 10n ** BigInt(Math.max(0, getScale(currency) - group.digits))
    if (amount % spare !== 0n) return 'too_many_places'
    if (amount > 0n) return null
    const balance = roundAmount(state.balance, currency)
    // the terminal has no trade state of an idle account
    const free =
      state.marginFree === null
        ? balance
        : roundAmount(state.marginFree, currency) - roundAmount(state.credit, currency)
    return -amount > smaller(free, balance) ? 'not_enough_free' : null
  }
  return 'no_login'
}

/**
 * Returns whether money that was asked for before waits, since the terminal could pay it out: the client is held,
 * blocked or matched by now. Whoever did not ask may call it refused.
 */
function mustWait(tx: Tx, { amount, traderId, accountId }: InstructionRow): boolean {
  if (amount === null || amount < 0n) return false
  if (tx.unowned.find(accounts, { id: accountId ?? '' })?.status !== 'active') return true
  const { legalHold, status } = tx.unowned.get(traders, traderId)
  return legalHold || status !== 'active' || sanctionsHits(tx.unowned, traderId) > 0
}

/** Books the transfer of an instruction that was done. */
function book(tx: Tx, ctx: Ctx, connection: ConnectionRow, row: InstructionRow): void {
  const before = tx.get(transfers, row.transferId ?? '')
  healFinding(tx, aboutUnresolved(row))
  if (before.state === 'refused') contradict(tx, ctx, before, 'booked')
  if (before.state !== 'sent') return
  const word = { state: 'booked', by: null, byBridge: true, reference: row.number, reason: null } as const
  settleTransfer(tx, before, { ...word, hands: connection.enteredBy })
}

/** Refuses the transfer of an instruction, and posts it back. */
function refuse(tx: Tx, row: InstructionRow): void {
  const before = tx.get(transfers, row.transferId ?? '')
  if (before.state !== 'sent') return
  const reason = explainAnswer(row.answer ?? '')
  const word = { state: 'refused', by: null, byBridge: true, reference: null, reason } as const
  settleTransfer(tx, before, { ...word, hands: [] })
}

/** Moves money: sent at most once, looked up before and after. RULES “Terminal money”. */
export const moneyPlan: Plan = {
  isOnce: true,
  look,
  check,
  mustWait,
  send: (_ctx, { terminal }, { login, amount, currency, reference }) =>
    terminal.move({ login: login ?? '', amount: formatAmount(amount ?? 0n, currency), reference }),
  onDone: book,
  onRefused: refuse,
  onUnresolved: (tx, row) => {
    const { login, currency, amount } = row
    noteFinding(tx, aboutUnresolved(row), { login: login ?? '', currency, ...(amount !== null && { amount }) })
  },
}
