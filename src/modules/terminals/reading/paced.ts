import type { Ctx } from '../../../platform/access/ctx.ts'
import type { Tx } from '../../../platform/db/tx.ts'

/** A pause is never longer than this, whatever a write waited for. */
const LONGEST = 250

/**
 * Writes a piece of what a terminal said and rests as long as that took, so that a first load leaves others at least
 * half of the writer’s time.
 */
export async function writePaced(ctx: Ctx, run: (tx: Tx) => void): Promise<void> {
  const began = performance.now()
  await ctx.write('terminals.read', (tx) => {
    run(tx)
    return null
  })
  await ctx.sleep(Math.min(performance.now() - began, LONGEST))
}
