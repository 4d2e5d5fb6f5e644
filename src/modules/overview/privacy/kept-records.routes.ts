import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { Page } from '../../../platform/http/lists/page.ts'
import { Bytes, op } from '../../../platform/http/openapi/openapi.ts'
import { IdParam } from '../../../platform/wire/fields.ts'
import { KeptRecordOut, keptRecordList, OpenIn } from '../../clients/kept-records/kept-records.model.ts'
import { listKeptRecords, openKeptRecord } from './kept-records.service.ts'

const access = { scope: 'privacy:read', role: 'owner', closedToViews: true } as const

/** Records of erased clients that the law keeps. RULES “Erasure”. */
export const keptRecordRoutes = declareRoutes('Traders')
  .get('/v1/kept-records', ({ ctx, query }) => listKeptRecords(ctx, query), {
    access,
    query: keptRecordList.query,
    ...op('keptRecords.list', 'Sealed records of erased clients, without names', { 200: Page(KeptRecordOut) }),
  })
  .post('/v1/kept-records/:id/open', ({ ctx, params, body }) => openKeptRecord(ctx, params.id, body.reason), {
    access: { ...access, fresh: true },
    params: IdParam,
    body: OpenIn,
    ...op('keptRecords.open', 'A kept record as a ZIP; all owners are mailed', { 200: Bytes }, [404]),
  })
