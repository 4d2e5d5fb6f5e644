import type { Ctx } from '../../../platform/access/ctx.ts'
import { MINUTE, SECOND } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { type ConnectionRow, terminalConnections } from '../connections/connections.table.ts'
import { TerminalFault } from '../contract/fault.ts'
import type { Outcome } from '../contract/terminal.ts'
import { addTry, moveOn } from '../instructions/instructions.store.ts'
import { type InstructionRow, terminalInstructions } from '../instructions/instructions.table.ts'
import type { Session } from '../sessions/session.ts'
import type { Plan } from './plan.ts'
import { findPlan } from './plans.ts'

/** The pauses before the looks at what may have been done, each after the look before. */
const LOOKS = [5 * SECOND, 30 * SECOND, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 20 * MINUTE] as const
/** A look or a sending that could not be made is tried again after this; it does not count. */
const AGAIN = 5 * SECOND
const LATEST_AGAIN = 2 * MINUTE

/** What the sending of instructions is given: the place of the mark beside the database. */
export type Sending = { noteMark(row: InstructionRow): void }

/** One instruction on its way, with what is needed of its connection. */
type Errand = { ctx: Ctx; connection: ConnectionRow; session: Session; plan: Plan; id: string }

/** Returns whether money may move on a connection. */
export const mayMove = ({ money, confirmedAt, paused, moneyHeldAt, deletedAt }: ConnectionRow): boolean =>
  money && confirmedAt !== null && !paused && moneyHeldAt === null && deletedAt === null

/** Writes a step of an instruction that is in one of these states still; does nothing if it is not any more. */
const step = (
  { ctx, id }: Errand,
  from: InstructionRow['state'],
  run: (tx: Tx, row: InstructionRow) => void,
): Promise<boolean> =>
  ctx.write('terminals.instruct', (tx) => {
    const row = tx.get(terminalInstructions, id)
    if (row.state !== from) return false
    run(tx, row)
    return true
  })

function finish(tx: Tx, { ctx, connection, plan }: Errand, row: InstructionRow, number: string, tries = row.tries) {
  plan.onDone(tx, ctx, connection, moveOn(tx, row, 'done', { number, tries, answer: null }))
}

function refuse(tx: Tx, { plan }: Errand, row: InstructionRow, answer: string, tries: InstructionRow['tries']): void {
  plan.onRefused(tx, moveOn(tx, row, 'refused', { answer, tries }))
}

/** Waits for the next look; after the last one nobody knows, and a person has to. */
function lookLater(tx: Tx, { plan }: Errand, row: InstructionRow, tries: InstructionRow['tries']): void {
  const pause = LOOKS[row.looks]
  if (pause !== undefined) tx.update(terminalInstructions, row.id, { tries, nextAt: tx.now + pause })
  else plan.onUnresolved(tx, moveOn(tx, row, 'unresolved', { tries }))
}

/** Does what follows an instruction that was done in this step, in writes of its own. */
async function followUp({ ctx, plan, id }: Errand): Promise<void> {
  const row = ctx.unowned.find(terminalInstructions, { id })
  if (row?.state === 'done') await plan.afterDone?.(ctx, row)
}

/** Returns the pause after so many fruitless tries in a row. */
function pauseAfter(tries: InstructionRow['tries']): number {
  const times = tries.at(-1)?.times ?? 1
  return Math.min(AGAIN * 2 ** Math.min(times - 1, 10), LATEST_AGAIN)
}

/** Notes that the terminal could not be asked: nothing was sent, and nothing is known that was not known before. */
async function noteFault(errand: Errand, from: 'queued' | 'unclear', fault: TerminalFault): Promise<void> {
  await step(errand, from, (tx, row) => {
    const tries = addTry(row, { what: 'looked', came: fault.code }, tx.now)
    tx.update(terminalInstructions, row.id, { tries, nextAt: tx.now + pauseAfter(tries) })
  })
}

/** Writes what came of a sending. */
async function settle(errand: Errand, outcome: Outcome): Promise<void> {
  await step(errand, 'sending', (tx, row) => {
    const said = outcome.is === 'done' ? outcome.id : outcome.is === 'refused' ? outcome.code : outcome.why
    const tries = addTry(row, { what: 'sent', came: `${outcome.is} ${said}` }, tx.now)
    if (outcome.is === 'done') finish(tx, errand, row, outcome.id, tries)
    else if (outcome.is === 'not_sent')
      moveOn(tx, row, 'queued', { sentAt: null, tries, nextAt: tx.now + pauseAfter(tries) })
    else if (outcome.is === 'unclear') moveOn(tx, row, 'unclear', { tries, nextAt: tx.now + LOOKS[0] })
    else if (!errand.plan.isOnce) refuse(tx, errand, row, outcome.code, tries)
    // what a terminal calls refused is looked up once all the same
    else moveOn(tx, row, 'unclear', { tries, answer: outcome.code, nextAt: tx.now })
  })
}

