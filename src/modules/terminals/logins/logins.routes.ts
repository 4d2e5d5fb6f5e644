import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { sendList } from '../../../platform/http/lists/list-file.ts'
import { Page, readPage } from '../../../platform/http/lists/page.ts'
import { Csv, op } from '../../../platform/http/openapi/openapi.ts'
import { COLUMNS, findAccount, LoginOut, loginList, toLogin } from './logins.model.ts'

const read = { scope: 'platforms:read', role: 'manager' } as const

/** The logins of the trading servers. RULES “Reading a terminal”. */
export const loginRoutes = declareRoutes('Platforms')
  .get(
    '/v1/platforms/logins',
    ({ ctx, query }) => readPage(ctx, loginList, query, (row) => toLogin(row, findAccount(ctx.db, row))),
    {
      access: read,
      query: loginList.query,
      ...op('platforms.logins.list', 'Logins of the trading servers', { 200: Page(LoginOut) }),
    },
  )
  .get(
    '/v1/platforms/logins/export.csv',
    ({ ctx, query }) =>
      sendList(ctx, loginList, query, {
        entity: 'terminal_login',
        form: (row) => toLogin(row, findAccount(ctx.db, row)),
        columns: COLUMNS,
      }),
    {
      access: { ...read, fresh: true },
      query: loginList.exportQuery,
      ...op('platforms.logins.export', 'Export logins as CSV', { 200: Csv }),
    },
  )
