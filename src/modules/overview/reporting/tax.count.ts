import { type Static, Type } from '@sinclair/typebox'
import type { Reader } from '../../../platform/db/reader.ts'
import { MOST_COUNTED } from '../../../platform/http/lists/list-totals.ts'
import { countTax, readTax, TaxParams } from './tax.queries.ts'

export const TaxPageParams = Type.Object({ ...TaxParams.properties, count: Type.Boolean() })

/** Returns a page of the tax report; if `count` asks for it, also the number of its rows, as lists do. */
export function readTaxPage(db: Reader, { count, ...params }: Static<typeof TaxPageParams>) {
  const part = readTax(db, params)
  if (!count) return part
  if (part.next === null && params.after === null) return { ...part, total: part.rows.length }
  const all = countTax(db, params, MOST_COUNTED)
  return { ...part, total: all.count, ...(!all.isAll && { totalIsMinimum: true }) }
}
