import type { Static } from '@sinclair/typebox'
import { atLeast } from '../../../platform/access/catalogue.ts'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { requireFresh } from '../../../platform/access/fresh.ts'
import { roleOf, staffIdOf } from '../../../platform/access/principal.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { defineErrors, invalid, Problem } from '../../../platform/problem.ts'
import { amountOf, boundedMetadata, knownCurrency } from '../../../platform/wire/fields.ts'
import { say } from '../../../words/say.ts'
import { type TraderRow, traders } from '../../clients/traders/traders.table.ts'
import { noteClientAct, passLinksOn } from '../../firm/independence/independence.service.ts'
import type { AccountHooks } from './accounts.hooks.ts'
import { type Account, type AccountIn, type AccountPatch, toAccount } from './accounts.model.ts'
import { type AccountRow, accounts } from './accounts.table.ts'
import { isBridge, mustBePlatform } from './platform-feed.ts'
import { isOwnZero } from './self-reported-zero.ts'

const accountErrors = defineErrors('accounts', () => ({
  trader_not_active: [409, say('problems.error.trader_not_active')],
  in_use: [409, say('accounts.error.in_use'), say('accounts.todo.in_use')],
  has_balance: [409, say('accounts.error.has_balance'), say('accounts.todo.has_balance')],
}))

function requireManager(ctx: Ctx, title: string): void {
  const role = roleOf(ctx.principal)
  if (role === null || !atLeast(role, 'manager')) throw new Problem(403, 'forbidden', title)
}

function mustBeTrader(tx: Tx, traderId: string): TraderRow {
  const trader = tx.find(traders, { id: traderId })
  if (!trader) throw invalid('traderId', 'unknown', say('problems.field.client_unknown'))
  return trader
}

/** Whose word a balance is from now on: also where it is the same as before, for they say so now. */
export const reportBy = (ctx: Ctx, db: Reader) => ({
  balanceAt: ctx.now(),
  balanceBy: staffIdOf(ctx.principal),
  byBridge: isBridge(db, ctx),
})

/** The numbers of a platform without blanks around them: with them they would look alike and be others. */
const trimmed = <T extends { accountNumber?: string | null; externalId?: string | null }>(input: T): T => ({
  ...input,
  ...(typeof input.accountNumber === 'string' && { accountNumber: input.accountNumber.trim() }),
  ...(typeof input.externalId === 'string' && { externalId: input.externalId.trim() }),
})

/** Amounts, with who says so, and metadata in their stored form; absent fields stay absent. */
function stored(
  ctx: Ctx,
  db: Reader,
  { balance, equity, metadata }: Pick<Static<typeof AccountPatch>, 'balance' | 'equity' | 'metadata'>,
  currency: string,
): Partial<AccountRow> {
  return {
    ...(balance !== undefined && { balance: amountOf('balance', balance, currency), ...reportBy(ctx, db) }),
    ...(equity !== undefined && { equity: amountOf('equity', equity, currency) }),
    ...(metadata !== undefined && { metadata: boundedMetadata('metadata', metadata) }),
  }
}

/** What is said of an account that nobody reported: nothing on it is what everybody expects, and nobody's report. */
function reported<T extends { balance?: string | undefined }>(said: T, currency: string): T | Omit<T, 'balance'> {
  const { balance, ...others } = said
  return balance !== undefined && amountOf('balance', balance, currency) === 0n ? others : said
}

/**
 * Creates or links a trading account. 409 names `externalId` or
 * `accountNumber` when another account of that platform has it. RULES “Accounts”.
 */
export async function createAccount(
  ctx: Ctx,
  { trades }: AccountHooks,
  body: Static<typeof AccountIn>,
): Promise<Account> {
  const input = trimmed(body)
  const currency = knownCurrency('currency', input.currency)
  const { balance, equity, metadata, ...rest } = input
  const account = await ctx.write('account.create', (tx) => {
    mustBePlatform(tx, input.platform)
    mustBeTrader(tx, input.traderId)
    const row = tx.insert(accounts, { ...rest, ...stored(ctx, tx, reported(input, currency), currency) })
    noteLink(ctx, tx, row)
    return toAccount(row)
  })
  await trades.link(ctx, account)
  return account
}

/** The refusal that names the field which stays. */
const inUse = (path: string) =>
  accountErrors.in_use({ errors: [{ path, code: 'in_use', message: say('accounts.field.in_use') }] })

const NUMBERS = ['platform', 'accountNumber', 'externalId', 'currency'] as const
const IDENTITY = ['traderId', ...NUMBERS] as const
const LINK = [...IDENTITY, 'isDemo'] as const

/**
 * What an account forgets that becomes another one of the platform: that the bridge, or anybody, reported it. Money
 * that comes there may be lost under a number that the bridge does not report, so its word is waited for anew. What a
 * person said is empty stays their word, or giving a missing number would make their own zero nobody's. No amount is
 * left of a live account that had its numbers, since nothing was on it.
 */
function forgotten(before: AccountRow, patch: Static<typeof AccountPatch>): Partial<AccountRow> {
  const isSame = ([...NUMBERS, 'isDemo'] as const).every(
    (key) => patch[key] === undefined || patch[key] === before[key],
  )
  if (isSame) return {}
  return {
    balanceAt: null,
    byBridge: false,
    ...(before.byBridge && { balanceBy: null }),
    ...(before.balance === 0n && { equity: 0n }),
  }
}

