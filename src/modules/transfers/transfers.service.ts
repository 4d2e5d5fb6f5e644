import type { Static } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { atLeast } from '../../platform/access/catalogue.ts'
import type { Ctx } from '../../platform/access/ctx.ts'
import { roleOf, seenBy } from '../../platform/access/principal.ts'
import { listed, statement } from '../../platform/db/statement.ts'
import { readSum, sumOf } from '../../platform/db/sums.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { positiveAmountOf } from '../../platform/http/fields.ts'
import { defineErrors, invalid } from '../../platform/http/problem.ts'
import { type AccountRow, accounts } from '../accounts/accounts.table.ts'
import { hasBridge } from '../accounts/platform-feed.ts'
import { frozenQuote, ratesOf } from '../fx/fx.lookup.ts'
import {
  applyQuote,
  authorsOf,
  type Quote,
  quoteForClient,
  quoteForStaff,
  type Rates,
  requireFreshMids,
} from '../fx/fx.quotes.ts'
import { independenceErrors } from '../independence/independence.errors.ts'
import {
  calledRefused,
  couldBeClients,
  linkedAccount,
  noteClientAct,
  personBehind,
  requireDecider,
  spokeForPlatform,
} from '../independence/independence.service.ts'
import { type People, peopleOf } from '../independence/people.ts'
import { refuseMoveTo, refusePending } from '../sanctions/sanctions.queries.ts'
import { readFirmSettings } from '../tenants/firm-settings.ts'
import { traders } from '../traders/traders.table.ts'
import { users } from '../users/users.table.ts'
import { type Leg, post } from '../wallets/ledger.service.ts'
import { type WalletRow, wallets } from '../wallets/wallets.table.ts'
import { measureOf, reaches, SUM_OVER } from '../withdrawals/approval-policy.ts'
import { discreetly, refuseBlocked, sanctionsHits } from '../withdrawals/withdrawals.checks.ts'
import { availableOn, movedThere, SHOWN_AFTER } from './account-funding.ts'
import { refuseAboveLimit } from './conversion-limit.ts'
import { type TransferIn, type TransferOut, toOwnTransfer, toTransfer } from './transfers.model.ts'
import { transfers } from './transfers.table.ts'

/** A code that rules.md names stands without the module's name. */
const named = defineErrors('', {
  needs_withdrawal: [
    409,
    'From the firm’s threshold on (what you moved in 24 hours counts) money to another trader is paid out as a withdrawal.',
  ],
})

const transferErrors = defineErrors('transfers', {
  trader_not_active: [409, 'The trader is not active.'],
  legal_hold: [409, 'The trader is under legal hold: nothing leaves the wallet.'],
  account_not_active: [409, 'The trading account is not active.'],
  other_trader: [403, 'A transfer to another trader needs the role manager or higher.'],
  from_account: [403, 'Money from a trading account is booked by staff of the role manager or higher.'],
  above_funding: [403, 'That is more than was moved to this account; gains are booked by an admin.'],
  above_balance: [
    409,
    'That is more than the platform reported for this account, or than was moved to it, less what was taken already.',
    'What was taken counts until a report that comes 72 hours later or more.',
  ],
  own_balance: [403, 'You entered this balance yourself: somebody else books what was earned.'],
  own_link: [
    403,
    'You said in the last 30 days which account is this client’s, or that the platform refused their money:',
    'somebody else books what was earned there.',
  ],
  old_balance: [409, 'The balance was reported more than 72 hours ago: have it reported again.'],
  not_reported: [
    409,
    'The platform’s bridge has never reported this account: look at its number and currency, or have somebody report it.',
  ],
  sanctions_hit: [409, 'A sanctions match is open or confirmed: nothing leaves the wallet.'],
})

type Money = { amount: bigint; currency: string }

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

const leg = (end: End, currency: string, amount: bigint, held = false): Leg =>
  end.wallet
    ? { account: held ? 'client_held' : 'client_available', wallet: end.wallet, currency, amount }
    : { account: 'platform_clearing', currency, amount }

