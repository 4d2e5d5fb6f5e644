import type { Static } from '@sinclair/typebox'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { findStaffId } from '../../../platform/access/principal.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { defineErrors, invalid, Problem, wrongState } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'
import { requireDecider } from '../../firm/independence/independence.service.ts'
import { accounts } from '../accounts/accounts.table.ts'
import { isBridge } from '../accounts/platform-feed.ts'
import { requireFreshFromThreshold } from '../approval-policy/approval-policy.ts'
import { contradict, settleTransfer } from './settle.ts'
import type { TransferHooks } from './transfers.hooks.ts'
import { type AcknowledgeIn, type TransferOut, toTransfer } from './transfers.model.ts'
import { type TransferRow, transfers } from './transfers.table.ts'

/** These codes stand in RULES “Transfers” without the module's name. */
const acknowledgeErrors = defineErrors('', () => ({
  balance_reported: [409, say('transfers.error.balance_reported'), say('transfers.todo.balance_reported')],
}))
const ownErrors = defineErrors('transfers', () => ({
  own_request: [403, say('transfers.error.own_request')],
}))

/**
 * Books or refuses a transfer for the platform, once: a refused one is posted back, and a booked one frees its held
 * amount. The caller is a key made by an owner, or a manager or higher (or their key) who neither requested the
 * transfer nor could be the client. Repeating the same state is no error. RULES “Transfers”.
 */
export async function acknowledgeTransfer(
  ctx: Ctx,
  hooks: TransferHooks,
  id: string,
  input: Static<typeof AcknowledgeIn>,
): Promise<Static<typeof TransferOut>> {
  try {
    return await acknowledge(ctx, hooks, id, input)
  } catch (error) {
    if (error instanceof Problem && error.code === 'wrong_state') await noteContradiction(ctx, id, input.state)
    throw error
  }
}

/** Tells the owners if the bridge contradicts what a person acknowledged. */
const noteContradiction = (ctx: Ctx, id: string, state: 'booked' | 'refused'): Promise<void> =>
  ctx.write(
    'transfer.contradicted',
    (tx) => {
      const row = tx.get(transfers, id)
      if (isBridge(tx, ctx) && !row.byBridge && row.kind !== 'wallet_to_wallet') contradict(tx, ctx, row, state)
    },
    { answer: false },
  )

async function acknowledge(
  ctx: Ctx,
  hooks: TransferHooks,
  id: string,
  input: Static<typeof AcknowledgeIn>,
): Promise<Static<typeof TransferOut>> {
  const { state, reference = null, reason = null } = input
  if (state === 'refused' && reason === null)
    throw invalid('reason', 'required', say('transfers.field.reason_required'))
  const judge = await hooks.weigh(ctx, id, input)
  return ctx.write('transfer.acknowledge', (tx) => {
    const before = tx.get(transfers, id)
    if (before.kind === 'wallet_to_wallet') throw new Problem(409, 'wrong_state', say('transfers.error.no_platform'))
    if (before.state === state) return toTransfer(before)
    if (before.state !== 'sent') throw wrongState('transfer', before.state)
    const isMoved = judge(tx, before)
    const byBridge = !isMoved && isBridge(tx, ctx)
    requireFreshFromThreshold(tx.unowned, ctx, { amount: before.fromAmount, currency: before.fromCurrency })
    if (!byBridge) refusePerson(tx, ctx, before)
    if (!byBridge && !isMoved && state === 'refused') refuseReported(tx, before)
    const by = findStaffId(ctx.principal)
    // without the bridge, it is this person who brings the client the money
    const hands = byBridge || by === null ? [] : [by]
    const row = settleTransfer(tx, before, { state, by, byBridge, reference, reason, hands })
    if (isMoved) hooks.follow(tx, row)
    return toTransfer(row)
  })
}

/** Refuses a person, and their key, who may not acknowledge for the platform; everyone with a key could otherwise. */
function refusePerson(tx: Tx, ctx: Ctx, row: TransferRow): void {
  const { userId, people } = requireDecider(tx, ctx, row.traderId)
  if (row.toTraderId !== null) requireDecider(tx, ctx, row.toTraderId)
  if (row.createdBy !== null && people.samePerson(row.createdBy, userId)) throw ownErrors.own_request()
}

/** Refuses to call a transfer refused after the platform reported a balance, which may have the money. */
function refuseReported(tx: Tx, row: TransferRow): void {
  const account = tx.find(accounts, { id: row.accountId ?? '' }, { withDeleted: true })
  if (account?.balanceAt && account.balanceAt > row.createdAt) throw acknowledgeErrors.balance_reported()
}
