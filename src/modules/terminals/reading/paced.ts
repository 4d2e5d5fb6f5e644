import type { Ctx } from '../../../platform/access/ctx.ts'
import { perApp } from '../../../platform/capabilities.ts'
import type { Tx } from '../../../platform/db/tx.ts'

/** A rest is never longer than this, whatever a write waited for. */
const LONGEST = 250
/** The write before, and until when nothing more is written, by the clock of `performance`. */
const getRest = perApp(() => ({ before: Promise.resolve(), until: 0 }))

/**
 * Writes a piece of what a terminal said, in steps between which others read. Pieces of all connections follow one
 * another, and each rests before for as long as the one before took, so that they leave others at least half of the
 * writer’s time; what is read from a terminal meanwhile counts as rest.
 */
export function writePaced(ctx: Ctx, run: (tx: Tx) => Generator<void, void>): Promise<void> {
  const rest = getRest(ctx)
  const write = async (): Promise<void> => {
    const left = rest.until - performance.now()
    if (left > 0) await ctx.sleep(left)
    let began = 0
    await ctx.writeSteps('terminals.read', function* (tx) {
      began = performance.now()
      yield* run(tx)
      return null
    })
    const now = performance.now()
    rest.until = now + Math.min(now - began, LONGEST)
  }
  const turn = rest.before.then(write)
  rest.before = turn.catch(() => {})
  return turn
}
