import type { Ctx } from '../../../platform/access/ctx.ts'
import { MINUTE } from '../../../platform/clock.ts'
import { getDesk, type RemoteTerminal } from '../child/desk.ts'
import type { ConnectionRow } from '../connections/connections.table.ts'
import { terminalClocks } from '../connections/connections.table.ts'
import { noteHealth } from '../connections/health.ts'
import { getKnownGroups } from '../connections/known-groups.ts'
import { buildAddress, listClock } from '../connections/terminal-address.ts'
import { MOST_SKEW_MS } from '../connections/test.service.ts'
import { TerminalFault } from '../contract/fault.ts'
import type { Group, Hello } from '../contract/terminal.ts'
import { healFinding, noteFinding } from '../findings/findings.service.ts'

/** A terminal that was signed in to, with its groups by name. */
export type Session = { terminal: RemoteTerminal; groups: ReadonlyMap<string, Group>; askedAt: number }

/** How old the word of a terminal about its clock and groups may be. */
const ASKED_EVERY = 10 * MINUTE

/** Returns whether a session has to be asked again for its clock and groups. */
export const isDue = (session: Session, now: number): boolean => now - session.askedAt >= ASKED_EVERY

/** Notes a new period of the clock; returns whether it is another one than before. */
async function noteClock(ctx: Ctx, row: ConnectionRow, hello: Hello): Promise<boolean> {
  const about = { connectionId: row.id, kind: 'clock', subject: '' } as const
  if (Math.abs(hello.skewMs) > MOST_SKEW_MS || hello.offsetMinutes < -12 * 60 || hello.offsetMinutes > 14 * 60) {
    const detail = { seconds: String(Math.round(hello.skewMs / 1000)) }
    await ctx.write('terminals.read', (tx) => {
      noteFinding(tx, about, { detail })
      return null
    })
    throw new TerminalFault('clock', detail)
  }
  const isNew = listClock(ctx.db, row.id).at(-1)?.minutes !== hello.offsetMinutes
  await ctx.write('terminals.read', (tx) => {
    healFinding(tx, about)
    if (isNew) tx.insert(terminalClocks, { connectionId: row.id, since: tx.now, minutes: hello.offsetMinutes })
    noteHealth(tx, row.id, { build: hello.build })
    return null
  })
  return isNew
}

/**
 * Signs in to the terminal of a connection, or asks it again. A clock that changed makes a new session, since times are
 * converted by the driver.
 */
export async function openSession(ctx: Ctx, row: ConnectionRow, before?: Session): Promise<Session> {
  const terminal = before?.terminal ?? getDesk(ctx).connect(row.driver, buildAddress(ctx, row))
  try {
    const hello = await terminal.hello()
    const groups = new Map(hello.groups.map((group) => [group.name, group]))
    getKnownGroups(ctx).set(row.id, hello.groups)
    if (!(await noteClock(ctx, row, hello))) return { terminal, groups, askedAt: ctx.now() }
    await terminal.quit()
    return { terminal: getDesk(ctx).connect(row.driver, buildAddress(ctx, row)), groups, askedAt: ctx.now() }
  } catch (error) {
    await terminal.quit()
    throw error
  }
}
