import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { MINUTE, SECOND } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { statement } from '../../../platform/db/statement.ts'
import { type ConnectionRow, terminalConnections, terminalHealth } from '../connections/connections.table.ts'
import { TerminalFault } from '../contract/fault.ts'
import { type InstructionRow, terminalInstructions } from '../instructions/instructions.table.ts'
import type { Worker } from '../sessions/each-connection.ts'
import { getWholeReads } from '../sessions/live-sessions.ts'
import { isDue, openSession, type Session } from '../sessions/session.ts'
import { carryOut, mayMove, noteLeftOver, type Sending } from './send.ts'

/** So many instructions are carried a step further in one round, each of another login. */
const MOST_AT_ONCE = 4
const MOST_LOOKED_AT = 200
/** The pauses after a sign-in that failed. */
const FIRST_PAUSE = 5 * SECOND
const LONGEST_PAUSE = 2 * MINUTE

const DUE = statement(
  sql`SELECT ${terminalInstructions.id} AS id FROM ${terminalInstructions}
  WHERE ${terminalInstructions.tenantId} = ?1 AND ${terminalInstructions.connectionId} = ?2
    AND ${terminalInstructions.state} IN ('queued', 'sending', 'unclear') AND ${terminalInstructions.nextAt} <= ?3
    AND (?4 OR ${terminalInstructions.kind} <> 'balance' OR ${terminalInstructions.state} <> 'queued')
  ORDER BY ${terminalInstructions.createdAt}, ${terminalInstructions.id} LIMIT ${sql.raw(String(MOST_LOOKED_AT))}`,
)

/** Returns what is due, the earliest first. Money that is not sent yet waits while none may move (`moves`). */
const listDue = (db: Reader, connectionId: string, now: number, moves: boolean): InstructionRow[] => {
  const ids = db.query<{ id: string }>(DUE, [connectionId, now, moves ? 1 : 0]).map(({ id }) => id)
  return db.list(terminalInstructions, { id: ids }, { orderBy: 'createdAt' })
}

/** Returns those that go now: one of each login. */
function pick(rows: readonly InstructionRow[]): InstructionRow[] {
  const logins = new Set<string>()
  const picked: InstructionRow[] = []
  for (const row of rows) {
    const whose = row.login ?? row.id
    if (logins.has(whose)) continue
    logins.add(whose)
    if (picked.length < MOST_AT_ONCE) picked.push(row)
  }
  return picked
}

/** What is known between two rounds of one connection. */
type Memory = { session: Session | undefined; settings: string; failures: number; nextTryAt: number }

/** Names the settings by which a terminal is spoken to. */
const nameSettings = ({ entry, confirmedAt, requestsPerSecond }: ConnectionRow): string =>
  JSON.stringify([entry, confirmedAt, requestsPerSecond])

/** Carries out what one connection is asked for, with a session of its own beside the one that reads. */
export function createInstructor(id: string, sending: Sending): Worker {
  const memory: Memory = { session: undefined, settings: '', failures: 0, nextTryAt: 0 }
  const stop = async (): Promise<void> => {
    const { session } = memory
    memory.session = undefined
    await session?.terminal.quit()
  }
  const enter = async (ctx: Ctx, row: ConnectionRow): Promise<Session> => {
    const settings = nameSettings(row)
    if (memory.settings !== settings) await stop()
    memory.settings = settings
    const known = memory.session
    if (known !== undefined && !isDue(known, ctx.now())) return known
    try {
      memory.session = await openSession(ctx, row, known)
      memory.failures = 0
      return memory.session
    } catch (error) {
      memory.nextTryAt = ctx.now() + Math.min(FIRST_PAUSE * 2 ** Math.min(memory.failures, 10), LONGEST_PAUSE)
      memory.failures += 1
      throw error
    }
  }
  return {
    stop,
    work: async (ctx) => {
      const row = ctx.unowned.find(terminalConnections, { id })
      if (row === undefined || row.paused || row.confirmedAt === null) {
        await stop()
        return false
      }
      const moves = mayMove(row) && getWholeReads(ctx).has(id)
      const due = listDue(ctx.unowned, id, ctx.now(), moves)
      await noteLeftOver(
        ctx,
        due.filter(({ state }) => state === 'sending'),
      )
      const isOut = ctx.now() < memory.nextTryAt || ctx.unowned.find(terminalHealth, { id })?.state === 'stopped'
      const now = isOut ? [] : pick(due.filter(({ state }) => state !== 'sending'))
      if (now.length === 0) return false
      try {
        const session = await enter(ctx, row)
        const done = await Promise.allSettled(now.map((one) => carryOut(ctx, row, session, one, sending)))
        for (const one of done) if (one.status === 'rejected') throw one.reason
      } catch (error) {
        await stop()
        if (!(error instanceof TerminalFault)) throw error
        return false
      }
      return true
    },
  }
}
