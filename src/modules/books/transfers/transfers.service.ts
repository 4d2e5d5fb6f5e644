import type { Static } from '@sinclair/typebox'
import { atLeast } from '../../../platform/access/catalogue.ts'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { findRole, requireScope, seenBy } from '../../../platform/access/principal.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { invalid } from '../../../platform/problem.ts'
import { parsePositiveAmountField } from '../../../platform/wire/fields.ts'
import { say, sayForAll } from '../../../words/say.ts'
import { readFirmSettings } from '../../base/firm-settings/firm-settings.ts'
import { refuseMoveTo, refusePending } from '../../clients/sanctions/sanctions.queries.ts'
import { traders } from '../../clients/traders/traders.table.ts'
import { independenceErrors } from '../../firm/independence/independence.errors.ts'
import {
  liftedBlock,
  noteClientAct,
  personBehind,
  requireDecider,
} from '../../firm/independence/independence.service.ts'
import { users } from '../../firm/users/users.table.ts'
import { type AccountRow, accounts } from '../accounts/accounts.table.ts'
import { requireFreshFromThreshold } from '../approval-policy/approval-policy.ts'
import { createRates, frozenQuote } from '../fx/fx.lookup.ts'
import { listPriceAuthors } from '../fx/fx.price-authors.ts'
import { applyQuote, quoteForClient, quoteForStaff } from '../fx/fx.quotes.ts'
import { type Leg, post } from '../wallets/ledger.service.ts'
import { type WalletRow, wallets } from '../wallets/wallets.table.ts'
import { discreetly, refuseBlocked, sanctionsHits } from '../withdrawals/withdrawals.checks.ts'
import { refuseAboveLimit } from './conversion-limit.ts'
import { refuseUnfunded } from './home-limits.ts'
import { refuseLargeConversion, refuseLargeGift, refuseLargeToOwnLink } from './sum-limits.ts'
import { transferErrors } from './transfers.errors.ts'
import type { TransferHooks } from './transfers.hooks.ts'
import { type TransferIn, type TransferOut, toOwnTransfer, toTransfer } from './transfers.model.ts'
import { transfers } from './transfers.table.ts'

type End = { wallet: WalletRow; account: null } | { wallet: null; account: AccountRow }
const getOwner = (end: End): string => (end.wallet ?? end.account).traderId
const getCurrency = (end: End): string => (end.wallet ?? end.account).currency

function findEnd(tx: Tx, side: 'from' | 'to', walletId: string | undefined, accountId: string | undefined): End {
  if ((walletId === undefined) === (accountId === undefined))
    throw invalid(`${side}WalletId`, 'one_of', say('transfers.field.end_one_of', { side }))
  if (walletId !== undefined) {
    const wallet = tx.find(wallets, { id: walletId })
    if (!wallet) throw invalid(`${side}WalletId`, 'unknown', say('transfers.field.wallet_unknown'))
    return { wallet, account: null }
  }
  const account = tx.find(accounts, { id: accountId ?? '' })
  if (!account || account.isDemo) throw invalid(`${side}AccountId`, 'unknown', say('transfers.field.account_unknown'))
  if (account.status !== 'active') throw transferErrors.account_not_active()
  return { wallet: null, account }
}

const leg = (end: End, currency: string, amount: bigint, held = false): Leg =>
  end.wallet
    ? { account: held ? 'client_held' : 'client_available', wallet: end.wallet, currency, amount }
    : { account: 'platform_clearing', currency, amount }

/** Notes who brought money to a client by a transfer, since their votes on later withdrawals count less. */
function noteHands(
  tx: Tx,
  userId: string | null,
  traderId: string,
  facts: { brings: boolean; pricedBy: readonly string[] },
): void {
  if (facts.brings) noteClientAct(tx, userId, traderId, 'transfer')
  for (const hand of facts.pricedBy) {
    // an author of a rate of the pool may be in another firm
    if (tx.unowned.find(users, { id: hand }, { withDeleted: true })) noteClientAct(tx, hand, traderId, 'rate')
  }
}

