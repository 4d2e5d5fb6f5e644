import { imports } from '../modules/overview/imports/imports.table.ts'
import type { Ctx } from '../platform/access/ctx.ts'
import type { Firm } from '../testing/app.ts'

/** Makes an import of clients in a state. A firm may have one open import, so an earlier one is closed. */
export const makeImport = (place: { ctx: Ctx; firm: Firm }, status: 'loaded' | 'done' | 'failed'): Promise<string> =>
  place.ctx.write('test.import', (tx) => {
    tx.execute(`UPDATE imports SET status = 'failed' WHERE tenant_id = ?1 AND status NOT IN ('done', 'undone')`)
    return tx.insert(imports, { status, createdBy: place.firm.as.manager.id, columns: ['mail'] }).id
  })
