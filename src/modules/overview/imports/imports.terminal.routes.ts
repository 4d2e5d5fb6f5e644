import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { op } from '../../../platform/http/openapi/openapi.ts'
import { IdParam } from '../../../platform/wire/fields.ts'
import { ImportOut } from './imports.model.ts'
import { importFromTerminal, TerminalImportIn, TerminalImportOut } from './imports.terminal.ts'

/** Clients who are on a trading server and not here. RULES “Moving in”. */
export const terminalImportRoutes = declareRoutes('Platforms').post(
  '/v1/platforms/connections/:id/import',
  ({ ctx, params, body, set }) => {
    if (!body.dryRun) set.status = 202
    return importFromTerminal(ctx, params.id, body)
  },
  {
    access: { scope: 'traders:write', role: 'admin' },
    params: IdParam,
    body: TerminalImportIn,
    ...op(
      'platforms.connections.import',
      'Bring in the clients of logins that have no account here, or count them',
      { 200: TerminalImportOut, 202: ImportOut },
      [404, 409, 503],
    ),
  },
)
