import type { Ctx } from '../../../platform/access/ctx.ts'
import { csvResponse } from '../../../platform/http/answers/csv.ts'
import { formatAmount } from '../../../platform/money.ts'
import { balanceLines } from './imports.balances.ts'
import { wrongLines } from './imports.lines.ts'
import { imports } from './imports.table.ts'

const BATCH = 500

/** Returns every mistake of a file with line, column and field, as a file that does not repeat the values. */
export function errorFile(ctx: Ctx, id: string): Response {
  const row = ctx.db.get(imports, id)
  const columnByField = new Map(Object.entries(row.mapping).map(([column, field]) => [field, column]))
  const batches = function* () {
    for (let after = 0; ; ) {
      const lines = wrongLines(ctx.db, id, after, BATCH)
      const last = lines.at(-1)
      if (!last) return
      yield lines.flatMap(({ line, errors }) =>
        errors.map(({ field, code, message }) => [
          line,
          field === null ? null : (columnByField.get(field) ?? null),
          field,
          code,
          message,
        ]),
      )
      after = last.line
    }
  }
  return csvResponse(ctx, 'import-errors.csv', ['line', 'column', 'field', 'code', 'message'], batches())
}

const COLUMNS = ['line', 'clientId', 'firstName', 'lastName', 'email', 'currency', 'amount', 'posted']

/**
 * Returns each opening balance of a file with its client, for the second person to compare with the old system. It is
 * audited, since it has names and money.
 */
export async function balanceFile(ctx: Ctx, id: string): Promise<Response> {
  ctx.db.get(imports, id)
  const batches = function* () {
    for (let after = 0; ; ) {
      const lines = balanceLines(ctx.db, id, after, BATCH)
      const last = lines.at(-1)
      if (!last) return
      yield lines.map(({ line, clientId, firstName, lastName, email, currency, balance, posted }) => [
        line,
        clientId,
        firstName,
        lastName,
        email,
        currency,
        formatAmount(BigInt(balance), currency),
        posted,
      ])
      after = last.line
    }
  }
  const file = csvResponse(ctx, 'opening-balances.csv', COLUMNS, batches())
  await ctx.write('import.export', (tx) => tx.audit({ entity: 'import', entityId: id, after: { file: 'balances' } }))
  return file
}
