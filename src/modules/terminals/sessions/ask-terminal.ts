import type { Ctx } from '../../../platform/access/ctx.ts'
import { SECOND } from '../../../platform/clock.ts'
import type { RemoteTerminal } from '../child/desk.ts'
import { TerminalFault } from '../contract/fault.ts'
import { getLiveSessions } from './live-sessions.ts'

/** A terminal has this long to answer somebody who waits. */
const ANSWERS_WITHIN = 10 * SECOND

/** Asks a terminal that is read now; undefined if it does not answer in time, or is not spoken to. */
export async function askTerminal<T>(
  ctx: Ctx,
  connectionId: string,
  ask: (terminal: RemoteTerminal) => Promise<T | undefined>,
): Promise<T | undefined> {
  const terminal = getLiveSessions(ctx).get(connectionId)
  if (terminal === undefined) return undefined
  const late = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => late.resolve(undefined), ANSWERS_WITHIN)
  try {
    return await Promise.race([ask(terminal), late.promise])
  } catch (error) {
    if (error instanceof TerminalFault) return undefined
    throw error
  } finally {
    clearTimeout(timer)
  }
}