/**
 * Sends an instruction: the mark is on disk, and on the replica where answers wait for it, before the first byte leaves
 * this machine. Whatever comes between mark and answer is unclear, and never sent again if it is sent once.
 */
async function send(errand: Errand, from: 'queued' | 'unclear', { noteMark }: Sending): Promise<void> {
  const { ctx, session, plan, id } = errand
  const isMarked = await step(errand, from, (tx, row) => {
    const connection = tx.get(terminalConnections, row.connectionId)
    if (row.kind === 'balance' && !mayMove(connection)) return
    if (plan.mustWait?.(tx, row)) {
      tx.update(terminalInstructions, row.id, { nextAt: tx.now + MINUTE })
      return
    }
    const refusal = plan.refuseNow?.(tx, row) ?? null
    if (refusal !== null) refuse(tx, errand, row, refusal, row.tries)
    else moveOn(tx, row, 'sending', { sentAt: tx.now, ...plan.prepare?.(ctx, row) })
  })
  const row = ctx.unowned.get(terminalInstructions, id)
  if (!isMarked || row.state !== 'sending') return
  try {
    if (plan.isOnce) noteMark(row)
  } catch (error) {
    // without the mark beside the database nothing is sent
    ctx.log.error({ err: error }, 'what is sent to a trading server could not be noted')
    await settle(errand, { is: 'not_sent', why: 'no_mark' })
    return
  }
  try {
    await settle(errand, await plan.send(ctx, session, row))
  } catch (error) {
    if (!(error instanceof TerminalFault)) throw error
    await settle(errand, { is: error.wasSent ? 'unclear' : 'not_sent', why: error.code })
  }
}

/** Looks whether an instruction was done that may have been, or sends it again if it only sets a value. */
async function lookAgain(errand: Errand, row: InstructionRow, sending: Sending): Promise<void> {
  const { session, plan } = errand
  const found = await plan.look(session, row)
  if (!plan.isOnce && found.is === 'none' && row.looks < LOOKS.length) {
    await step(errand, 'unclear', (tx, now) => void tx.update(terminalInstructions, now.id, { looks: now.looks + 1 }))
    await send(errand, 'unclear', sending)
    return
  }
  await step(errand, 'unclear', (tx, now) => {
    const tries = addTry(now, { what: 'looked', came: found.is }, tx.now)
    if (found.is === 'done') finish(tx, errand, now, found.number, tries)
    else if (found.is === 'differs') plan.onUnresolved(tx, moveOn(tx, now, 'unresolved', { tries }))
    else if (now.answer !== null) refuse(tx, errand, now, now.answer, tries)
    else lookLater(tx, errand, tx.update(terminalInstructions, now.id, { looks: now.looks + 1 }), tries)
  })
}

/** Sends an instruction that waits, if it was not done before and may be sent as things are there now. */
async function sendNew(errand: Errand, row: InstructionRow, sending: Sending): Promise<void> {
  const { session, plan } = errand
  const found = await plan.look(session, row)
  if (found.is === 'done') {
    await step(errand, 'queued', (tx, now) => finish(tx, errand, now, found.number))
    return
  }
  const refusal = found.is === 'differs' ? 'reference_used' : await plan.check(session, row)
  if (refusal !== null) await step(errand, 'queued', (tx, now) => refuse(tx, errand, now, refusal, now.tries))
  else await send(errand, 'queued', sending)
}

/** Carries one instruction a step further. A fault of the terminal is noted, and thrown for its session’s sake. */
export async function carryOut(
  ctx: Ctx,
  connection: ConnectionRow,
  session: Session,
  row: InstructionRow,
  sending: Sending,
): Promise<void> {
  const errand = { ctx, connection, session, plan: findPlan(row.kind), id: row.id }
  try {
    if (row.state === 'queued') await sendNew(errand, row, sending)
    else if (row.state === 'unclear') await lookAgain(errand, row, sending)
    await followUp(errand)
  } catch (error) {
    if (error instanceof TerminalFault) await noteFault(errand, row.state === 'queued' ? 'queued' : 'unclear', error)
    throw error
  }
}

/**
 * Notes that nobody knows what became of what was being sent when the program ended: it is looked for, and never sent
 * again if it is sent once.
 */
export async function noteLeftOver(ctx: Ctx, rows: readonly InstructionRow[]): Promise<void> {
  for (const { id } of rows)
    await ctx.write('terminals.instruct', (tx) => {
      const row = tx.get(terminalInstructions, id)
      if (row.state !== 'sending') return null
      const tries = addTry(row, { what: 'sent', came: 'ended' }, tx.now)
      moveOn(tx, row, 'unclear', { tries, nextAt: tx.now + LOOKS[0] })
      return null
    })
}
