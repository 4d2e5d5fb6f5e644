import { Type } from '@sinclair/typebox'
import { say } from '../../../words/say.ts'
import type { MoneyColumns } from '../../db/reader.ts'
import { getTableMeta, type TenantTable } from '../../db/tenant-table.ts'
import { invalid } from '../../problem.ts'
import { Amount, parseAmountField } from '../../wire/fields.ts'
import { worded } from '../../wire/schema-name.ts'
import type { Where } from './list-totals.ts'

type Query = Readonly<Record<string, unknown>>

const amounts = {
  amountFrom: Type.Optional(worded(Amount, 'at least so much; needs one `currency`')),
  amountTo: Type.Optional(worded(Amount, 'at most so much; needs one `currency`')),
}

/** The parameters that bound the amount of a row, for lists that declare their money. */
export const amountChoice = <M>(money: M | undefined) =>
  (money === undefined ? {} : amounts) as M extends undefined ? object : typeof amounts

const BOUNDS = [
  ['amountFrom', '>='],
  ['amountTo', '<='],
] as const

/** Returns whether a query bounds the amount. */
export const hasAmounts = (query: Query): boolean => BOUNDS.some(([name]) => query[name] !== undefined)

/** Returns the one currency of a query by amounts; throws the 422 if the query has none or several. */
export function getOneCurrency({ currency }: Query, what: 'order' | (typeof BOUNDS)[number][0]): string {
  if (typeof currency !== 'string' || currency.includes(','))
    throw invalid('query.currency', 'required', say('problems.field.currency_required', { what }))
  return currency
}

/**
 * Returns the bounds of the amount. `walks` is set if SQLite reads the rows in the order of another index. A plus then
 * keeps it from the index of amounts, which would find many rows that have to be sorted.
 */
export function amountsWhere(
  { table, money }: { table: TenantTable; money?: MoneyColumns<TenantTable> | undefined },
  query: Query,
  walks: boolean,
): Where {
  const meta = getTableMeta(table)
  const column = money && meta.byKey.get(money.amount)?.sql
  const where: Where = { sql: '', params: [] }
  if (column === undefined) return where
  for (const [name, operator] of BOUNDS) {
    const text = query[name]
    if (typeof text !== 'string') continue
    where.sql += ` AND ${walks ? '+' : ''}${meta.name}.${column} ${operator} ?`
    where.params.push(Number(parseAmountField(`query.${name}`, text, getOneCurrency(query, name))))
  }
  return where
}
