import type { Static } from '@sinclair/typebox'
import { atLeast } from '../../platform/access/catalogue.ts'
import type { Ctx } from '../../platform/access/ctx.ts'
import { roleOf, staffIdOf } from '../../platform/access/principal.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { positiveAmountOf } from '../../platform/http/fields.ts'
import { defineErrors, invalid } from '../../platform/http/problem.ts'
import { type AccountRow, accounts } from '../accounts/accounts.table.ts'
import { applyQuote, frozenQuote, quoteForClient, requireQuote } from '../fx/fx.lookup.ts'
import { refuseMoveTo, refusePending } from '../sanctions/sanctions.queries.ts'
import { traders } from '../traders/traders.table.ts'
import { type Leg, post } from '../wallets/ledger.service.ts'
import { type WalletRow, wallets } from '../wallets/wallets.table.ts'
import { refuseBlocked, sanctionsHits } from '../withdrawals/withdrawals.checks.ts'
import { movedSince } from './account-funding.ts'
import { type TransferIn, type TransferOut, toTransfer } from './transfers.model.ts'
import { transfers } from './transfers.table.ts'

const transferErrors = defineErrors('transfers', {
  trader_not_active: [409, 'The trader is not active.'],
  legal_hold: [409, 'The trader is under legal hold: nothing leaves the wallet.'],
  account_not_active: [409, 'The trading account is not active.'],
  other_trader: [403, 'A transfer to another trader needs the role manager or higher.'],
  from_account: [403, 'Money from a trading account is booked by staff of the role manager or higher.'],
  above_funding: [403, 'That is more than was moved to this account; gains are booked by an admin.'],
  above_balance: [409, 'That is more than the platform reported for this account, or than was moved to it.'],
  own_balance: [403, 'You entered this balance yourself: somebody else books what was earned.'],
  sanctions_hit: [409, 'A sanctions match is open or confirmed: nothing leaves the wallet.'],
})

/** One end of a transfer. */
type End = { wallet: WalletRow; account: null } | { wallet: null; account: AccountRow }
const ownerOf = (end: End): string => (end.wallet ?? end.account).traderId
const currencyOf = (end: End): string => (end.wallet ?? end.account).currency

function findEnd(tx: Tx, side: 'from' | 'to', walletId: string | undefined, accountId: string | undefined): End {
  if ((walletId === undefined) === (accountId === undefined))
    throw invalid(`${side}WalletId`, 'one_of', `give ${side}WalletId or ${side}AccountId, one of them`)
  if (walletId !== undefined) {
    const wallet = tx.find(wallets, { id: walletId })
    if (!wallet) throw invalid(`${side}WalletId`, 'unknown', 'is not a wallet that you may use')
    return { wallet, account: null }
  }
  const account = tx.find(accounts, { id: accountId ?? '' })
  if (!account || account.isDemo)
    throw invalid(`${side}AccountId`, 'unknown', 'is not a live trading account that you may use')
  if (account.status !== 'active') throw transferErrors.account_not_active()
  return { wallet: null, account }
}

const leg = (end: End, currency: string, amount: bigint): Leg =>
  end.wallet
    ? { account: 'client_available', wallet: end.wallet, currency, amount }
    : { account: 'platform_clearing', currency, amount }

/**
 * Money from a trading account becomes the client's on one person's word, and what is there is the platform's to say. So never more than the balance
 * it reported, with what was moved since; where none was reported, what was moved there. More than was moved there was earned, and takes an admin who
 * did not enter that balance. Decided by us; rules.md is silent.
 */
function refuseUnfunded(tx: Tx, ctx: Ctx, account: AccountRow, amount: bigint): void {
  const { balance, balanceAt, balanceBy } = account
  const net = movedSince(tx, account, 0)
  if (amount > (balanceAt === null ? net : balance + movedSince(tx, account, balanceAt)))
    throw transferErrors.above_balance()
  if (amount <= net) return
  const role = roleOf(ctx.principal)
  if (role === null || !atLeast(role, 'admin')) throw transferErrors.above_funding()
  if (balanceBy !== null && balanceBy === staffIdOf(ctx.principal)) throw transferErrors.own_balance()
}

