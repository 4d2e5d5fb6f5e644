import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { sendList } from '../../../platform/http/lists/list-file.ts'
import { Page, readPage } from '../../../platform/http/lists/page.ts'
import { Csv, op } from '../../../platform/http/openapi/openapi.ts'
import { askInDays, DayOut, dayList, narrowToForce, toDayOut } from './days.model.ts'

const read = { scope: 'platforms:read', role: 'manager' } as const

/** What lay on trading servers at the end of each day, and what explains it. RULES “Days of a terminal”. */
export const dayRoutes = declareRoutes('Platforms')
  .get(
    '/v1/platforms/days',
    ({ ctx, query }) => readPage(ctx, dayList, askInDays(ctx.db, query), toDayOut, {}, narrowToForce(query)),
    {
      access: read,
      query: dayList.query,
      ...op('platforms.days.list', 'What lay on trading servers at the end of each day', { 200: Page(DayOut) }),
    },
  )
  .get(
    '/v1/platforms/days/export.csv',
    ({ ctx, query }) =>
      sendList(ctx, dayList, askInDays(ctx.db, query), {
        entity: 'terminal_day',
        form: toDayOut,
        only: narrowToForce(query),
      }),
    {
      access: { ...read, fresh: true },
      query: dayList.exportQuery,
      ...op('platforms.days.export', 'Export the days of trading servers as CSV', { 200: Csv }),
    },
  )
