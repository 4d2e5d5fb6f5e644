import { makeWorkbook } from '../testing/workbook.ts'
import { makeImport } from './made-import.ts'
import { body, type Make, on } from './sample.ts'

export const importSamples: Readonly<Record<string, Make>> = {
  'POST /v1/traders/import': body(async (place) => {
    await makeImport(place, 'failed')
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
  'POST /v1/workbooks/read': body(async () => ({
    content: (await makeWorkbook({ Clients: [['Ann']], Other: [['Bob']] })).toBase64(),
    sheet: 'Other',
  })),
  'POST /v1/traders/import/:id/confirm': on(
    async (place) => `/v1/traders/import/${await makeImport(place, 'loaded')}/confirm`,
    { note: 'compared with the bank' },
  ),
  'POST /v1/traders/import/:id/undo': on(async (place) => `/v1/traders/import/${await makeImport(place, 'done')}/undo`),
}
