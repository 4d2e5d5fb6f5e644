import { Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { byReference, listSpellings, MOST_REFERENCES } from '../../../platform/db/references.ts'
import { ownMapper, wireFields, wireMapper } from '../../../platform/db/wire-form.ts'
import { Currencies } from '../../../platform/http/lists/comma-filters.ts'
import { equals, equalsAny, flagFilter } from '../../../platform/http/lists/list-filters.ts'
import { defineList } from '../../../platform/http/lists/page.ts'
import { Amount, Id, OneOf, Prose, ReportedLine, ReportedProse, Strict } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { beginning, buildRowSchema, rowSearch } from '../../clients/traders/traders.rows.ts'
import { transfers } from './transfers.table.ts'

export const TransferIn = nameSchema(
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

export const AcknowledgeIn = nameSchema(
  'TransferAcknowledgeIn',
  Strict({
    state: OneOf(['booked', 'refused']),
    reference: Type.Optional(ReportedLine(100)),
    reason: Type.Optional(ReportedProse(500)),
  }),
)

export const TransferOut = nameSchema('Transfer', Type.Object(wireFields(transfers)))
export const TransferRowOut = buildRowSchema(TransferOut)

export const toTransfer = wireMapper(transfers)
/** The client's form of a transfer, without a note of staff. */
export const toOwnTransfer = ownMapper(transfers)

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
    converts: flagFilter(
      sql`${transfers.fromCurrency} <> ${transfers.toCurrency}`,
      'only transfers from one currency to another',
    ),
    q: rowSearch(transfers, {
      description:
        'the id, or the beginning of our reference in any case, or of the platform’s (first six letters in any case)',
      // Our own reference has capitals only, so its bounds are written in capitals. Two lookups use one index each,
      // which an OR would not.
      ids: sql`SELECT * FROM (SELECT ${ours.id} FROM ${transfers} AS ${ours} WHERE ${ours.tenantId} = ?
          AND ${ours.reference} >= upper(?) AND ${ours.reference} < upper(?) LIMIT ${sql.raw(String(MOST_REFERENCES))})
        UNION ALL SELECT * FROM (${byReference(transfers, theirs, theirs.platformReference)})`,
      params: (text, tenantId) => [...beginning(text), tenantId, listSpellings(text)],
    }),
  },
})
