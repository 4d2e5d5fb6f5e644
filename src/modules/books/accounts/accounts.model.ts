import { type Static, Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { matchQuery } from '../../../platform/db/search.ts'
import { wireFields, wireMapper } from '../../../platform/db/wire-form.ts'
import { Currencies } from '../../../platform/http/lists/comma-filters.ts'
import { equals, equalsAny, filter } from '../../../platform/http/lists/list-filters.ts'
import { defineList } from '../../../platform/http/lists/page.ts'
import {
  Amount,
  Currency,
  Id,
  Line,
  Metadata,
  Nullable,
  OneOf,
  Prose,
  QueryFlag,
  ReportedLine,
  Rows,
  Strict,
} from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { buildRowSchema, CLIENT_IDS, clientParams, SearchText } from '../../clients/traders/traders.rows.ts'
import { ACCOUNT_STATUS, accounts, Leverage, ServerName } from './accounts.table.ts'
import { RefusedName, refusalFields, refusedList } from './feed-rows.ts'

/** Writes check this name against the firm's list. RULES “Feeds”. */
export const PlatformName = { ...Line(50), description: 'one of the firm’s `platforms` (settings), such as terminal5' }

const details = {
  server: Type.Optional(ServerName),
  externalId: Type.Optional(Nullable(Line(100))),
  accountNumber: Type.Optional(Nullable(Line(64))),
  balance: Type.Optional(Amount),
  equity: Type.Optional(Amount),
  leverage: Type.Optional(Leverage),
  isDemo: Type.Optional(Type.Boolean()),
  metadata: Type.Optional(Metadata),
  note: Type.Optional({
    ...Prose(500),
    description: 'why a login that the trading server names otherwise is this client’s; it is kept in the audit',
  }),
}
export const AccountIn = nameSchema(
  'AccountIn',
  Strict({ traderId: Id, platform: PlatformName, currency: Currency, ...details }),
)
export const AccountPatch = nameSchema(
  'AccountPatch',
  Strict({
    traderId: Type.Optional(Id),
    platform: Type.Optional(PlatformName),
    currency: Type.Optional(Currency),
    ...details,
    status: Type.Optional(OneOf(ACCOUNT_STATUS)),
  }),
)

export const AccountOut = nameSchema('Account', Type.Object(wireFields(accounts)))
export type Account = Static<typeof AccountOut>
export const AccountRowOut = buildRowSchema(AccountOut)
export const toAccount = wireMapper(accounts)

const own = alias(accounts, 'own')
export const accountList = defineList({
  name: 'accounts',
  table: accounts,
  money: { amount: 'balance', currency: 'currency' },
  sorts: { createdAt: 'createdAt', accountNumber: 'accountNumber' },
  filters: {
    traderId: equals(accounts.traderId, Id),
    status: equals(accounts.status),
    platform: equals(accounts.platform, PlatformName),
    server: equals(accounts.server, ServerName),
    currency: equalsAny(accounts.currency, Currencies),
    isDemo: equals(accounts.isDemo, QueryFlag(), (text) => (text === 'true' ? 1 : 0)),
    q: filter(
      SearchText('account number, external id or id'),
      sql`accounts.rid IN (SELECT rowid FROM accounts_search WHERE accounts_search MATCH ?
        UNION SELECT own.rid FROM ${accounts} AS own WHERE ${own.tenantId} = ? AND ${own.traderId} IN (${CLIENT_IDS}))`,
      (text, scope) => [matchQuery(scope.tenantId, text), scope.tenantId, ...clientParams(text, scope)],
      'accounts.rid',
    ),
  },
})

/** The source and number of a report of positions or balances. */
export const feedHead = {
  platform: PlatformName,
  server: ReportedLine(100),
  sequence: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'rises with each report of this server, by a million at most',
  }),
}
export const Unlinked = Type.Array(Type.String(), {
  description: 'account numbers of the report that no account of this platform has, sorted; at most 1,000',
})
export const AccountNumber = ReportedLine(64)
export const BalanceReport = nameSchema(
  'BalanceReport',
  Strict({
    accountNumber: AccountNumber,
    balance: Amount,
    equity: Amount,
    currency: Type.Optional(Currency),
  }),
)
export const AccountSyncIn = nameSchema('AccountSyncIn', Strict({ ...feedHead, accounts: Rows(BalanceReport, 10_000) }))
export const AccountSyncOut = nameSchema(
  'AccountSync',
  Type.Object({
    applied: Type.Boolean({ description: 'false: this sequence, or a later one, was taken before; nothing changed' }),
    sequence: Type.Integer({ description: 'the last one taken' }),
    updated: Type.Integer(),
    unchanged: Type.Integer(),
    unlinked: Unlinked,
    otherCurrency: Type.Array(
      Type.Object({
        accountNumber: Type.String(),
        currency: Type.String({ description: 'of the account' }),
        reported: Type.String(),
      }),
      { description: 'not applied: another currency than the account’s, or too large for it; at most 1,000' },
    ),
    refused: refusedList(nameSchema('RefusedBalance', Type.Object({ accountNumber: RefusedName, ...refusalFields }))),
    refusedTotal: Type.Integer(),
  }),
)
