import type { Reader } from '../../../platform/db/reader.ts'
import { namesOf } from '../../clients/traders/traders.rows.ts'
import { affiliates } from './affiliates.table.ts'

/** The columns of a file that tell which affiliate each row is of: code, and name where the reader may know it. */
export const affiliateColumns = (db: Reader) => ({
  columns: ['affiliateCode', 'affiliateName'],
  of: (rows: readonly { affiliateId: string }[]): (string | null)[][] => {
    const found = db.list(affiliates, { id: [...new Set(rows.map(({ affiliateId }) => affiliateId))] })
    const names = namesOf(
      db,
      found.map(({ traderId }) => traderId),
    )
    const byId = new Map(found.map(({ id, code, traderId }) => [id, [code, names.get(traderId) ?? null]]))
    return rows.map(({ affiliateId }) => byId.get(affiliateId) ?? [null, null])
  },
})
