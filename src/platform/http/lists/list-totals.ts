import { Type } from '@sinclair/typebox'
import type { MoneyColumns, Reader } from '../../db/reader.ts'
import type { TenantTable } from '../../db/tenant-table.ts'
import { formatAmount } from '../../money.ts'
import type { SqlValue } from '../../sqlite.ts'
import { Amount, Currency, QueryFlag } from '../../wire/fields.ts'
import { nameSchema } from '../../wire/schema-name.ts'

/**
 * The most rows that `count` and `sums` read. One event loop serves everybody, so nobody may make it count a million
 * rows. The limit is inside the statement, so that a large table costs no more than these rows.
 */
export const MOST_COUNTED = 10_000

/**
 * Predicates, each starting with ` AND `, and their parameters in order. Where they bound an amount, `apart` is the
 * column of its `MoneyColumns`.
 */
export type Where = { sql: string; params: SqlValue[]; apart?: string | undefined }

/** The parameter of lists that declare their money. */
export const summing = {
  sums: Type.Optional(
    QueryFlag(`also add up the money of all rows by currency (\`sums\`), null for more than ${MOST_COUNTED}`),
  ),
}

/** What `count=true` adds to a page. */
export const totalFields = {
  total: Type.Optional(
    nameSchema('Total', Type.Integer({ description: `only with count=true; at most ${MOST_COUNTED}` })),
  ),
  totalIsMinimum: Type.Optional(
    nameSchema(
      'TotalIsMinimum',
      Type.Boolean({
        description: 'true where there are more rows than `total`, or may be: a search fits more than it looks through',
      }),
    ),
  ),
}

/** The money of some rows in one currency. */
export const CurrencySum = nameSchema(
  'CurrencySum',
  Type.Object({
    currency: Currency,
    count: Type.Integer({ description: 'rows in this currency' }),
    amount: Amount,
  }),
)

/** What `sums=true` adds to a page. */
export const sumFields = {
  sums: Type.Optional(
    nameSchema(
      'CurrencySums',
      Type.Union([Type.Array(CurrencySum), Type.Null()], {
        description: `only with sums=true; null where more than ${MOST_COUNTED} rows match, or may`,
      }),
    ),
  ),
}

/** A sum on the wire: exact, with every decimal of its currency. */
type SumOut = { currency: string; count: number; amount: string }
export type ListTotals = { total?: number; totalIsMinimum?: boolean; sums?: SumOut[] | null }

/**
 * Returns the figures over all rows of a list that a query requests with `count=true` and `sums=true`. For a search
 * that may have left out rows (`isCut`) the total is a minimum, and there are no sums.
 */
export function readListTotals<T extends TenantTable>(
  db: Reader,
  { table, money }: { table: T; money?: MoneyColumns<T> | undefined },
  query: Readonly<Record<string, unknown>>,
  { sql, params, apart }: Where,
  isCut: () => boolean,
): ListTotals {
  const totals: ListTotals = {}
  if (query.count === 'true') {
    const found = db.total(table, sql, params, { atMost: MOST_COUNTED + 1, apart })
    totals.total = Math.min(found, MOST_COUNTED)
    // `isCut` runs the search once more, which is not needed if the total is only a minimum already
    if (found > MOST_COUNTED || isCut()) totals.totalIsMinimum = true
  }
  if (query.sums === 'true' && money !== undefined) {
    const isPart = totals.total === undefined ? isCut() : totals.totalIsMinimum === true
    totals.sums = isPart ? null : readSums(db, table, money, { sql, params, apart })
  }
  return totals
}

/** Returns the money of a table's rows by currency; null if more than `MOST_COUNTED` rows match. */
export function readSums<T extends TenantTable>(
  db: Reader,
  table: T,
  money: MoneyColumns<T>,
  { sql, params, apart }: Where,
): SumOut[] | null {
  const sums = db.sums(table, money, sql, params, { atMost: MOST_COUNTED, apart })
  return (
    sums?.map(({ currency, count, amount }) => ({ currency, count, amount: formatAmount(amount, currency) })) ?? null
  )
}