/** A transfer before its conversion. */
type Move = { from: End; to: End; amount: bigint; traderId: string; isGift: boolean }

/** Reads both ends; refuses ends that no transfer can have, and ends that the caller may not use. */
function readMove(tx: Tx, ctx: Ctx, input: Static<typeof TransferIn>): Move {
  const role = findRole(ctx.principal)
  const manages = role !== null && atLeast(role, 'manager')
  const from = findEnd(tx, 'from', input.fromWalletId, input.fromAccountId)
  const to = findEnd(tx, 'to', input.toWalletId, input.toAccountId)
  if (from.account && to.account) throw invalid('toWalletId', 'one_of', say('transfers.field.no_wallet'))
  if (from.wallet && from.wallet.id === to.wallet?.id)
    throw invalid('toWalletId', 'same', say('transfers.field.wallet_same'))
  const traderId = getOwner(from)
  const isGift = traderId !== getOwner(to)
  if (isGift && !manages) throw transferErrors.other_trader()
  if (from.account && !manages) throw transferErrors.from_account()
  return { from, to, amount: parsePositiveAmountField('amount', input.amount, getCurrency(from)), traderId, isGift }
}

/**
 * Refuses a caller who may not decide: money to another client or from an account needs a person who may decide about
 * the client's money.
 */
function refuseDecision(
  tx: Tx,
  ctx: Ctx,
  move: Move,
  { mover, hooks }: { mover: string | null; hooks: TransferHooks },
): void {
  const { from, to, amount, traderId, isGift } = move
  if (!from.account && !isGift) return
  // a gift that reaches the threshold is refused anyway
  if (from.account) requireFreshFromThreshold(tx.unowned, ctx, { amount, currency: getCurrency(from) })
  const { userId, people } = requireDecider(tx, ctx, traderId)
  if (isGift) requireScope(ctx, 'gifts:write')
  if (isGift) requireDecider(tx, ctx, getOwner(to))
  if (isGift && liftedBlock(tx.unowned, people, userId, traderId, tx.now))
    throw independenceErrors.second_person_needed({ detail: say('transfers.error.lifted') })
  if (isGift) refuseLargeGift(tx, people, userId, amount, getCurrency(from))
  if (!from.account) return
  const at = { connectionId: mover ?? '', now: tx.now }
  const readFree = mover === null ? null : (account: AccountRow) => hooks.findFree(tx.unowned, account, at)
  const unexplained = hooks.readUnexplained(tx.unowned, from.account, tx.now)
  refuseUnfunded(tx, ctx, { people, userId, account: from.account, amount, readFree, unexplained })
}

/** Refuses a transfer that the state of the clients forbids. */
function refuseClients(tx: Tx, ctx: Ctx, { from, to, amount, traderId, isGift }: Move): void {
  const trader = tx.get(traders, traderId)
  if (trader.status !== 'active') throw transferErrors.trader_not_active()
  // money to another client leaves the first one, like a withdrawal
  if (isGift) {
    refuseBlocked(tx.unowned, trader)
    if (tx.find(traders, { id: getOwner(to) })?.status !== 'active') throw transferErrors.trader_not_active()
    refuseMoveTo(tx.unowned, getOwner(to))
  }
  if (!to.account) return
  // the platform could pay out money that is on an account
  discreetly(ctx.principal, () => {
    if (trader.legalHold) throw transferErrors.legal_hold()
    if (sanctionsHits(tx.unowned, trader.id) > 0) throw transferErrors.sanctions_hit()
    refusePending(tx.unowned, trader.id)
  })
  refuseLargeToOwnLink(tx, personBehind(ctx), traderId, { amount, currency: getCurrency(from) })
}

