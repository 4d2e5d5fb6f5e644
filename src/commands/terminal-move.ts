import type { RemoteTerminal } from '../modules/terminals/child/desk.ts'
import type { ConnectionRow } from '../modules/terminals/connections/connections.table.ts'
import { findType } from '../modules/terminals/connections/groups.ts'
import { TerminalFault } from '../modules/terminals/contract/fault.ts'
import type { Deal, Group, Outcome, State } from '../modules/terminals/contract/terminal.ts'
import type { Clock } from '../platform/clock.ts'
import { createIds } from '../platform/ids.ts'
import { roundAmount } from '../platform/money.ts'
import type { Dialogue } from './recovery-key.ts'

/** What is moved in and out again. */
const AMOUNT = '0.01'

type Movement = { amount: string; outcome: Outcome; found: Deal[]; byNumber: Deal[] }
/** What was seen of moving money in and out: how the login stood before and after, and both movements. */
export type Moved = { before: State; movements: Movement[]; after: State | null; isDone: boolean }

type Asked = { row: ConnectionRow; live: ReadonlySet<string>; login: string; groups: readonly Group[] }
type Parts = { dialogue: () => Dialogue; print: (text: string) => void; clock: Pick<Clock, 'now'> }

/** Reads all of a list that comes in pieces. */
async function gather<T>(pieces: AsyncIterable<T[]>): Promise<T[]> {
  const all: T[] = []
  for await (const piece of pieces) all.push(...piece)
  return all
}

/** Returns how a login stands, without the comment that people wrote there. */
async function readState(terminal: RemoteTerminal, login: string): Promise<State | null> {
  const [state] = (await gather(terminal.states([login]))).filter((one) => one.login === login)
  return state ? { ...state, comment: '' } : null
}

/** Throws a sentence unless money for trial may be moved on a login: it is a demo login to everybody. */
function refuseLive({ row, live, login, groups }: Asked, { group: name }: State): Group {
  const group = groups.find((one) => one.name === name)
  if (row.confirmedAt === null) throw new Error('Nobody has confirmed this connection yet, so nothing is moved.')
  if (group === undefined || findType(row.groups, name) !== 'demo')
    throw new Error(`Login ${login} is in the group ${name}, which is not a demo group of this connection.`)
  if (live.has(login)) throw new Error(`Login ${login} is a live account here, so nothing is moved.`)
  if (group.digits < 2) throw new Error(`Login ${login} has ${group.currency}, which has no ${AMOUNT}.`)
  return group
}

/** Returns the deals of a look-up; none where the server does not answer, which shows nothing of what was moved. */
async function lookUp(deals: Promise<Deal[]>): Promise<Deal[]> {
  try {
    return await deals
  } catch (error) {
    if (error instanceof TerminalFault) return []
    throw error
  }
}

/** Moves an amount once and looks it up by our reference and by its number. */
async function moveOnce(
  terminal: RemoteTerminal,
  { login, amount, currency }: { login: string; amount: string; currency: string },
  clock: Parts['clock'],
) {
  const reference = `BB-${createIds(clock).next('trf').slice(-12).toUpperCase()}`
  const since = clock.now()
  const outcome = await terminal.move({ login, amount, reference })
  const found = await lookUp(terminal.find({ login, reference, since }))
  const byNumber = outcome.is === 'done' ? await lookUp(gather(terminal.deals({ ids: [outcome.id] }))) : []
  const isAsked = ({ kind, profit }: Deal): boolean =>
    kind === 'balance' && roundAmount(profit, currency) === roundAmount(amount, currency)
  const isFound = found.filter(isAsked).length === 1
  const own = (deal: Deal): Deal => (deal.comment.startsWith(reference) ? deal : { ...deal, comment: '' })
  return { reference, isFound, movement: { amount, outcome, found: found.map(own), byNumber: byNumber.map(own) } }
}

const describe = (outcome: Outcome): string =>
  outcome.is === 'done'
    ? `deal ${outcome.id}`
    : `${outcome.is}: ${outcome.is === 'refused' ? outcome.code : outcome.why}`

/**
 * Moves 0.01 onto a demo login and off it again, each once and under a reference of ours, after the operator typed the
 * login. It moves nothing off before the first movement was found. Throws a sentence for what it refuses.
 */
export async function moveInAndOut(
  terminal: RemoteTerminal,
  asked: Asked,
  { dialogue, print, clock }: Parts,
): Promise<Moved> {
  const { login } = asked
  const before = await readState(terminal, login)
  if (before === null) throw new Error(`The server has no login ${login} in the groups that are read.`)
  const { currency } = refuseLive(asked, before)
  const question = `Type ${login} to move ${AMOUNT} ${currency} onto this demo login and off again: `
  if ((await dialogue().ask(question)) !== login) throw new Error('Not confirmed: nothing was moved.')
  const movements: Movement[] = []
  let isDone = true
  for (const amount of [AMOUNT, `-${AMOUNT}`]) {
    const { reference, isFound, movement } = await moveOnce(terminal, { login, amount, currency }, clock)
    movements.push(movement)
    const text = `${amount} ${currency} under ${reference}: ${describe(movement.outcome)}`
    print(
      `${isFound ? 'ok  ' : 'FAIL'}  ${'moved'.padEnd(11)}  ${text}${isFound ? ', found again' : ', not found again'}\n`,
    )
    if (isFound) continue
    isDone = false
    print(`      Look on the server for login ${login} and comment ${reference} before you try again.\n`)
    break
  }
  return { before, movements, after: await readState(terminal, login), isDone }
}
