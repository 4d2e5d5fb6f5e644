import type { Ctx } from '../../../platform/access/ctx.ts'
import type { Change, State, Terminal } from '../contract/terminal.ts'
import type { InstructionRow } from '../instructions/instructions.table.ts'
import { forgetPasswords, mailPasswords, needPassword, sealPasswords } from '../instructions/passwords.ts'
import { whyNotGroup } from './open.ts'
import type { Plan } from './plan.ts'

/** Returns a login as the terminal has it now; undefined if it has not. */
async function readState(terminal: Pick<Terminal, 'states'>, login: string): Promise<State | undefined> {
  for await (const [state] of terminal.states([login])) return state
  return undefined
}

/** Returns whether a login has the value that is set. Whether it has a password only the driver finds out. */
function hasValue({ leverage, group, trading, signIn }: InstructionRow['value'], state: State): boolean {
  if (leverage !== undefined) return state.leverage === leverage
  if (group !== undefined) return state.group === group
  if (trading !== undefined) return state.mayTrade === trading
  return signIn !== undefined && state.maySignIn === signIn
}

function toChange(ctx: Ctx, row: InstructionRow): Change {
  const { leverage, group, trading, signIn, password } = row.value
  if (leverage !== undefined) return { leverage }
  if (group !== undefined) return { group }
  if (trading !== undefined) return { trading }
  if (signIn !== undefined) return { signIn }
  if (password !== undefined) return { password, value: needPassword(ctx, row, password) }
  throw new Error(`the instruction ${row.id} changes nothing`)
}

/** Sets one value of a login, which the driver reads back. It may be sent again: the value is the same. */
export const changePlan: Plan = {
  isOnce: false,
  look: async ({ terminal }, { login, value }) => {
    const state = await readState(terminal, login ?? '')
    return state && hasValue(value, state) ? { is: 'done', number: state.login } : { is: 'none' }
  },
  check: async (session, row) => {
    if ((await readState(session.terminal, row.login ?? '')) === undefined) return 'no_login'
    return row.kind === 'group' ? whyNotGroup(session, row) : null
  },
  prepare: (ctx, row) => sealPasswords(ctx, row, row.value.password === undefined ? [] : [row.value.password]),
  send: (ctx, { terminal }, row) => terminal.set(row.login ?? '', toChange(ctx, row)),
  // what was set is in our books when the terminal is read next
  onDone: (tx, ctx, _connection, row) => {
    if (row.kind === 'password') mailPasswords(tx, ctx, row)
  },
  onRefused: (tx, row) => {
    if (row.kind === 'password') forgetPasswords(tx, row)
  },
  onUnresolved: () => {},
}
