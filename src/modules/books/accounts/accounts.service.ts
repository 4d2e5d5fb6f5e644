import type { Static } from '@sinclair/typebox'
import { atLeast } from '../../../platform/access/catalogue.ts'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { requireFresh } from '../../../platform/access/fresh.ts'
import { findRole, findStaffId } from '../../../platform/access/principal.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { defineErrors, invalid, Problem } from '../../../platform/problem.ts'
import { boundedMetadata, knownCurrency, parseAmountField } from '../../../platform/wire/fields.ts'
import { say } from '../../../words/say.ts'
import { type TraderRow, traders } from '../../clients/traders/traders.table.ts'
import { noteClientAct, passLinksOn } from '../../firm/independence/independence.service.ts'
import { mustBeFreeNumber } from './account-numbers.ts'
import type { AccountHooks, Place, TerminalFacts } from './accounts.hooks.ts'
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
  const role = findRole(ctx.principal)
  if (role === null || !atLeast(role, 'manager')) throw new Problem(403, 'forbidden', title)
}

function mustBeTrader(tx: Tx, traderId: string): TraderRow {
  const trader = tx.find(traders, { id: traderId })
  if (!trader) throw invalid('traderId', 'unknown', say('problems.field.client_unknown'))
  return trader
}

/** Returns who reports a balance now. It is stored even for an unchanged balance, which the report confirms. */
export const reportBy = (ctx: Ctx, db: Reader) => ({
  balanceAt: ctx.now(),
  balanceBy: findStaffId(ctx.principal),
  byBridge: isBridge(db, ctx),
})

/** Removes blanks around a platform's numbers, so that two equal numbers cannot look different. */
const trimmed = <T extends { accountNumber?: string | null; externalId?: string | null }>(input: T): T => ({
  ...input,
  ...(typeof input.accountNumber === 'string' && { accountNumber: input.accountNumber.trim() }),
  ...(typeof input.externalId === 'string' && { externalId: input.externalId.trim() }),
})

/** Returns amounts (with their reporter) and metadata as they are stored; absent fields stay absent. */
function stored(
  ctx: Ctx,
  db: Reader,
  { balance, equity, metadata }: Pick<Static<typeof AccountPatch>, 'balance' | 'equity' | 'metadata'>,
  currency: string,
): Partial<AccountRow> {
  return {
    ...(balance !== undefined && { balance: parseAmountField('balance', balance, currency), ...reportBy(ctx, db) }),
    ...(equity !== undefined && { equity: parseAmountField('equity', equity, currency) }),
    ...(metadata !== undefined && { metadata: boundedMetadata('metadata', metadata) }),
  }
}

/** Leaves out a balance of zero for an account without a report: a zero is expected, so it reports nothing. */
function reported<T extends { balance?: string | undefined }>(said: T, currency: string): T | Omit<T, 'balance'> {
  const { balance, ...others } = said
  return balance !== undefined && parseAmountField('balance', balance, currency) === 0n ? others : said
}

/** Refuses a currency that the terminal does not name. */
function mustAgree(facts: TerminalFacts | null, currency: string): void {
  if (facts && facts.currency !== currency)
    throw invalid('currency', 'currency', say('accounts.field.terminal_currency', { currency: facts.currency }))
}

/** Writes to the audit why a login that a terminal names otherwise is a client’s. */
function auditNote(tx: Tx, { id, traderId }: AccountRow, note: string | undefined): void {
  if (note !== undefined) tx.audit({ entity: 'account', entityId: id, traderId, after: { note } })
}

/**
 * Creates or links a trading account. 409 names `externalId` or `accountNumber` if another account of that platform has
 * it. RULES “Accounts”.
 */
export async function createAccount(
  ctx: Ctx,
  { trades, terminals }: AccountHooks,
  body: Static<typeof AccountIn>,
): Promise<Account> {
  const { note, ...input } = trimmed(body)
  const currency = knownCurrency('currency', input.currency)
  const { balance, equity, metadata, ...rest } = input
  const { platform, server = '', accountNumber = null } = input
  const weigh = await terminals.weighLink(ctx, { platform, server, accountNumber }, { traderId: input.traderId, note })
  const account = await ctx.write('account.create', (tx) => {
    mustBePlatform(tx, input.platform)
    mustBeTrader(tx, input.traderId)
    mustBeFreeNumber(tx, { platform, server, accountNumber })
    const facts = weigh(tx)
    mustAgree(facts, currency)
    // what is reported of an account at a terminal comes from there alone
    const said = facts ? { ...(metadata !== undefined && { metadata }) } : reported(input, currency)
    const row = tx.insert(accounts, { ...rest, ...stored(ctx, tx, said, currency), ...facts })
    noteLink(ctx, tx, row)
    auditNote(tx, row, note)
    return toAccount(row)
  })
  await trades.link(ctx, account)
  return account
}

