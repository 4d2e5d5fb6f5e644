import type { Ctx } from '../../../platform/access/ctx.ts'
import { MINUTE } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { findByNumber } from '../../books/accounts/account-numbers.ts'
import { toAccount } from '../../books/accounts/accounts.model.ts'
import { accounts } from '../../books/accounts/accounts.table.ts'
import { linkPositions } from '../../books/positions/positions.link.ts'
import { screeningState } from '../../clients/sanctions/sanctions.queries.ts'
import { traders } from '../../clients/traders/traders.table.ts'
import { noteClientAct } from '../../firm/independence/independence.service.ts'
import type { ConnectionRow } from '../connections/connections.table.ts'
import { findType } from '../connections/groups.ts'
import type { State } from '../contract/terminal.ts'
import { type InstructionRow, terminalInstructions } from '../instructions/instructions.table.ts'
import {
  forgetPasswords,
  mailPasswords,
  needPassword,
  PASSWORD_LENGTH,
  sealPasswords,
} from '../instructions/passwords.ts'
import type { Session } from '../sessions/session.ts'
import type { Found, Plan } from './plan.ts'

/** The clock of a terminal may be this far behind ours. */
const BEHIND = 5 * MINUTE
/** Terminals take no longer names. */
const LONGEST_NAME = 100

/** Returns whether a login may have been opened by an instruction: it is not older. */
export const isOpenedFor = ({ createdAt }: InstructionRow, { registeredAt }: State): boolean =>
  registeredAt >= createdAt - BEHIND

/** Looks for the login with our reference. One that is older than the instruction has somebody else’s. */
async function look({ terminal }: Session, row: InstructionRow): Promise<Found> {
  const login = await terminal.findOpened({ group: row.value.group ?? '', reference: row.reference })
  if (login === null) return { is: 'none' }
  for await (const [state] of terminal.states([login]))
    return state && isOpenedFor(row, state) ? { is: 'done', number: login } : { is: 'differs' }
  return { is: 'differs' }
}

/** Returns why a group cannot be used as the terminal shows it now; null if it can. */
export function whyNotGroup({ groups }: Session, { value, currency }: InstructionRow): string | null {
  const group = groups.get(value.group ?? '')
  if (group === undefined) return 'no_group'
  return group.currency === currency ? null : 'currency_differs'
}

async function check(session: Session, row: InstructionRow): Promise<string | null> {
  const length = session.groups.get(row.value.group ?? '')?.passwordLength ?? 0
  return whyNotGroup(session, row) ?? (length > PASSWORD_LENGTH ? '3006' : null)
}

/** Returns whether a client may get an account: active, without a match and wholly screened. */
function mayHaveAccount(db: Reader, traderId: string): boolean {
  if (db.find(traders, { id: traderId })?.status !== 'active') return false
  const { openHits, confirmedHits, pending } = screeningState(db, traderId)
  return openHits + confirmedHits === 0 && !pending
}

/** Returns the name of the client as a terminal takes it. */
function nameClient({ unowned }: Ctx, { traderId, reference }: InstructionRow): string {
  const trader = unowned.find(traders, { id: traderId })
  const name = [trader?.firstName, trader?.lastName].filter(Boolean).join(' ')
  return (name || trader?.email || reference).slice(0, LONGEST_NAME)
}

/** Notes that a login is open that is no account here, and why; nobody gets its passwords. */
function leaveAlone(tx: Tx, row: InstructionRow, answer: string): void {
  tx.update(terminalInstructions, forgetPasswords(tx, row).id, { login: row.number, answer })
}

/** Makes the account that a login is, and mails its passwords. Whoever asked for it counts as who linked it. */
function makeAccount(tx: Tx, ctx: Ctx, connection: ConnectionRow, row: InstructionRow): void {
  const { traderId, askedBy, currency, value } = row
  const { platform, server } = connection
  const place = { platform, server, accountNumber: row.number }
  const known = findByNumber(tx, place)
  const isGone = tx.find(traders, { id: traderId }) === undefined
  if (isGone || (known && known.traderId !== traderId)) {
    leaveAlone(tx, row, isGone ? 'client_gone' : 'number_taken')
    return
  }
  const isDemo = findType(connection.groups, value.group ?? '') !== 'live'
  const { leverage = 100 } = value
  const account = known ?? tx.insert(accounts, { ...place, traderId, currency, leverage, isDemo })
  if (!known) noteClientAct(tx, askedBy, traderId, 'linked_account')
  mailPasswords(tx, ctx, tx.update(terminalInstructions, row.id, { accountId: account.id, login: row.number }))
}

/** Opens a login: sent at most once, ever, and found by our reference after a lost answer. */
export const openPlan: Plan = {
  isOnce: true,
  look,
  check,
  refuseNow: (tx, { traderId }) => (mayHaveAccount(tx, traderId) ? null : 'client_not_allowed'),
  prepare: (ctx, row) => sealPasswords(ctx, row, ['main', 'investor']),
  send: (ctx, { terminal }, row) =>
    terminal.open({
      group: row.value.group ?? '',
      leverage: row.value.leverage ?? 100,
      name: nameClient(ctx, row),
      reference: row.reference,
      main: needPassword(ctx, row, 'main'),
      investor: needPassword(ctx, row, 'investor'),
    }),
  onDone: makeAccount,
  afterDone: async (ctx, { accountId }) => {
    const account = ctx.unowned.find(accounts, { id: accountId ?? '' })
    if (account) await linkPositions(ctx, toAccount(account))
  },
  onRefused: (tx, row) => void forgetPasswords(tx, row),
  onUnresolved: () => {},
}