/** Converts the amount at the caller's rate; refuses a forbidden conversion, and a result of zero. */
function convert(tx: Tx, ctx: Ctx, { from, to, amount, traderId }: Move) {
  const [fromCurrency, toCurrency] = [getCurrency(from), getCurrency(to)]
  const byTrader = ctx.principal.kind === 'trader'
  const rates = createRates(tx.unowned)
  const quote = byTrader
    ? quoteForClient(rates, fromCurrency, toCurrency, readFirmSettings(tx.unowned).conversion, tx.now)
    : quoteForStaff(rates, fromCurrency, toCurrency)
  // it is rounded down, so that converting a cent at a time earns nothing
  const toAmount = applyQuote(amount, fromCurrency, toCurrency, quote, 'down')
  if (toAmount <= 0n) throw invalid('amount', 'too_small', say('transfers.field.amount_too_small', { toCurrency }))
  const hands = listPriceAuthors(tx.unowned, {
    base: fromCurrency,
    quote: toCurrency,
    rates: quote.bounds,
    now: tx.now,
  })
  if (quote.via !== 'same') {
    const given = { amount, currency: fromCurrency }
    if (byTrader) refuseAboveLimit(tx, rates, traderId, given)
    const person = personBehind(ctx)
    if (person !== null)
      refuseLargeConversion(tx, person, { hands, rates, from: given, to: toCurrency, byStaff: !byTrader })
  }
  return { quote, toAmount, hands }
}

function bookTransfer(tx: Tx, id: string, { from, to, amount }: Move, toAmount: bigint, isHeld: boolean): void {
  const [fromCurrency, toCurrency] = [getCurrency(from), getCurrency(to)]
  const converted: Leg[] =
    fromCurrency === toCurrency
      ? []
      : [
          { account: 'fx_clearing', currency: fromCurrency, amount },
          { account: 'fx_clearing', currency: toCurrency, amount: -toAmount },
        ]
  post(tx, {
    kind: 'transfer',
    reference: id,
    description: sayForAll('transfers.ledger.sent'),
    legs: [leg(from, fromCurrency, -amount), ...converted, leg(to, toCurrency, toAmount, isHeld)],
  })
}

/**
 * Moves money between wallets, or between a wallet and a trading account. A transfer with an account is an instruction
 * to the platform with our reference; only the platform changes the account's balance. Another currency is converted at
 * the current rate, which is stored on the row. RULES “Transfers”.
 */
export function createTransfer(
  ctx: Ctx,
  hooks: TransferHooks,
  input: Static<typeof TransferIn>,
): Promise<Static<typeof TransferOut>> {
  return ctx.write('transfer.create', (tx) => {
    const move = readMove(tx, ctx, input)
    const account = move.from.account ?? move.to.account
    const mover = account && hooks.findMover(tx.unowned, account)
    refuseDecision(tx, ctx, move, { mover, hooks })
    refuseClients(tx, ctx, move)
    const { quote, toAmount, hands } = convert(tx, ctx, move)
    const { from, to, amount, traderId, isGift } = move
    const person = personBehind(ctx)
    const waits = mover !== null || (account !== null && readFirmSettings(tx.unowned).platformAcknowledges)
    const id = ctx.ids.next('trf')
    const row = tx.insert(transfers, {
      id,
      traderId,
      kind: from.account ? 'account_to_wallet' : to.account ? 'wallet_to_account' : 'wallet_to_wallet',
      fromWalletId: from.wallet?.id ?? null,
      toWalletId: to.wallet?.id ?? null,
      accountId: account?.id ?? null,
      fromCurrency: getCurrency(from),
      fromAmount: amount,
      toCurrency: getCurrency(to),
      toAmount,
      ...(quote.via === 'same' ? {} : frozenQuote(quote)),
      reference: `BB-${id.slice(-12).toUpperCase()}`,
      note: input.note ?? null,
      byTrader: ctx.principal.kind === 'trader',
      createdBy: person,
      toTraderId: isGift ? getOwner(to) : null,
      state: waits ? 'sent' : 'booked',
    })
    noteHands(tx, person, getOwner(to), { brings: isGift || from.account !== null, pricedBy: hands })
    // the money is held until the platform has booked the transfer, so that it is still there after a refusal
    bookTransfer(tx, id, move, toAmount, waits && !to.account)
    if (mover !== null) hooks.instruct(tx, mover, row)
    return seenBy(ctx.principal, toTransfer, toOwnTransfer)(row)
  })
}
