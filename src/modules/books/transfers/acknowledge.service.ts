import type { Static } from '@sinclair/typebox'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { findStaffId } from '../../../platform/access/principal.ts'
import { withoutCardNumbers } from '../../../platform/card-numbers.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { formatAmount } from '../../../platform/money.ts'
import { defineErrors, invalid, Problem, wrongState } from '../../../platform/problem.ts'
import { say, sayForAll } from '../../../words/say.ts'
import { noteAgain, noteClientAct, requireDecider } from '../../firm/independence/independence.service.ts'
import { mailOwners } from '../../firm/users/users.notices.ts'
import { accounts } from '../accounts/accounts.table.ts'
import { isBridge } from '../accounts/platform-feed.ts'
import { requireFreshFromThreshold } from '../approval-policy/approval-policy.ts'
import { type Leg, post } from '../wallets/ledger.service.ts'
import { wallets } from '../wallets/wallets.table.ts'
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
  id: string,
  input: Static<typeof AcknowledgeIn>,
): Promise<Static<typeof TransferOut>> {
  try {
    return await acknowledge(ctx, id, input)
  } catch (error) {
    if (error instanceof Problem && error.code === 'wrong_state') await noteContradiction(ctx, id, input.state)
    throw error
  }
}

/**
 * Mails the owners if the bridge contradicts what a person acknowledged, which is too late to be applied. Money that a
 * person called refused may now be both on the account and in the wallet.
 */
const noteContradiction = (ctx: Ctx, id: string, state: 'booked' | 'refused'): Promise<void> =>
  ctx.write(
    'transfer.contradicted',
    (tx) => {
      const row = tx.get(transfers, id)
      const isNews =
        isBridge(tx, ctx) && !row.byBridge && row.kind !== 'wallet_to_wallet' && row.contradictedAt === null
      if (!isNews) return
      tx.update(transfers, id, { contradictedAt: tx.now })
      mailOwners(tx, ctx, () => ({
        subject: say('transfers.mail.contradicted.subject', { state, before: row.state }),
        text: say('transfers.mail.contradicted.text', {
          reference: row.reference,
          amount: formatAmount(row.fromAmount, row.fromCurrency),
          fromCurrency: row.fromCurrency,
          before: row.state,
          state,
          publicUrl: ctx.config.publicUrl,
        }),
      }))
    },
    { answer: false },
  )

function acknowledge(ctx: Ctx, id: string, input: Static<typeof AcknowledgeIn>): Promise<Static<typeof TransferOut>> {
  const { state, reference = null, reason = null } = input
  if (state === 'refused' && reason === null)
    throw invalid('reason', 'required', say('transfers.field.reason_required'))
  return ctx.write('transfer.acknowledge', (tx) => {
    const before = tx.get(transfers, id)
    if (before.kind === 'wallet_to_wallet') throw new Problem(409, 'wrong_state', say('transfers.error.no_platform'))
    if (before.state === state) return toTransfer(before)
    if (before.state !== 'sent') throw wrongState('transfer', before.state)
    const byBridge = isBridge(tx, ctx)
    requireFreshFromThreshold(tx.unowned, ctx, { amount: before.fromAmount, currency: before.fromCurrency })
    if (!byBridge) refusePerson(tx, ctx, before, state)
    const row = tx.update(transfers, id, {
      state,
      acknowledgedBy: findStaffId(ctx.principal),
      acknowledgedAt: tx.now,
      byBridge,
      platformReference: reference,
      refusalReason: reason === null ? null : withoutCardNumbers(reason),
    })
    if (state === 'refused') {
      for (const traderId of listInvolvedClients(row))
        noteClientAct(tx, findStaffId(ctx.principal), traderId, 'refused_transfer')
      postBack(tx, row)
    } else {
      // the client owns the money from now on, so those who brought or priced it count from now on
      noteAgain(tx, row.toTraderId ?? row.traderId, ['transfer', 'rate'], row.createdAt)
      if (row.kind === 'account_to_wallet') {
        // without the bridge, it is this person who brings the client the money
        if (!byBridge)
          for (const traderId of listInvolvedClients(row))
            noteClientAct(tx, findStaffId(ctx.principal), traderId, 'transfer')
        free(tx, row)
      }
    }
    return toTransfer(row)
  })
}

/** Returns the clients who own a transfer's money before and after it. */
const listInvolvedClients = ({ traderId, toTraderId }: TransferRow): string[] =>
  toTraderId === null ? [traderId] : [traderId, toTraderId]

/** Refuses a person, and their key, who may not acknowledge for the platform; everyone with a key could otherwise. */
function refusePerson(tx: Tx, ctx: Ctx, row: TransferRow, state: 'booked' | 'refused'): void {
  const { userId, people } = requireDecider(tx, ctx, row.traderId)
  if (row.toTraderId !== null) requireDecider(tx, ctx, row.toTraderId)
  if (row.createdBy !== null && people.samePerson(row.createdBy, userId)) throw ownErrors.own_request()
  if (state === 'booked') return
  const account = tx.find(accounts, { id: row.accountId ?? '' }, { withDeleted: true })
  if (account?.balanceAt && account.balanceAt > row.createdAt) throw acknowledgeErrors.balance_reported()
}

/** Returns the legs that reverse a transfer's conversion at its stored rate. */
const conversionBack = ({ fromCurrency, fromAmount, toCurrency, toAmount }: TransferRow): Leg[] =>
  fromCurrency === toCurrency
    ? []
    : [
        { account: 'fx_clearing', currency: fromCurrency, amount: -fromAmount },
        { account: 'fx_clearing', currency: toCurrency, amount: toAmount },
      ]

function postBack(tx: Tx, row: TransferRow): void {
  const { fromCurrency, fromAmount, toCurrency, toAmount } = row
  const from: Leg =
    row.fromWalletId === null
      ? { account: 'platform_clearing', currency: fromCurrency, amount: fromAmount }
      : {
          account: 'client_available',
          wallet: tx.get(wallets, row.fromWalletId),
          currency: fromCurrency,
          amount: fromAmount,
        }
  const to: Leg =
    row.toWalletId === null
      ? { account: 'platform_clearing', currency: toCurrency, amount: -toAmount }
      : { account: 'client_held', wallet: tx.get(wallets, row.toWalletId), currency: toCurrency, amount: -toAmount }
  post(tx, {
    kind: 'transfer_refused',
    reference: row.id,
    description: sayForAll('transfers.ledger.refused'),
    legs: [from, ...conversionBack(row), to],
  })
}

/** Frees money that came from an account, once the platform has booked the transfer. */
function free(tx: Tx, { id, toWalletId, toCurrency: currency, toAmount: amount }: TransferRow): void {
  const wallet = tx.get(wallets, toWalletId ?? '')
  post(tx, {
    kind: 'transfer_booked',
    reference: id,
    description: sayForAll('transfers.ledger.booked'),
    legs: [
      { account: 'client_held', wallet, currency, amount: -amount },
      { account: 'client_available', wallet, currency, amount },
    ],
  })
}
