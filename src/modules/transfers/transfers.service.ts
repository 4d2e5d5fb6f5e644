import type { Static } from '@sinclair/typebox'
import { atLeast } from '../../platform/access/catalogue.ts'
import type { Ctx } from '../../platform/access/ctx.ts'
import { roleOf, seenBy } from '../../platform/access/principal.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { positiveAmountOf } from '../../platform/http/fields.ts'
import { invalid } from '../../platform/http/problem.ts'
import { say } from '../../words/say.ts'
import { type AccountRow, accounts } from '../accounts/accounts.table.ts'
import { handsOn } from '../fx/fx.hands.ts'
import { frozenQuote, ratesOf } from '../fx/fx.lookup.ts'
import { applyQuote, quoteForClient, quoteForStaff } from '../fx/fx.quotes.ts'
import { noteClientAct, personBehind, requireDecider } from '../independence/independence.service.ts'
import { refuseMoveTo, refusePending } from '../sanctions/sanctions.queries.ts'
import { readFirmSettings } from '../tenants/firm-settings.ts'
import { traders } from '../traders/traders.table.ts'
import { users } from '../users/users.table.ts'
import { type Leg, post } from '../wallets/ledger.service.ts'
import { type WalletRow, wallets } from '../wallets/wallets.table.ts'
import { discreetly, refuseBlocked, sanctionsHits } from '../withdrawals/withdrawals.checks.ts'
import { refuseAboveLimit } from './conversion-limit.ts'
import { refuseUnfunded } from './home-limits.ts'
import { refuseLargeConversion, refuseLargeGift, refuseLargeToOwnLink } from './sum-limits.ts'
import { transferErrors } from './transfers.errors.ts'
import { type TransferIn, type TransferOut, toOwnTransfer, toTransfer } from './transfers.model.ts'
import { transfers } from './transfers.table.ts'

/** One end of a transfer. */
type End = { wallet: WalletRow; account: null } | { wallet: null; account: AccountRow }
const ownerOf = (end: End): string => (end.wallet ?? end.account).traderId
const currencyOf = (end: End): string => (end.wallet ?? end.account).currency

function findEnd(tx: Tx, side: 'from' | 'to', walletId: string | undefined, accountId: string | undefined): End {
  if ((walletId === undefined) === (accountId === undefined))
    throw invalid(`${side}WalletId`, 'one_of', say('transfers.field.give_walletid_or_accountid', { side }))
  if (walletId !== undefined) {
    const wallet = tx.find(wallets, { id: walletId })
    if (!wallet) throw invalid(`${side}WalletId`, 'unknown', say('transfers.field.not_wallet_that_you'))
    return { wallet, account: null }
  }
  const account = tx.find(accounts, { id: accountId ?? '' })
  if (!account || account.isDemo)
    throw invalid(`${side}AccountId`, 'unknown', say('transfers.field.not_live_trading_account'))
  if (account.status !== 'active') throw transferErrors.account_not_active()
  return { wallet: null, account }
}

const leg = (end: End, currency: string, amount: bigint, held = false): Leg =>
  end.wallet
    ? { account: held ? 'client_held' : 'client_available', wallet: end.wallet, currency, amount }
    : { account: 'platform_clearing', currency, amount }

/** Notes whose hand brought money to a client by a transfer, for the votes on what leaves it later. */
function noteHands(
  tx: Tx,
  userId: string | null,
  traderId: string,
  facts: { brings: boolean; pricedBy: readonly string[] },
): void {
  if (facts.brings) noteClientAct(tx, userId, traderId, 'transfer')
  for (const hand of facts.pricedBy) {
    // A rate of the global pool may have an author in another firm.
    if (tx.unowned.find(users, { id: hand }, { withDeleted: true })) noteClientAct(tx, hand, traderId, 'rate')
  }
}

/**
 * Moves money between wallets, or between a wallet and a trading account (recorded as an instruction
 * for the platform, with our reference; the account's reported balance is the platform's to change).
 * Another currency converts at the current rate, frozen on the row. RULES “Transfers”.
 */
