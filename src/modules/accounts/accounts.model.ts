import { type Static, Type } from '@sinclair/typebox'
import { toIso } from '../../platform/clock.ts'
import { matchQuery } from '../../platform/db/search.ts'
import {
  Amount,
  Currency,
  Id,
  Line,
  Metadata,
  Nullable,
  OneOf,
  Strict,
  Time,
  Version,
} from '../../platform/http/fields.ts'
import { defineList, filter } from '../../platform/http/page.ts'
import { formatAmount } from '../../platform/money.ts'
import { ACCOUNT_PLATFORMS, ACCOUNT_STATUS, type AccountRow, accounts } from './accounts.table.ts'

const Leverage = Type.Integer({ minimum: 1, maximum: 10_000, description: '100 means 1:100' })

const details = {
  externalId: Type.Optional(Nullable(Line(100))),
  accountNumber: Type.Optional(Nullable(Line(64))),
  balance: Type.Optional(Amount),
  equity: Type.Optional(Amount),
  leverage: Type.Optional(Leverage),
  isDemo: Type.Optional(Type.Boolean()),
  metadata: Type.Optional(Metadata),
}
export const AccountIn = Strict({ traderId: Id, platform: OneOf(ACCOUNT_PLATFORMS), currency: Currency, ...details })
export const AccountPatch = Strict({
  traderId: Type.Optional(Id),
  platform: Type.Optional(OneOf(ACCOUNT_PLATFORMS)),
  currency: Type.Optional(Currency),
  ...details,
  status: Type.Optional(OneOf(ACCOUNT_STATUS)),
})

export const AccountOut = Type.Object({
  id: Id,
  traderId: Id,
  platform: OneOf(ACCOUNT_PLATFORMS),
  externalId: Nullable(Type.String()),
  accountNumber: Nullable(Type.String()),
  currency: Currency,
  balance: Type.String({ description: 'decimal amount, as the platform reported it' }),
  equity: Type.String({ description: 'decimal amount, as the platform reported it' }),
  leverage: Leverage,
  isDemo: Type.Boolean(),
  status: OneOf(ACCOUNT_STATUS),
  metadata: Type.Object({}, { additionalProperties: true }),
  version: Version,
  createdAt: Time,
  updatedAt: Time,
})
export type Account = Static<typeof AccountOut>

/** The wire form of a trading account. */
export const toAccount = (row: AccountRow): Account => ({
  id: row.id,
  traderId: row.traderId,
  platform: row.platform,
  externalId: row.externalId,
  accountNumber: row.accountNumber,
  currency: row.currency,
  balance: formatAmount(row.balance, row.currency),
  equity: formatAmount(row.equity, row.currency),
  leverage: row.leverage,
  isDemo: row.isDemo,
  status: row.status,
  metadata: row.metadata,
  version: row.version,
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
})

export const accountList = defineList({
  name: 'accounts',
  table: accounts,
  filters: {
    traderId: filter(Id, 'accounts.trader_id = ?'),
    status: filter(OneOf(ACCOUNT_STATUS), 'accounts.status = ?'),
    platform: filter(OneOf(ACCOUNT_PLATFORMS), 'accounts.platform = ?'),
    currency: filter(Currency, 'accounts.currency = ?'),
    isDemo: filter(OneOf(['true', 'false']), 'accounts.is_demo = ?', (text) => [text === 'true' ? 1 : 0]),
    q: filter(
      Type.String({ minLength: 1, maxLength: 100, description: 'account number, external id or id' }),
      'accounts.rid IN (SELECT rowid FROM accounts_search WHERE accounts_search MATCH ?)',
      (text, { tenantId }) => [matchQuery(tenantId, text)],
      'accounts.rid',
    ),
  },
})