const inUse = (path: string) =>
  accountErrors.in_use({ errors: [{ path, code: 'in_use', message: say('accounts.field.in_use') }] })

/** Returns the parts of an account's place that a change names. */
const definedPlace = ({ platform, server, accountNumber }: Static<typeof AccountPatch>) => ({
  ...(platform !== undefined && { platform }),
  ...(server !== undefined && { server }),
  ...(accountNumber !== undefined && { accountNumber }),
})

const PLACE = ['platform', 'server', 'accountNumber'] as const
const NUMBERS = ['platform', 'server', 'accountNumber', 'externalId', 'currency'] as const
const IDENTITY = ['traderId', ...NUMBERS] as const
const LINK = [...IDENTITY, 'isDemo'] as const

/**
 * Returns the reset of an account's report if a change gives it other numbers or makes it live or demo. Money may be
 * lost under a number that the bridge does not report, so a new report is awaited. A person's zero keeps its author;
 * otherwise adding a missing number would hide who reported it. Without a balance, the equity is reset too.
 */
function resetReport(before: AccountRow, patch: Static<typeof AccountPatch>): Partial<AccountRow> {
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
 * Notes who linked these platform numbers to this client, since the client owns the money that the platform has there.
 * It counts for demo accounts too, since they may become live. If the account gets another client, those who linked it
 * to the former client count for the new one.
 */
function noteLink(ctx: Ctx, tx: Tx, account: AccountRow, before?: AccountRow): void {
  noteClientAct(tx, findStaffId(ctx.principal), account.traderId, 'linked_account')
  if (before && before.traderId !== account.traderId) passLinksOn(tx, before.traderId, account.traderId)
}

/**
 * Refuses a change of client, numbers or currency, and from demo to live, for an account with money: it would move
 * money past the rules of transfers. A zero that only the caller reported does not prove that the account is empty. A
 * missing number may be added until money was moved there. A missing server may not, since the reports of other servers
 * would no longer reach the account.
 */
function refuseOtherIdentity(
  ctx: Ctx,
  tx: Tx,
  before: AccountRow,
  patch: Static<typeof AccountPatch>,
  moved: boolean,
): void {
  const mayHoldMoney = moved || before.balance !== 0n || isOwnZero(tx, findStaffId(ctx.principal), before, tx.now)
  if (!mayHoldMoney) return
  if (patch.isDemo !== undefined && patch.isDemo !== before.isDemo) throw inUse('isDemo')
  if (before.isDemo) return
  const path = IDENTITY.find(
    (key) => patch[key] !== undefined && (before[key] !== null || moved) && patch[key] !== before[key],
  )
  if (path !== undefined) throw inUse(path)
}

/** What is a terminal’s to say; a balance is a report even if it is the same. */
const FACTS = ['currency', 'leverage', 'isDemo'] as const
const REPORTS = ['balance', 'equity'] as const

/** Refuses a change of what the account’s terminal decides. */
function refuseTerminals(
  tx: Tx,
  terminals: AccountHooks['terminals'],
  before: AccountRow,
  patch: Static<typeof AccountPatch>,
): void {
  const isChange =
    FACTS.some((key) => patch[key] !== undefined && patch[key] !== before[key]) ||
    REPORTS.some((key) => patch[key] !== undefined)
  if (isChange && terminals.decides(tx, before)) throw terminals.refusal()
}

/** Returns what a change of an account’s place has to fit; a place that stays has to fit nothing. */
async function weighPlace(
  ctx: Ctx,
  terminals: AccountHooks['terminals'],
  id: string,
  patch: Static<typeof AccountPatch>,
) {
  const before = ctx.db.get(accounts, id)
  const readPlace = (row: AccountRow): Place => {
    const { platform, server, accountNumber } = { ...row, ...definedPlace(patch) }
    return { platform, server, accountNumber }
  }
  const place = readPlace(before)
  if (PLACE.every((key) => place[key] === before[key])) return () => null
  const { traderId = before.traderId, note } = patch
  const weigh = await terminals.weighLink(ctx, place, { traderId, note })
  return (tx: Tx, now: AccountRow) => {
    const then = readPlace(now)
    // what was asked was about another place
    if (PLACE.some((key) => then[key] !== place[key]))
      throw new Problem(412, 'version_conflict', say('problems.error.version_conflict'))
    return weigh(tx)
  }
}

/**
 * Changes an account. A new currency needs balance and equity in it, unless they are zero. If the numbers change, the
 * report of the balance is reset. RULES “Accounts”.
 */
export async function updateAccount(
  ctx: Ctx,
  { funding, trades, terminals }: AccountHooks,
  id: string,
  body: Static<typeof AccountPatch>,
  expect: number | undefined,
): Promise<Account> {
  const { note, ...asked } = trimmed(body)
  const weigh = await weighPlace(ctx, terminals, id, { ...asked, ...(note !== undefined && { note }) })
  const account = await ctx.write('account.update', (tx) => {
    const before = tx.get(accounts, id)
    const facts = weigh(tx, before)
    mustAgree(facts, asked.currency ?? before.currency)
    refuseTerminals(tx, terminals, before, asked)
    const patch = { ...asked, ...facts }
    const { balance, equity, metadata, ...rest } = patch
    if (patch.status === 'active' && before.status !== 'active') requireFresh(ctx)
    if (patch.platform !== undefined && patch.platform !== before.platform) mustBePlatform(tx, patch.platform)
    const currency = knownCurrency('currency', patch.currency ?? before.currency)
    refuseOtherIdentity(ctx, tx, before, patch, funding.hasTransfers(tx, id))
    mustBeFreeNumber(tx, { ...before, ...definedPlace(patch) }, id)
    if (patch.traderId !== undefined && patch.traderId !== before.traderId) {
      requireManager(ctx, say('accounts.error.owner_needs_manager'))
      if (mustBeTrader(tx, patch.traderId).status !== 'active') throw accountErrors.trader_not_active()
      trades.passOn(tx, id, patch.traderId)
      // the row's entry names the new client; this entry is for the former client's page
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
    // if nothing was reported, the form sends a new currency without amounts
    const isUnheard = currency !== before.currency && before.balanceAt === null && before.balance === 0n
    const said = isUnheard ? reported(patch, currency) : patch
    // a demo account earns no commission, and its closed losses would no longer count against one
    if (!before.isDemo && patch.isDemo === true && trades.hasClosed(tx, id))
      requireManager(ctx, say('accounts.error.practice_needs_manager'))
    const turned = before.isDemo && patch.isDemo === false ? { liveSince: tx.now } : {}
    // a client who was merged earlier has no part in later trades of the new client
    const isGiven = patch.traderId !== undefined && patch.traderId !== before.traderId
    const given = isGiven ? { firstTraderId: null, givenAt: tx.now } : {}
    const changes = { ...rest, ...turned, ...given, ...resetReport(before, patch), ...stored(ctx, tx, said, currency) }
    const row = tx.update(accounts, id, changes, { expect })
    if (LINK.some((key) => row[key] !== before[key])) noteLink(ctx, tx, row, before)
    auditNote(tx, row, note)
    return toAccount(row)
  })
  await trades.link(ctx, account)
  return account
}

/**
 * Deletes an account: the row stays for references, and its numbers are free again. 409 while money is reported on it
 * or on its way, or if only the caller reported that it is empty.
 */
export function deleteAccount(
  ctx: Ctx,
  { funding }: AccountHooks,
  id: string,
  expect: number | undefined,
): Promise<null> {
  return ctx.write('account.delete', (tx) => {
    const account = tx.get(accounts, id)
    // money could not be moved back from a deleted account
    if (funding.hasMoney(tx, account) || funding.hasMoneyOnItsWay(tx, id)) throw accountErrors.has_balance()
    if (funding.wasTakenLately(tx, account, tx.now))
      throw accountErrors.has_balance({ detail: say('accounts.error.taken_lately') })
    if (!account.isDemo && isOwnZero(tx, findStaffId(ctx.principal), account, tx.now))
      throw accountErrors.has_balance({ detail: say('accounts.error.own_zero') })
    tx.remove(accounts, id, { expect })
    return null
  })
}