/**
 * Money from a trading account becomes the client's on one person's word, and what is there is the platform's to
 * say. So never more than the balance it reported, with what was moved since; where none was reported, what was
 * moved there. Nobody books on a balance that they reported themselves (or by a key). More than was moved there was
 * earned, and takes a balance of the last 72 hours and an admin whose word it is not, or a manager where the firm has
 * no such admin: neither the balance nor, in the last 30 days, that the platform's account is this client's, for it may
 * have been another's, or that the platform refused the client's money, for it may be there. What a platform with a
 * bridge has never reported, or not for 72 hours, may be lost by now: then nothing comes home before it is reported.
 */
function refuseUnfunded(tx: Tx, ctx: Ctx, people: People, userId: string, account: AccountRow, amount: bigint): void {
  const { balanceBy, balanceAt, byBridge, traderId } = account
  const isTheirBalance = (id: string) => balanceBy !== null && people.samePerson(balanceBy, id)
  const isTheirWord = (id: string) => spokeForPlatform(tx.unowned, people, id, traderId, tx.now)
  if (isTheirBalance(userId)) throw transferErrors.own_balance()
  const net = movedThere(tx, account)
  if (amount > availableOn(tx, account, readFirmSettings(tx.unowned).platformAcknowledges))
    throw transferErrors.above_balance()
  // what they called refused may be there, where the client lost something else
  if (calledRefused(tx.unowned, people, userId, traderId, tx.now)) throw transferErrors.own_link()
  // it may have been lost on an account that the bridge knows by another number, or in another currency
  if (balanceAt === null && hasBridge(tx, account.platform)) throw transferErrors.not_reported()
  const isOld = tx.now - (balanceAt ?? 0) > SHOWN_AFTER
  if (isOld && (amount > net || byBridge)) throw transferErrors.old_balance()
  if (amount <= net) return
  if (isTheirWord(userId)) throw transferErrors.own_link()
  const role = roleOf(ctx.principal)
  if (role !== null && atLeast(role, 'admin')) return
  const isOther = (id: string) => id !== userId && !isTheirBalance(id) && !isTheirWord(id)
  if (people.alone('admin').some(isOther)) throw transferErrors.above_funding()
}

const BY_PERSON = statement(
  sql`SELECT ${listed({
    createdBy: transfers.createdBy,
    currency: transfers.fromCurrency,
    gift: sql`${transfers.toTraderId} IS NOT NULL`,
    converted: sql`${transfers.rateIds} <> '[]'`,
    total: sumOf(transfers.fromAmount),
  })} FROM ${transfers}
  WHERE ${transfers.tenantId} = ?1 AND ${transfers.createdBy} IS NOT NULL AND ${transfers.createdAt} > ?2
    AND ${transfers.state} <> 'refused' GROUP BY 1, 2, 3, 4`,
)
type ByPerson = { createdBy: string; currency: string; gift: number; converted: number; total: string }

/** What one person moved in the last 24 hours that `which` is asked about, with this. */
function movedByPerson(tx: Tx, people: People, userId: string, now: Money, which: (row: ByPerson) => boolean) {
  const rows = tx.unowned.query<ByPerson>(BY_PERSON, [tx.now - SUM_OVER])
  const mine = rows.filter((row) => people.samePerson(row.createdBy, userId) && which(row))
  return [...mine.map(({ total, currency }) => ({ amount: readSum(total), currency })), now]
}

/**
 * Money to another trader is a payout without its votes: above
 * the threshold of 24 hours it is asked for as a withdrawal.
 */
function refuseLargeGift(tx: Tx, people: People, userId: string, amount: bigint, currency: string): void {
  const measure = measureOf(tx)
  const sum = movedByPerson(tx, people, userId, { amount, currency }, ({ gift }) => gift === 1)
  if (
    reaches(
      measure,
      measure.sum(sum, (author) => people.samePerson(author, userId)),
    )
  )
    throw named.needs_withdrawal()
}

/**
 * Whose account of a platform money goes to is the word of who linked it: above the threshold of 24 hours they do not
 * move money there too, nor does a client whom they could be. What they moved to all clients whose accounts they
 * linked counts together with all that this client moved.
 */
