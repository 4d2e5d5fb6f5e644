import { type TProperties, Type } from '@sinclair/typebox'
import type { AuditAction } from '../../../words/audit-actions.ts'
import type { Ctx } from '../../access/ctx.ts'
import type { Tx } from '../../db/tx.ts'
import { Problem } from '../../problem.ts'
import { Id } from '../../wire/fields.ts'

/**
 * The answer of a bulk operation: for each id whether it was done, with more fields if it was, else a code and a
 * sentence.
 */
export const BulkResults = <P extends TProperties>(more: P) =>
  Type.Object({
    results: Type.Array(
      Type.Object({
        id: Id,
        ok: Type.Boolean(),
        ...more,
        code: Type.Optional(Type.String()),
        message: Type.Optional(Type.String()),
      }),
    ),
  })

type Result<R> = (R & { id: string; ok: true }) | { id: string; ok: false; code: string; message: string }

/**
 * Does one thing to each of many ids, each in its own write: a refused one is reported and stops no other. RULES
 * “Bulk”.
 */
export async function writeEach<R extends object>(
  ctx: Ctx,
  action: AuditAction,
  ids: readonly string[],
  one: (tx: Tx, id: string) => R,
): Promise<{ results: Result<R>[] }> {
  const results = await Promise.all(
    ids.map(async (id): Promise<Result<R>> => {
      try {
        const { done } = await ctx.write(action, (tx) => ({ done: one(tx, id) }), { answer: false })
        return { ...done, id, ok: true }
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        return { id, ok: false, code: error.code, message: error.message }
      }
    }),
  )
  // a repeated Idempotency-Key gets the whole answer
  return ctx.write(action, () => ({ results }))
}
