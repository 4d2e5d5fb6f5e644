import type { Ctx } from '../../../platform/access/ctx.ts'
import { withoutCardNumbers } from '../../../platform/card-numbers.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { formatAmount } from '../../../platform/money.ts'
import { say, sayForAll } from '../../../words/say.ts'
import { noteAgain, noteClientAct } from '../../firm/independence/independence.service.ts'
import { mailOwners } from '../../firm/users/users.notices.ts'
import { type Leg, post } from '../wallets/ledger.service.ts'
import { wallets } from '../wallets/wallets.table.ts'
import { type TransferRow, transfers } from './transfers.table.ts'

/** What became of a transfer, and as whose word. */
type Word = {
  state: 'booked' | 'refused'
  /** The colleague who says it, by a key too; null if the platform itself does. */
  by: string | null
  byBridge: boolean
  /** The platform’s. */
  reference: string | null
  /** Why it was refused. */
  reason: string | null
  /** Who brings the client money that comes home, so that their votes count less. */
  hands: readonly string[]
}

/** Books or refuses a transfer that is `sent`: a refused one is posted back, a booked one frees its held amount. */
export function settleTransfer(tx: Tx, before: TransferRow, word: Word): TransferRow {
  const { state, by, byBridge, reference, reason, hands } = word
  const row = tx.update(transfers, before.id, {
    state,
    acknowledgedBy: by,
    acknowledgedAt: tx.now,
    byBridge,
    platformReference: reference,
    refusalReason: reason === null ? null : withoutCardNumbers(reason),
  })
  if (state === 'refused') {
    for (const traderId of listInvolvedClients(row)) noteClientAct(tx, by, traderId, 'refused_transfer')
    postBack(tx, row)
    return row
  }
  // the client owns the money from now on, so those who brought or priced it count from now on
  noteAgain(tx, row.toTraderId ?? row.traderId, ['transfer', 'rate'], row.createdAt)
  if (row.kind !== 'account_to_wallet') return row
  for (const hand of hands)
    for (const traderId of listInvolvedClients(row)) noteClientAct(tx, hand, traderId, 'transfer')
  free(tx, row)
  return row
}

/**
 * Tells the owners that the platform contradicts what was said of a transfer, which is too late to be applied. Money
 * that was called refused may now be both on the account and in the wallet.
 */
export function contradict(tx: Tx, ctx: Ctx, row: TransferRow, state: 'booked' | 'refused'): void {
  if (row.contradictedAt !== null) return
  tx.update(transfers, row.id, { contradictedAt: tx.now })
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
}

/** Returns the clients who own a transfer's money before and after it. */
const listInvolvedClients = ({ traderId, toTraderId }: TransferRow): string[] =>
  toTraderId === null ? [traderId] : [traderId, toTraderId]

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
