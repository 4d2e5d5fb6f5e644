import type { Ctx } from '../../../platform/access/ctx.ts'
import { perApp } from '../../../platform/capabilities.ts'
import type { Tx } from '../../../platform/db/tx.ts'

/** A rest is never longer than this, whatever a write waited for. */
const LONGEST = 250
/** Until when nothing more is written, by the clock of `performance`. */
const getRest = perApp(() => ({ until: 0 }))

/**
 * Writes a piece of what a terminal said, in steps between which others read. It rests before that for as long as the
 * piece before took, so that first loads leave others at least half of the writer’s time; what is read from the
 * terminal meanwhile counts as rest.
 */
export async function writePaced(ctx: Ctx, run: (tx: Tx) => Generator<void, void>): Promise<void> {
  const rest = getRest(ctx)
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
