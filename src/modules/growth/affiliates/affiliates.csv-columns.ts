import type { Reader } from '../../../platform/db/reader.ts'
import { findClientNames } from '../../clients/traders/traders.rows.ts'
import { affiliates } from './affiliates.table.ts'

/** Makes the columns of a file for each row's affiliate: the code, and the name if the reader may know it. */
export const affiliateColumns = (db: Reader) => ({
  columns: ['affiliateCode', 'affiliateName'],
  of: (rows: readonly { affiliateId: string }[]): (string | null)[][] => {
    const found = db.list(affiliates, { id: [...new Set(rows.map(({ affiliateId }) => affiliateId))] })
    const names = findClientNames(
      db,
      found.map(({ traderId }) => traderId),
    )
    const byId = new Map(found.map(({ id, code, traderId }) => [id, [code, names.get(traderId) ?? null]]))
    return rows.map(({ affiliateId }) => byId.get(affiliateId) ?? [null, null])
  },
})
