import { type Static, Type } from '@sinclair/typebox'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { toIso } from '../../../platform/clock.ts'
import { formatAmount, roundAmount } from '../../../platform/money.ts'
import { defineErrors } from '../../../platform/problem.ts'
import { Amount, Currency, Id, Nullable, OneOf, Time } from '../../../platform/wire/fields.ts'
import { nameSchema, worded } from '../../../platform/wire/schema-name.ts'
import { say } from '../../../words/say.ts'
import { accounts } from '../../books/accounts/accounts.table.ts'
import { type ConnectionRow, terminalConnections } from '../connections/connections.table.ts'
import type { State } from '../contract/terminal.ts'
import { type LoginRow, terminalLogins } from '../logins/logins.table.ts'
import { askTerminal } from '../sessions/ask-terminal.ts'

const errors = defineErrors('terminals', () => ({
  not_on_terminal: [409, say('terminals.problem.not_on_terminal')],
}))

const Side = {
  balance: Amount,
  equity: Nullable(Amount),
  currency: Currency,
  leverage: Type.Integer(),
}
export const TerminalAccountOut = nameSchema(
  'TerminalAccount',
  Type.Object({
    connectionId: Id,
    login: Type.String(),
    state: OneOf(['there', 'archived', 'gone', 'reused']),
    at: Time,
    asked: Type.Boolean({ description: 'the terminal answered now; else it is what was read last' }),
    ours: Type.Object({ ...Side, at: Nullable(worded(Time, 'when our balance was last reported')) }),
    theirs: Type.Object({
      ...Side,
      credit: Amount,
      marginFree: Nullable(Amount),
      group: Type.String(),
      mayTrade: Type.Boolean(),
      maySignIn: Type.Boolean(),
    }),
    differs: Type.Array(OneOf(['balance', 'equity', 'currency', 'leverage'])),
  }),
)
type TerminalAccount = Static<typeof TerminalAccountOut>

/** Returns the connection and login of an account. */
function findLogin(ctx: Ctx, account: { platform: string; server: string; accountNumber: string | null }) {
  const { platform, server, accountNumber } = account
  if (accountNumber === null) throw errors.not_on_terminal()
  for (const connection of ctx.unowned.list(terminalConnections, { platform, ...(server !== '' && { server }) })) {
    const login = ctx.unowned.find(terminalLogins, { connectionId: connection.id, login: accountNumber })
    if (login !== undefined) return { connection, login }
  }
  throw errors.not_on_terminal()
}

/** Asks the terminal now; undefined if it does not answer in time, or is not spoken to. */
const askNow = (ctx: Ctx, { id }: ConnectionRow, { login }: LoginRow): Promise<State | undefined> =>
  askTerminal(ctx, id, async (terminal) => {
    for await (const [state] of terminal.states([login])) return state
    return undefined
  })

type Theirs = Pick<
  LoginRow,
  'balance' | 'credit' | 'equity' | 'marginFree' | 'leverage' | 'groupName' | 'mayTrade' | 'maySignIn'
>
/** Returns what a terminal said as the row of a login has it. */
function toTheirs(state: State, currency: string): Theirs {
  const round = (text: string): bigint => roundAmount(text, currency)
  return {
    balance: round(state.balance),
    credit: round(state.credit),
    equity: state.equity === null ? null : round(state.equity),
    marginFree: state.marginFree === null ? null : round(state.marginFree),
    leverage: state.leverage,
    groupName: state.group,
    mayTrade: state.mayTrade,
    maySignIn: state.maySignIn,
  }
}

const DIFFERS = ['balance', 'equity', 'currency', 'leverage'] as const

/** Answers what the terminal says of an account beside what we have of it. 409 if it is on no terminal. */
export async function readTerminalAccount(ctx: Ctx, id: string): Promise<TerminalAccount> {
  const account = ctx.db.get(accounts, id)
  const { connection, login } = findLogin(ctx, account)
  const said = login.state === 'there' ? await askNow(ctx, connection, login) : undefined
  const now = said?.registeredAt === login.registeredAt ? said : undefined
  const { currency } = login
  const theirs = now ? toTheirs(now, currency) : login
  const write = (minor: bigint | null): string | null => (minor === null ? null : formatAmount(minor, currency))
  const answer = {
    ours: {
      balance: formatAmount(account.balance, account.currency),
      equity: formatAmount(account.equity, account.currency),
      currency: account.currency,
      leverage: account.leverage,
      at: account.balanceAt === null ? null : toIso(account.balanceAt),
    },
    theirs: {
      balance: formatAmount(theirs.balance, currency),
      equity: write(theirs.equity),
      currency,
      leverage: theirs.leverage,
      credit: formatAmount(theirs.credit, currency),
      marginFree: write(theirs.marginFree),
      group: theirs.groupName,
      mayTrade: theirs.mayTrade,
      maySignIn: theirs.maySignIn,
    },
  }
  const { ours } = answer
  return {
    connectionId: connection.id,
    login: login.login,
    state: login.state,
    at: toIso(now ? ctx.now() : login.readAt),
    asked: now !== undefined,
    ...answer,
    // what the terminal does not say is not another value
    differs: DIFFERS.filter((key) => answer.theirs[key] !== null && answer.theirs[key] !== ours[key]),
  }
}
