import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { op } from '../../../platform/http/openapi/openapi.ts'
import { IdParam } from '../../../platform/wire/fields.ts'
import { InstructionOut } from '../instructions/instructions.model.ts'
import { changeAccount, openAccount } from './order-account.ts'
import { revealPasswords } from './reveal-passwords.ts'
import { readTerminalAccount, TerminalAccountOut } from './terminal-account.ts'
import { ChangeAccountIn, OpenAccountIn, RevealIn, RevealOut } from './terminal-orders.model.ts'

const write = { scope: 'accounts:write', role: 'operator' } as const

/** Accounts of clients on the trading servers. RULES “Reading a terminal”, “Accounts on a terminal”. */
export const terminalAccountRoutes = declareRoutes('Platforms')
  .get('/v1/accounts/:id/terminal', ({ ctx, params }) => readTerminalAccount(ctx, params.id), {
    access: { scope: 'accounts:read', role: 'viewer' },
    params: IdParam,
    ...op('accounts.terminal', 'What the terminal says now beside ours', { 200: TerminalAccountOut }, [404, 409]),
  })
  .post('/v1/accounts/open', ({ ctx, body }) => openAccount(ctx, body), {
    access: write,
    accepts: true,
    body: OpenAccountIn,
    ...op('accounts.open', 'Open an account on a trading server', { 202: InstructionOut }, [409]),
  })
  .post('/v1/accounts/:id/changes', ({ ctx, params, body }) => changeAccount(ctx, params.id, body), {
    access: write,
    accepts: true,
    params: IdParam,
    body: ChangeAccountIn,
    ...op(
      'accounts.changes',
      'Change one thing of an account at its trading server',
      { 202: InstructionOut },
      [404, 409],
    ),
  })
  .post('/v1/accounts/passwords/reveal', ({ ctx, body }) => revealPasswords(ctx, body), {
    access: 'public',
    body: RevealIn,
    ...op('accounts.passwords.reveal', 'Passwords of an account by the mailed token, once', { 200: RevealOut }, [410]),
  })
