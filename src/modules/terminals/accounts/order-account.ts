import type { Static } from '@sinclair/typebox'
import { atLeast } from '../../../platform/access/catalogue.ts'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { findRole, findStaffId } from '../../../platform/access/principal.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { invalid, Problem } from '../../../platform/problem.ts'
import { knownCurrency } from '../../../platform/wire/fields.ts'
import { say } from '../../../words/say.ts'
import { accounts } from '../../books/accounts/accounts.table.ts'
import { refuseMoveTo } from '../../clients/sanctions/sanctions.queries.ts'
import { traderErrors } from '../../clients/traders/traders.errors.ts'
import { traders } from '../../clients/traders/traders.table.ts'
import { independenceErrors } from '../../firm/independence/independence.errors.ts'
import { linkedAccount, requireDecider } from '../../firm/independence/independence.service.ts'
import { type ConnectionRow, terminalConnections } from '../connections/connections.table.ts'
import { findType } from '../connections/groups.ts'
import { listReadGroups } from '../connections/known-groups.ts'
import { type Instruction, toInstruction } from '../instructions/instructions.model.ts'
import { OPEN_STATES } from '../instructions/instructions.store.ts'
import { type InstructionKind, type InstructionRow, terminalInstructions } from '../instructions/instructions.table.ts'
import { terminalLogins } from '../logins/logins.table.ts'
import { findConnection, findListed } from '../sending/money.hooks.ts'
import { sendingErrors } from '../sending/sending.errors.ts'
import type { ChangeAccountIn, OpenAccountIn } from './terminal-orders.model.ts'

/** Refuses a group that a connection does not read; returns its currency. */
function readCurrency(ctx: Ctx, tx: Tx, connection: ConnectionRow, name: string): string {
  const known = listReadGroups(ctx, tx, connection).find((group) => group.name === name)
  if (known) return known.currency
  const login =
    findType(connection.groups, name) === null
      ? undefined
      : tx.find(terminalLogins, { connectionId: connection.id, groupName: name })
  if (login === undefined) throw invalid('group', 'unknown', say('terminals.field.group_unknown'))
  return login.currency
}

type Asked = Pick<InstructionRow, 'connectionId' | 'kind' | 'traderId' | 'currency' | 'value'> & Partial<InstructionRow>

/** Writes an instruction that is carried out at once. */
function ask(tx: Tx, ctx: Ctx, asked: Asked): Instruction {
  const id = ctx.ids.next('tin')
  const reference = `BB-${id.slice(-12).toUpperCase()}`
  const askedBy = findStaffId(ctx.principal)
  return toInstruction(tx.insert(terminalInstructions, { id, reference, askedBy, nextAt: tx.now, ...asked }))
}

/** Asks a terminal to open an account for a client. RULES “Accounts on a terminal”. */
export function openAccount(ctx: Ctx, input: Static<typeof OpenAccountIn>): Promise<Instruction> {
  const { traderId, connectionId, group, leverage } = input
  const currency = knownCurrency('currency', input.currency)
  return ctx.write('terminals.open_account', (tx) => {
    const trader = tx.find(traders, { id: traderId })
    if (!trader) throw invalid('traderId', 'unknown', say('problems.field.client_unknown'))
    const connection = tx.find(terminalConnections, { id: connectionId })
    if (!connection) throw invalid('connectionId', 'unknown', say('terminals.field.connection_unknown'))
    if (connection.confirmedAt === null || connection.paused) throw sendingErrors.not_ready()
    if (readCurrency(ctx, tx, connection, group) !== currency)
      throw invalid('currency', 'currency', say('terminals.field.group_currency'))
    if (trader.status !== 'active') throw sendingErrors.trader_not_active()
    refuseMoveTo(tx.unowned, traderId)
    return ask(tx, ctx, { connectionId, kind: 'open', traderId, currency, value: { group, leverage } })
  })
}

type Wanted = { kind: InstructionKind; value: InstructionRow['value']; byOperator: boolean }

/** Returns what a body asks for; 422 if that is not exactly one thing. */
function readWanted(input: Static<typeof ChangeAccountIn>): Wanted {
  const { leverage, group, trading, signIn, password } = input
  const all: Wanted[] = []
  if (leverage !== undefined) all.push({ kind: 'leverage', value: { leverage }, byOperator: false })
  if (group !== undefined) all.push({ kind: 'group', value: { group }, byOperator: false })
  if (trading !== undefined)
    all.push({ kind: 'trading', value: { trading: trading === 'on' }, byOperator: trading === 'off' })
  if (signIn !== undefined)
    all.push({ kind: 'sign_in', value: { signIn: signIn === 'on' }, byOperator: signIn === 'off' })
  if (password !== undefined) all.push({ kind: 'password', value: { password }, byOperator: true })
  const [wanted] = all
  if (wanted && all.length === 1) return wanted
  throw invalid('leverage', 'one_of', say('terminals.field.change_one_of'))
}

/**
 * Refuses new passwords to whoever could read them, or by whose word alone an account is this client’s: it may be
 * somebody else’s. One that was opened from here is nobody else’s.
 */
function refuseTies(tx: Tx, ctx: Ctx, accountId: string, traderId: string): void {
  const { userId, people } = requireDecider(tx, ctx, traderId)
  if (tx.find(terminalInstructions, { accountId, kind: 'open', state: 'done' })) return
  if (linkedAccount(tx.unowned, people, userId, traderId, tx.now)) throw independenceErrors.own_client()
}

/** Asks a terminal to change one thing of an account. RULES “Accounts on a terminal”. */
export function changeAccount(
  ctx: Ctx,
  accountId: string,
  input: Static<typeof ChangeAccountIn>,
): Promise<Instruction> {
  const { kind, value, byOperator } = readWanted(input)
  return ctx.write('terminals.change_account', (tx) => {
    const account = tx.get(accounts, accountId)
    if (!byOperator && !atLeast(findRole(ctx.principal) ?? 'viewer', 'manager'))
      throw new Problem(403, 'forbidden', say('terminals.problem.manager_changes'))
    const connection = findConnection(tx, account)
    const login = connection && findListed(tx, connection.id, account)
    if (!connection || !login) throw sendingErrors.login_unknown()
    if (value.group !== undefined && readCurrency(ctx, tx, connection, value.group) !== login.currency)
      throw invalid('group', 'currency', say('terminals.field.group_currency'))
    if (kind === 'password') refuseTies(tx, ctx, accountId, account.traderId)
    if (kind === 'password' && !tx.find(traders, { id: account.traderId })?.email) throw traderErrors.no_email()
    if (tx.count(terminalInstructions, { accountId, kind, state: [...OPEN_STATES] }) > 0)
      throw sendingErrors.change_waits()
    const { traderId } = account
    const { currency } = login
    return ask(tx, ctx, { connectionId: connection.id, kind, traderId, accountId, login: login.login, currency, value })
  })
}
