import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { sendList } from '../../../platform/http/lists/list-file.ts'
import { Page, readPage } from '../../../platform/http/lists/page.ts'
import { Csv, op } from '../../../platform/http/openapi/openapi.ts'
import { CloseIn, CloseOut, FindingOut, findingList, toFinding } from '../findings/findings.model.ts'
import { READS_FINDINGS } from '../findings/findings.table.ts'
import { closeFindings } from './close.service.ts'

/** What does not fit between trading servers and our books. RULES “Findings”. */
export const findingRoutes = declareRoutes('Platforms')
  .get('/v1/platforms/findings', ({ ctx, query }) => readPage(ctx, findingList, query, toFinding), {
    access: READS_FINDINGS,
    query: findingList.query,
    ...op('platforms.findings.list', 'What does not fit between trading servers and books', { 200: Page(FindingOut) }),
  })
  .get(
    '/v1/platforms/findings/export.csv',
    ({ ctx, query }) => sendList(ctx, findingList, query, { entity: 'terminal_finding', form: toFinding }),
    {
      access: { ...READS_FINDINGS, fresh: true },
      query: findingList.exportQuery,
      ...op('platforms.findings.export', 'Export findings as CSV', { 200: Csv }),
    },
  )
  .post('/v1/platforms/findings/close', ({ ctx, body }) => closeFindings(ctx, body), {
    access: { scope: 'platforms:write', role: 'manager' },
    body: CloseIn,
    ...op('platforms.findings.close', 'Close findings with a reason; a result for each', { 200: CloseOut }),
  })