/**
 * Moves money between wallets, or between a wallet and a trading account (recorded as an instruction for the platform, with our reference; the account's
 * reported balance is the platform's to change). Another currency converts at the current rate, frozen on the row. rules.md “Transfers”.
 */
export function createTransfer(ctx: Ctx, input: Static<typeof TransferIn>): Promise<Static<typeof TransferOut>> {
  const role = roleOf(ctx.principal)
  const manages = role !== null && atLeast(role, 'manager')
  return ctx.write('transfer.create', (tx) => {
    const from = findEnd(tx, 'from', input.fromWalletId, input.fromAccountId)
    const to = findEnd(tx, 'to', input.toWalletId, input.toAccountId)
    if (from.account && to.account) throw invalid('toWalletId', 'one_of', 'one end must be a wallet')
    if (from.wallet && from.wallet.id === to.wallet?.id) throw invalid('toWalletId', 'same', 'must be another wallet')
    if (ownerOf(from) !== ownerOf(to) && !manages) throw transferErrors.other_trader()
    if (from.account && !manages) throw transferErrors.from_account()
    const fromCurrency = currencyOf(from)
    const toCurrency = currencyOf(to)
    const fromAmount = positiveAmountOf('amount', input.amount, fromCurrency)
    if (from.account) refuseUnfunded(tx, ctx, from.account, fromAmount)
    const trader = tx.get(traders, ownerOf(from))
    if (trader.status !== 'active') throw transferErrors.trader_not_active()
    // money that goes to somebody else is money out of this trader's hands
    if (ownerOf(from) !== ownerOf(to)) {
      refuseBlocked(tx.unowned, trader)
      if (tx.find(traders, { id: ownerOf(to) })?.status !== 'active') throw transferErrors.trader_not_active()
      refuseMoveTo(tx.unowned, ownerOf(to))
    }
    // from an account it could be taken out on the platform
    if (to.account && trader.legalHold) throw transferErrors.legal_hold()
    if (to.account && sanctionsHits(tx.unowned, trader.id) > 0) throw transferErrors.sanctions_hit()
    if (to.account) refusePending(tx.unowned, trader.id)
    const byTrader = ctx.principal.kind === 'trader'
    const quote = (byTrader ? quoteForClient : requireQuote)(tx.unowned, fromCurrency, toCurrency)
    // a client who converts a cent at a time must not earn by the rounding
    const rounding = byTrader ? 'down' : 'half-even'
    const toAmount = applyQuote(fromAmount, fromCurrency, toCurrency, quote, rounding)
    if (toAmount <= 0n) throw invalid('amount', 'too_small', `is less than the smallest unit of ${toCurrency}`)
    const id = ctx.platform.ids.next('trf')
    const row = tx.insert(transfers, {
      id,
      traderId: trader.id,
      kind: from.account ? 'account_to_wallet' : to.account ? 'wallet_to_account' : 'wallet_to_wallet',
      fromWalletId: from.wallet?.id ?? null,
      toWalletId: to.wallet?.id ?? null,
      accountId: from.account?.id ?? to.account?.id ?? null,
      fromCurrency,
      fromAmount,
      toCurrency,
      toAmount,
      ...(quote.via === 'same' ? {} : frozenQuote(quote)),
      reference: `BB-${id.slice(-12).toUpperCase()}`,
      note: input.note ?? null,
      byTrader,
    })
    const converted: Leg[] =
      fromCurrency === toCurrency
        ? []
        : [
            { account: 'fx_clearing', currency: fromCurrency, amount: fromAmount },
            { account: 'fx_clearing', currency: toCurrency, amount: -toAmount },
          ]
    post(tx, {
      kind: 'transfer',
      reference: id,
      description: 'Transfer',
      legs: [leg(from, fromCurrency, -fromAmount), ...converted, leg(to, toCurrency, toAmount)],
    })
    return toTransfer(row)
  })
}
