import { sql } from 'drizzle-orm'
import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { foldEmail } from '../../../platform/wire/formats.ts'
import type { Cells, ImportField } from './imports.fields.ts'
import { buildTradingAccountKey, toExternalId } from './imports.plan.ts'
import { importLines } from './imports.table.ts'

const KEPT = statement(
  sql`INSERT INTO ${importLines} (tenant_id, id, import_id, line, status, cells, external_id, email_key, account_key,
    is_maker, posted, errors, created_at)
  SELECT ?1, ?2 || '_' || json_extract(value, '$[0]'), ?2, json_extract(value, '$[0]'), 'waiting',
    json_extract(value, '$[1]'), json_extract(value, '$[2]'), json_extract(value, '$[3]'), json_extract(value, '$[4]'),
    0, 'no', '[]', ?4 FROM json_each(?3)`,
)

/** A line as it came from the file: its number and its values. */
export type Arrived = { line: number; cells: Cells }

/**
 * Returns the values of a line by field; empty cells fill nothing. `platform` is used for accounts that name none;
 * `width` is the number of headers.
 */
export function readCells(
  cells: readonly string[],
  { fields, platform, width }: { fields: ReadonlyMap<number, ImportField>; platform: string | null; width: number },
): Cells {
  const filled: Cells = {}
  for (const [column, field] of fields) {
    const text = cells[column]
    if (text !== undefined && text !== '') filled[field] = text
  }
  if (filled.accountNumber !== undefined && platform !== null) filled.platform ??= platform
  if (cells.slice(width).some((text) => text !== '')) filled.surplus = 'yes'
  return filled
}

/** Stores lines of a file until they are done; `hash` is a keyed hash. */
export function keepLines(
  tx: Tx,
  importId: string,
  arrived: readonly Arrived[],
  hash: (externalId: string) => string,
): void {
  const hashExternalId = (externalId: string): string =>
    externalId === '' ? '' : hash(externalId.replace(/\p{Default_Ignorable_Code_Point}/gu, ''))
  const rows = arrived.map(({ line, cells }) => [
    line,
    JSON.stringify(cells),
    hashExternalId(toExternalId(cells)),
    cells.email === undefined ? null : foldEmail(cells.email),
    buildTradingAccountKey(cells),
  ])
  tx.execute(KEPT, [importId, JSON.stringify(rows), tx.now])
}
