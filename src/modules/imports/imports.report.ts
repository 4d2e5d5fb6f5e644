import type { Ctx } from '../../platform/access/ctx.ts'
import { csvResponse } from '../../platform/http/csv.ts'
import { wrongLines } from './imports.lines.ts'
import { imports } from './imports.table.ts'

const BATCH = 500

/** Every mistake of a file by line, column and field, as a file. It repeats nothing of what the lines hold. */
export function errorFile(ctx: Ctx, id: string): Response {
  const row = ctx.db.get(imports, id)
  const columnOf = new Map(Object.entries(row.mapping).map(([column, field]) => [field, column]))
  const batches = function* () {
    for (let after = 0; ; ) {
      const lines = wrongLines(ctx.db, id, after, BATCH)
      const last = lines.at(-1)
      if (!last) return
      yield lines.flatMap(({ line, errors }) =>
        errors.map(({ field, code, message }) => [
          ...[line, field === null ? null : (columnOf.get(field) ?? null)],
          ...[field, code, message],
        ]),
      )
      after = last.line
    }
  }
  return csvResponse(ctx, 'import-errors.csv', ['line', 'column', 'field', 'code', 'message'], batches())
}