/**
 * Notes who said that these numbers of a platform are this client's: the money there is theirs by that word. Also of a
 * demo account, which may become a live one. Whoever said so of the client before goes along to another client.
 */
function noteLink(ctx: Ctx, tx: Tx, account: AccountRow, before?: AccountRow): void {
  noteClientAct(tx, staffIdOf(ctx.principal), account.traderId, 'linked_account')
  if (before && before.traderId !== account.traderId) passLinksOn(tx, before.traderId, account.traderId)
}

/**
 * Whoever has an account has the money on it, and its numbers say where the platform keeps that money. So another
 * client or other numbers for an account with money would be a transfer that no rule of transfers has seen; so would
 * live for demo, and another currency. One's own zero says nothing. A number that was missing may be given until
 * money was moved there.
 */
function refuseOtherIdentity(
  ctx: Ctx,
  tx: Tx,
  before: AccountRow,
  patch: Static<typeof AccountPatch>,
  moved: boolean,
): void {
  const mayHoldMoney = moved || before.balance !== 0n || isOwnZero(tx, staffIdOf(ctx.principal), before, tx.now)
  if (!mayHoldMoney) return
  if (patch.isDemo !== undefined && patch.isDemo !== before.isDemo) throw inUse('isDemo')
  if (before.isDemo) return
  const path = IDENTITY.find(
    (key) => patch[key] !== undefined && (before[key] !== null || moved) && patch[key] !== before[key],
  )
  if (path !== undefined) throw inUse(path)
}

/**
 * Changes an account. An amount means nothing in another currency: who changes
 * the currency also says balance and equity, unless they are zero. What was reported
 * of other numbers says nothing of these. RULES “Accounts”.
 */
export async function updateAccount(
  ctx: Ctx,
  { funding, trades }: AccountHooks,
  id: string,
  body: Static<typeof AccountPatch>,
  expect: number | undefined,
): Promise<Account> {
  const patch = trimmed(body)
  const { balance, equity, metadata, ...rest } = patch
  const account = await ctx.write('account.update', (tx) => {
    const before = tx.get(accounts, id)
    if (patch.status === 'active' && before.status !== 'active') requireFresh(ctx)
    if (patch.platform !== undefined && patch.platform !== before.platform) mustBePlatform(tx, patch.platform)
    const currency = knownCurrency('currency', patch.currency ?? before.currency)
    refuseOtherIdentity(ctx, tx, before, patch, funding.hasTransfers(tx, id))
    if (patch.traderId !== undefined && patch.traderId !== before.traderId) {
      requireManager(ctx, say('accounts.error.owner_needs_manager'))
      if (mustBeTrader(tx, patch.traderId).status !== 'active') throw accountErrors.trader_not_active()
      trades.passOn(tx, id, patch.traderId)
      // the row's own entry names the new client; this one is on the page of the one who lost it
      const { traderId } = before
      tx.audit({
        entity: 'account',
        entityId: id,
        traderId,
        before: { traderId },
        after: { traderId: patch.traderId },
      })
    }
    if (currency !== before.currency) {
      if (balance === undefined && before.balance !== 0n)
        throw invalid('balance', 'required', say('accounts.field.balance_required'))
      if (equity === undefined && before.equity !== 0n)
        throw invalid('equity', 'required', say('accounts.field.balance_required'))
    }
    // the form says nothing of both amounts with another currency: that is no report either
    const isUnheard = currency !== before.currency && before.balanceAt === null && before.balance === 0n
    const said = isUnheard ? reported(patch, currency) : patch
    // what was traded on it would earn nobody anything any more, nor would its losses count
    if (!before.isDemo && patch.isDemo === true && trades.hasClosed(tx, id))
      requireManager(ctx, say('accounts.error.practice_needs_manager'))
    const turned = before.isDemo && patch.isDemo === false ? { liveSince: tx.now } : {}
    // whoever was merged away has nothing to do with what its new client trades
    const isGiven = patch.traderId !== undefined && patch.traderId !== before.traderId
    const given = isGiven ? { firstTraderId: null, givenAt: tx.now } : {}
    const changes = { ...rest, ...turned, ...given, ...forgotten(before, patch), ...stored(ctx, tx, said, currency) }
    const row = tx.update(accounts, id, changes, { expect })
    if (LINK.some((key) => row[key] !== before[key])) noteLink(ctx, tx, row, before)
    return toAccount(row)
  })
  await trades.link(ctx, account)
  return account
}

/**
 * Deletes an account: out of lists, its numbers free again; the row stays for what refers to it. 409
 * while money is reported on it or on its way, or when only the caller says that it is gone.
 */
export function deleteAccount(
  ctx: Ctx,
  { funding }: AccountHooks,
  id: string,
  expect: number | undefined,
): Promise<null> {
  return ctx.write('account.delete', (tx) => {
    const account = tx.get(accounts, id)
    // from a deleted account nobody could move it back
    if (funding.hasMoney(tx, account) || funding.hasMoneyOnItsWay(tx, id)) throw accountErrors.has_balance()
    if (funding.wasTakenLately(tx, account, tx.now))
      throw accountErrors.has_balance({ detail: say('accounts.error.taken_lately') })
    if (!account.isDemo && isOwnZero(tx, staffIdOf(ctx.principal), account, tx.now))
      throw accountErrors.has_balance({ detail: say('accounts.error.own_zero') })
    tx.remove(accounts, id, { expect })
    return null
  })
}