export function createTransfer(ctx: Ctx, input: Static<typeof TransferIn>): Promise<Static<typeof TransferOut>> {
  const role = roleOf(ctx.principal)
  const manages = role !== null && atLeast(role, 'manager')
  return ctx.write('transfer.create', (tx) => {
    const from = findEnd(tx, 'from', input.fromWalletId, input.fromAccountId)
    const to = findEnd(tx, 'to', input.toWalletId, input.toAccountId)
    if (from.account && to.account) throw invalid('toWalletId', 'one_of', say('transfers.field.one_end_must_wallet'))
    if (from.wallet && from.wallet.id === to.wallet?.id)
      throw invalid('toWalletId', 'same', say('transfers.field.must_another_wallet'))
    if (ownerOf(from) !== ownerOf(to) && !manages) throw transferErrors.other_trader()
    if (from.account && !manages) throw transferErrors.from_account()
    const fromCurrency = currencyOf(from)
    const toCurrency = currencyOf(to)
    const fromAmount = positiveAmountOf('amount', input.amount, fromCurrency)
    const traderId = ownerOf(from)
    const isGift = traderId !== ownerOf(to)
    const person = personBehind(ctx)
    if (from.account || isGift) {
      // What goes to somebody else, or comes from where the platform
      // alone knows, is a decision about the client's money.
      const { userId, people } = requireDecider(tx, ctx, traderId)
      if (isGift) requireDecider(tx, ctx, ownerOf(to))
      if (isGift) refuseLargeGift(tx, people, userId, fromAmount, fromCurrency)
      if (from.account) refuseUnfunded(tx, ctx, people, userId, from.account, fromAmount)
    }
    const trader = tx.get(traders, traderId)
    if (trader.status !== 'active') throw transferErrors.trader_not_active()
    // money that goes to somebody else is money out of this trader's hands
    if (isGift) {
      refuseBlocked(tx.unowned, trader)
      if (tx.find(traders, { id: ownerOf(to) })?.status !== 'active') throw transferErrors.trader_not_active()
      refuseMoveTo(tx.unowned, ownerOf(to))
    }
    // from an account it could be taken out on the platform
    if (to.account)
      discreetly(ctx.principal, () => {
        if (trader.legalHold) throw transferErrors.legal_hold()
        if (sanctionsHits(tx.unowned, trader.id) > 0) throw transferErrors.sanctions_hit()
        refusePending(tx.unowned, trader.id)
      })
    if (to.account) refuseLargeToOwnLink(tx, person, traderId, { amount: fromAmount, currency: fromCurrency })
    const byTrader = ctx.principal.kind === 'trader'
    const rates = ratesOf(tx.unowned)
    const settings = readFirmSettings(tx.unowned)
    const quote = byTrader
      ? quoteForClient(rates, fromCurrency, toCurrency, settings.conversion, tx.now)
      : quoteForStaff(rates, fromCurrency, toCurrency)
    // whoever converts a cent at a time must not earn by the rounding
    const toAmount = applyQuote(fromAmount, fromCurrency, toCurrency, quote, 'down')
    if (toAmount <= 0n)
      throw invalid('amount', 'too_small', say('transfers.field.less_than_smallest_unit', { toCurrency }))
    const pair = { base: fromCurrency, quote: toCurrency }
    const hands = handsOn(tx.unowned, { ...pair, rates: quote.bounds, now: tx.now })
    if (quote.via !== 'same') {
      const given = { amount: fromAmount, currency: fromCurrency }
      if (byTrader) refuseAboveLimit(tx, rates, traderId, given)
      const facts = { hands, rates, from: given, to: toCurrency, byStaff: !byTrader }
      if (person !== null) refuseLargeConversion(tx, person, facts)
    }
    const waits = (from.account !== null || to.account !== null) && settings.platformAcknowledges
    const id = ctx.ids.next('trf')
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
      createdBy: person,
      toTraderId: isGift ? ownerOf(to) : null,
      state: waits ? 'sent' : 'booked',
    })
    noteHands(tx, person, ownerOf(to), { brings: isGift || from.account !== null, pricedBy: hands })
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
      description: say('transfers.ledger.sent'),
      // Money that the platform has not booked yet is held: what it refuses must still be there.
      legs: [leg(from, fromCurrency, -fromAmount), ...converted, leg(to, toCurrency, toAmount, waits && !to.account)],
    })
    return seenBy(ctx.principal, toTransfer, toOwnTransfer)(row)
  })
}
