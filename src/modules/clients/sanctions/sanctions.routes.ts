import { spooledFile } from '../../../platform/http/body/spool.ts'
import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { Page, readPage } from '../../../platform/http/lists/page.ts'
import { Csv, op } from '../../../platform/http/openapi/openapi.ts'
import { IdParam } from '../../../platform/wire/fields.ts'
import { exportRows, withNames } from '../traders/traders.rows.ts'
import { READS_HITS } from './sanctions.access.ts'
import { clearHit, confirmHit } from './sanctions.decisions.ts'
import { readHit } from './sanctions.detail.ts'
import {
  DecisionIn,
  HIT_FILE,
  HitDetail,
  HitOut,
  HitRowOut,
  hitList,
  LIST_BYTES,
  ListIn,
  ListOut,
  ListsOut,
  toHit,
  toHitLine,
} from './sanctions.model.ts'
import { listLists, loadList } from './sanctions.service.ts'

const decide = { scope: 'sanctions-decisions:write', role: 'manager' } as const

const hitRoutes = declareRoutes('Sanctions')
  .get('/v1/sanctions/hits', ({ ctx, query }) => withNames(ctx, readPage(ctx, hitList, query, toHit)), {
    access: READS_HITS,
    query: hitList.query,
    ...op('sanctions.hits.list', 'Open and decided name matches', { 200: Page(HitRowOut) }),
  })
  .get(
    '/v1/sanctions/hits/export.csv',
    ({ ctx, query }) => exportRows(ctx, hitList, query, 'sanctions_hit', toHitLine, HIT_FILE),
    {
      access: { ...READS_HITS, fresh: true },
      query: hitList.exportQuery,
      ...op('sanctions.hits.export', 'Export sanctions matches as CSV', { 200: Csv }),
    },
  )
  .get('/v1/sanctions/hits/:id', ({ ctx, params }) => readHit(ctx, params.id), {
    access: READS_HITS,
    params: IdParam,
    ...op('sanctions.hits.get', 'One match, with the client beside the entry', { 200: HitDetail }, [404]),
  })
  .post(
    '/v1/sanctions/hits/:id/clear',
    ({ ctx, params, body, expect, set }) => {
      const accepted = () => {
        set.status = 202
      }
      return clearHit(ctx, params.id, body, { expect, accepted })
    },
    {
      access: { ...decide, fresh: true },
      params: IdParam,
      body: DecisionIn,
      ...op(
        'sanctions.hits.clear',
        'It is somebody else; a confirmed match takes two people',
        { 200: HitOut, 202: HitOut },
        [404, 409, 412],
        { another: 'The first of two words on a confirmed match: it waits for another person.' },
      ),
    },
  )
  .post('/v1/sanctions/hits/:id/confirm', ({ ctx, params, body, expect }) => confirmHit(ctx, params.id, body, expect), {
    access: decide,
    params: IdParam,
    body: DecisionIn,
    ...op('sanctions.hits.confirm', 'It is the person on the list; blocks money out', { 200: HitOut }, [404, 409, 412]),
  })

const listRoutes = declareRoutes('Sanctions')
  .get('/v1/sanctions/lists', ({ ctx }) => listLists(ctx), {
    access: READS_HITS,
    ...op('sanctions.lists.list', 'Loaded lists with version and hash', { 200: ListsOut }),
  })
  .post('/v1/sanctions/lists', ({ ctx, body, request }) => loadList(ctx, body, (text) => spooledFile(request, text)), {
    access: { scope: 'sanctions-decisions:write', role: 'admin', fresh: true },
    creates: true,
    maxBytes: LIST_BYTES,
    spooled: true,
    body: ListIn,
    ...op('sanctions.lists.load', 'Load an official list file; screens everybody again', { 201: ListOut }, [409]),
  })

/** Official lists and the clients who may be on them. RULES “Sanctions”. */
export const sanctionsRoutes = hitRoutes.and(listRoutes)
