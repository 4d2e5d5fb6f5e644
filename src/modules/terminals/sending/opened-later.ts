import type { Ctx } from '../../../platform/access/ctx.ts'
import type { ConnectionRow } from '../connections/connections.table.ts'
import type { State } from '../contract/terminal.ts'
import { moveOn } from '../instructions/instructions.store.ts'
import { terminalInstructions } from '../instructions/instructions.table.ts'
import { isOpenedFor, openPlan } from './open.ts'

/** Ends instructions to open a login that nobody knew about: a whole reading shows a login with their reference. */
export async function noteOpenedLater(ctx: Ctx, connection: ConnectionRow, states: readonly State[]): Promise<void> {
  const asked = { connectionId: connection.id, kind: 'open', state: 'unresolved' } as const
  for (const row of ctx.unowned.list(terminalInstructions, asked)) {
    const opened = states.find((state) => state.comment.trim() === row.reference && isOpenedFor(row, state))
    if (opened === undefined) continue
    const done = await ctx.write('terminals.instruct', (tx) => {
      const before = tx.get(terminalInstructions, row.id)
      if (before.state !== 'unresolved') return null
      openPlan.onDone(tx, ctx, connection, moveOn(tx, before, 'done', { number: opened.login, answer: null }))
      return tx.get(terminalInstructions, row.id)
    })
    if (done) await openPlan.afterDone?.(ctx, done)
  }
}
