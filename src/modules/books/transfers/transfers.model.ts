import { type Static, Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { toIso } from '../../../platform/clock.ts'
import { byReference, MOST_REFERENCES, writingsOf } from '../../../platform/db/references.ts'
import { Currencies } from '../../../platform/http/lists/comma-filters.ts'
import { equals, equalsAny } from '../../../platform/http/lists/list-filters.ts'
import { defineList } from '../../../platform/http/lists/page.ts'
import { formatAmount } from '../../../platform/money.ts'
import {
  Amount,
  Currency,
  Id,
  Nullable,
  OneOf,
  Prose,
  ReportedLine,
  ReportedProse,
  Strict,
  Time,
} from '../../../platform/wire/fields.ts'
import { named } from '../../../platform/wire/named.ts'
import { beginning, rowOf, rowSearch } from '../../clients/traders/traders.rows.ts'
import { TRANSFER_KINDS, TRANSFER_STATES, type TransferRow, transfers } from './transfers.table.ts'

export const TransferIn = named(
  'TransferIn',
  Strict(
    {
      fromWalletId: Type.Optional(Id),
      fromAccountId: Type.Optional(Id),
      toWalletId: Type.Optional(Id),
      toAccountId: Type.Optional(Id),
      amount: Amount,
      note: Type.Optional(Prose(1000)),
    },
    {
      examples: [
        { fromWalletId: '01jk2v7m9q4x8r3t6w5y0z1abc', toAccountId: '01jk2v7m9q4x8r3t6w5y0z1abd', amount: '125.50' },
      ],
    },
  ),
)

export const AcknowledgeIn = named(
  'TransferAcknowledgeIn',
  Strict({
    state: OneOf(['booked', 'refused']),
    reference: Type.Optional(ReportedLine(100)),
    reason: Type.Optional(ReportedProse(500)),
  }),
)

export const TransferOut = named(
  'Transfer',
  Type.Object({
    id: Id,
    traderId: Id,
    kind: OneOf(TRANSFER_KINDS),
    fromWalletId: Nullable(Id),
    toWalletId: Nullable(Id),
    accountId: Nullable(Id),
    fromCurrency: Currency,
    fromAmount: Amount,
    toCurrency: Currency,
    toAmount: Amount,
    rate: Nullable(Type.String({ description: 'frozen at the transfer; null when no currency changed' })),
    rateSource: Nullable(Type.String()),
    rateAsOf: Nullable(Time),
    rateIds: Type.Array(Id),
    reference: Type.String({ description: 'ours, for the platform instruction' }),
    state: OneOf(TRANSFER_STATES, { description: 'sent to the platform, which books or refuses it' }),
    acknowledgedAt: Nullable(Time),
    platformReference: Nullable(Type.String()),
    refusalReason: Nullable(Type.String()),
    note: Nullable(Type.String()),
    createdAt: Time,
    updatedAt: Time,
  }),
)
export const TransferRowOut = rowOf(TransferOut)

/** The wire form of a transfer. */
export const toTransfer = (row: TransferRow): Static<typeof TransferOut> => ({
  id: row.id,
  traderId: row.traderId,
  kind: row.kind,
  fromWalletId: row.fromWalletId,
  toWalletId: row.toWalletId,
  accountId: row.accountId,
  fromCurrency: row.fromCurrency,
  fromAmount: formatAmount(row.fromAmount, row.fromCurrency),
  toCurrency: row.toCurrency,
  toAmount: formatAmount(row.toAmount, row.toCurrency),
  rate: row.rate,
  rateSource: row.rateSource,
  rateAsOf: row.rateAsOf === null ? null : toIso(row.rateAsOf),
  rateIds: row.rateIds,
  reference: row.reference,
  state: row.state,
  acknowledgedAt: row.acknowledgedAt === null ? null : toIso(row.acknowledgedAt),
  platformReference: row.platformReference,
  refusalReason: row.refusalReason,
  note: row.note,
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
})

/** What its trader sees of a transfer: a note of staff is for colleagues. */
export const toOwnTransfer = (row: TransferRow): Static<typeof TransferOut> => ({
  ...toTransfer(row),
  note: row.byTrader ? row.note : null,
  refusalReason: null,
})

const ours = alias(transfers, 'ours')
const theirs = alias(transfers, 'theirs')
export const transferList = defineList({
  name: 'transfers',
  table: transfers,
  money: { amount: 'fromAmount', currency: 'fromCurrency' },
  filters: {
    kind: equals(transfers.kind),
    state: equals(transfers.state),
    currency: equalsAny(transfers.fromCurrency, Currencies),
    traderId: equals(transfers.traderId, Id),
    accountId: equals(transfers.accountId, Id),
    q: rowSearch(transfers, {
      told: 'the id, or the beginning of our reference (in any case) or of the platform’s (its first six letters in any case)',
      // The first bounds are of our own reference, which has capitals only. Two lookups and no OR, each by its index.
      ids: sql`SELECT * FROM (SELECT ${ours.id} FROM ${transfers} AS ${ours} WHERE ${ours.tenantId} = ?
          AND ${ours.reference} >= upper(?) AND ${ours.reference} < upper(?) LIMIT ${sql.raw(String(MOST_REFERENCES))})
        UNION ALL SELECT * FROM (${byReference(transfers, theirs, theirs.platformReference)})`,
      params: (text, tenantId) => [...beginning(text), tenantId, writingsOf(text)],
    }),
  },
})
