import type { Ctx } from '../../../platform/access/ctx.ts'
import { perApp } from '../../../platform/capabilities.ts'
import type { Tx } from '../../../platform/db/tx.ts'

/** A rest is never longer than this, whatever a write waited for. */
const LONGEST = 250
/** When the next piece may be written: after the one before, and the rest behind it. */
const getTurn = perApp(() => ({ next: Promise.resolve() }))

/**
 * Writes a piece of what a terminal said, in steps between which others read. Pieces of all connections follow one
 * another, and behind each is a rest as long as it took, so that they leave others at least half of the writer’s time;
 * what is read from a terminal meanwhile counts as rest.
 */
export function writePaced(ctx: Ctx, run: (tx: Tx) => Generator<void, void>): Promise<void> {
  const turn = getTurn(ctx)
  let began = 0
  const written = turn.next.then(() =>
    ctx.writeSteps('terminals.read', function* (tx) {
      began = performance.now()
      yield* run(tx)
    }),
  )
  turn.next = written.then(
    () => ctx.sleep(Math.min(performance.now() - began, LONGEST)),
    () => undefined,
  )
  return written
}
