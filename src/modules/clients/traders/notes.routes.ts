import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { Page, readPage } from '../../../platform/http/lists/page.ts'
import { op } from '../../../platform/http/openapi/openapi.ts'
import { IdParam } from '../../../platform/wire/fields.ts'
import { TraderNoteIn, TraderNoteOut, toTraderNote, traderNoteList } from './traders.model.ts'
import { addNote } from './traders.service.ts'
import { traders } from './traders.table.ts'

const read = { scope: 'traders:read', role: 'viewer' } as const
const write = { scope: 'traders:write', role: 'operator' } as const

/** Internal notes about a client. */
export const traderNoteRoutes = declareRoutes('Traders')
  .get(
    '/v1/traders/:id/notes',
    ({ ctx, params, query }) => {
      ctx.db.get(traders, params.id, { withDeleted: true })
      return readPage(ctx, traderNoteList, query, toTraderNote, { traderId: params.id })
    },
    {
      access: read,
      params: IdParam,
      query: traderNoteList.query,
      ...op('traders.notes.list', 'Internal notes', { 200: Page(TraderNoteOut) }, [404]),
    },
  )
  .post('/v1/traders/:id/notes', ({ ctx, params, body }) => addNote(ctx, params.id, body), {
    access: write,
    creates: true,
    params: IdParam,
    body: TraderNoteIn,
    ...op('traders.notes.add', 'Add an internal note', { 201: TraderNoteOut }, [404]),
  })
