import { imports } from '../modules/imports/imports.table.ts'
import { body, type Make, on } from './sample.ts'
import type { Place } from './world.ts'

/** A file of clients in a state; a firm has one open file at a time, so that an earlier one is over. */
export const importOf = (place: Pick<Place, 'ctx' | 'firm'>, status: 'loaded' | 'done' | 'failed'): Promise<string> =>
  place.ctx.write('test.import', (tx) => {
    tx.execute(`UPDATE imports SET status = 'failed' WHERE tenant_id = ?1 AND status NOT IN ('done', 'undone')`)
    return tx.insert(imports, { status, createdBy: place.firm.as.manager.id, columns: ['mail'] }).id
  })

/** Samples of moving in. */
export const importSamples: Readonly<Record<string, Make>> = {
  'POST /v1/traders/import': body(async (place) => {
    await importOf(place, 'failed')
    return {
      csv: `mail,money,coin\n${place.email()},5,EUR`,
      fileName: 'clients.csv',
      platform: 'terminal5',
      mapping: { mail: 'email', money: 'balance', coin: 'currency' },
      controlTotals: { EUR: '5.00' },
      skipErrors: false,
      dryRun: false,
    }
  }),
  'POST /v1/traders/import/:id/confirm': on(
    async (place) => `/v1/traders/import/${await importOf(place, 'loaded')}/confirm`,
    { note: 'compared with the bank' },
  ),
  'POST /v1/traders/import/:id/undo': on(async (place) => `/v1/traders/import/${await importOf(place, 'done')}/undo`),
}
