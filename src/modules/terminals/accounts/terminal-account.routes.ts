import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { op } from '../../../platform/http/openapi/openapi.ts'
import { IdParam } from '../../../platform/wire/fields.ts'
import { readTerminalAccount, TerminalAccountOut } from './terminal-account.ts'

/** Accounts of clients on the trading servers. RULES “Reading a terminal”. */
export const terminalAccountRoutes = declareRoutes('Platforms').get(
  '/v1/accounts/:id/terminal',
  ({ ctx, params }) => readTerminalAccount(ctx, params.id),
  {
    access: { scope: 'accounts:read', role: 'viewer' },
    params: IdParam,
    ...op('accounts.terminal', 'What the terminal says now beside ours', { 200: TerminalAccountOut }, [404, 409]),
  },
)