function refuseLargeToOwnLink(tx: Tx, person: string | null, traderId: string, now: Money): void {
  const people = peopleOf(tx.unowned, tx.now)
  const didLink = (userId: string, client: string): boolean => linkedAccount(tx.unowned, people, userId, client, tx.now)
  const hands = person === null ? couldBeClients(tx.unowned, traderId, tx.now) : [person]
  const linker = hands.find((userId) => didLink(userId, traderId))
  if (linker === undefined) return
  const isTheirs = ({ createdBy, client }: Funded): boolean =>
    client === traderId || (createdBy !== null && people.samePerson(createdBy, linker) && didLink(linker, client))
  const moves = tx.unowned.query<Funded>(FUNDED, [tx.now - SUM_OVER]).filter(isTheirs)
  const measure = measureOf(tx.unowned)
  const sum = measure.sum(
    [...moves.map(({ currency, total }) => ({ currency, amount: readSum(total) })), now],
    (author) => people.samePerson(author, linker),
  )
  if (reaches(measure, sum)) throw transferErrors.own_link({ detail: person === null ? NEW_LINK : OWN_LINK })
}
type Funded = { client: string; createdBy: string | null; currency: string; total: string }
const FUNDED = statement(
  sql`SELECT ${listed({
    client: transfers.traderId,
    createdBy: transfers.createdBy,
    currency: transfers.fromCurrency,
    total: sumOf(transfers.fromAmount),
  })} FROM ${transfers}
  WHERE ${transfers.tenantId} = ?1 AND ${transfers.createdAt} > ?2 AND ${transfers.kind} = 'wallet_to_account'
    AND ${transfers.state} <> 'refused' GROUP BY 1, 2, 3`,
)
const OWN_LINK =
  'You said in the last 30 days which account is this client’s: from the firm’s threshold on somebody else moves money there.'
// to a client, who learns nothing of what staff did
const NEW_LINK = 'This account was entered lately: please ask us to move so large a sum there.'

/**
 * Nobody converts for a client, above the threshold in 24 hours, by a rate that they entered; nor do staff by a mid
 * that would be too old for the client's own conversion.
 */
function refuseLargeConversion(
  tx: Tx,
  userId: string,
  { quote, rates, from, to, byStaff }: { quote: Quote; rates: Rates; from: Money; to: string; byStaff: boolean },
): void {
  const people = peopleOf(tx.unowned, tx.now)
  const mine = (author: string): boolean => people.samePerson(author, userId)
  const measure = measureOf(tx.unowned)
  const sum = movedByPerson(tx, people, userId, from, ({ converted }) => converted === 1)
  const isOwn = quote.rates.some((rate) => authorsOf(rate).some(mine))
  if (isOwn && reaches(measure, measure.sum(sum, mine)))
    throw independenceErrors.second_person_needed({ detail: OWN_RATE })
  if (byStaff && reaches(measure, measure.sum(sum)))
    requireFreshMids(rates, from.currency, to, readFirmSettings(tx.unowned).conversion.maxAgeHours, tx.now)
}

const OWN_RATE = 'You entered a rate of this conversion: from this amount in 24 hours on somebody else converts.'

/** Notes whose hand brought money to a client by a transfer, for the votes on what leaves it later. */
function noteHands(
  tx: Tx,
  userId: string | null,
  traderId: string,
  facts: { brings: boolean; rates: Quote['rates'] },
): void {
  if (facts.brings) noteClientAct(tx, userId, traderId, 'transfer')
  for (const author of new Set(facts.rates.flatMap(authorsOf))) {
    // A rate of the global pool may have an author in another firm.
    if (tx.unowned.find(users, { id: author }, { withDeleted: true })) noteClientAct(tx, author, traderId, 'rate')
  }
}

/**
 * Moves money between wallets, or between a wallet and a trading account (recorded as an instruction
 * for the platform, with our reference; the account's reported balance is the platform's to change).
 * Another currency converts at the current rate, frozen on the row. rules.md “Transfers”.
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
    if (toAmount <= 0n) throw invalid('amount', 'too_small', `is less than the smallest unit of ${toCurrency}`)
    if (quote.via !== 'same') {
      const given = { amount: fromAmount, currency: fromCurrency }
      if (byTrader) refuseAboveLimit(tx, rates, traderId, given)
      const facts = { quote, rates, from: given, to: toCurrency, byStaff: !byTrader }
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
    noteHands(tx, person, ownerOf(to), { brings: isGift || from.account !== null, rates: quote.rates })
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
      // Money that the platform has not booked yet is held: what it refuses must still be there.
      legs: [leg(from, fromCurrency, -fromAmount), ...converted, leg(to, toCurrency, toAmount, waits && !to.account)],
    })
    return seenBy(ctx.principal, toTransfer, toOwnTransfer)(row)
  })
}
