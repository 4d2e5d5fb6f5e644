import type { TSchema } from '@sinclair/typebox'
import { say } from '../../words/say.ts'
import type { Ctx } from '../access/ctx.ts'
import type { SqlValue } from '../db/client.ts'
import type { Budget, Reader } from '../db/reader.ts'
import { metaOf, type Row, type TenantTable } from '../db/tenant-table.ts'
import { csvResponse } from './csv.ts'
import { type List, MOST_CHARACTERS, orderOf, placeOf, type Query, type Where, whereOf } from './page.ts'
import { invalid } from './problem.ts'

/** Rows that a search may find for a file: each batch of the file searches again. */
const MOST_SEARCHED = 10_000

/**
 * All rows of a filtered list in batches, in the order of the list: what a file streams. A batch has no more free-form
 * text than a page, and is smaller for it.
 */
export function* readAll<T extends TenantTable>(
  db: Reader,
  list: List<T, TSchema>,
  query: Query,
  { batch = 500, extra = { sql: '', params: [] } }: { batch?: number; extra?: Where } = {},
): Generator<Row<T>[]> {
  const meta = metaOf(list.table)
  const byOrder = orderOf(list, query)
  const { key, descending } = byOrder
  const found = whereOf(list, query, db.scope)
  const { place, walks } = placeOf(db, list, query, found, byOrder)
  const where = walks ? whereOf(list, query, db.scope, true) : found
  const direction = descending ? 'DESC' : 'ASC'
  const order = ` ORDER BY ${place} ${direction}${key === null ? '' : `, ${meta.name}.id ${direction}`} LIMIT ?`
  const sign = descending ? '<' : '>'
  const beyond = key === null ? ` AND ${place} ${sign} ?` : ` AND (${place}, ${meta.name}.id) ${sign} (?, ?)`
  let after: SqlValue[] = []
  let size = batch
  for (;;) {
    const tail = where.sql + extra.sql + (after.length > 0 ? beyond : '') + order
    const budget: Budget = { characters: MOST_CHARACTERS, spent: false }
    const rows = db.select(list.table, tail, [...where.params, ...extra.params, ...after, size], { budget })
    if (rows.length > 0) yield rows
    const last: Query | undefined = rows.at(-1)
    if (!last || (rows.length < size && !budget.spent)) return
    // rows that a batch has no room for are read again with the next one: no more of them than needed
    size = budget.spent ? rows.length : Math.min(batch, 2 * size)
    const id = String(last.id)
    after = key === null ? [db.column(list.table, id, byOrder.sql)] : [last[key] as SqlValue, id]
  }
}

/**
 * A search whose matches are gathered again for each batch would hold everybody else where it finds very much: 422 on
 * the filter that must be narrowed. A label is read in its own order, batch behind batch, and has no bound.
 */
function refuseBroadSearch(ctx: Ctx, list: List<TenantTable, TSchema>, query: Query): void {
  const name = query.q !== undefined ? 'q' : list.searches.find((search) => query[search.name] !== undefined)?.name
  if (name === undefined || (name !== 'q' && query.sort === undefined)) return
  const { sql, params } = whereOf(list, query, ctx.db.scope)
  if (ctx.db.total(list.table, sql, params, { atMost: MOST_SEARCHED + 1 }) <= MOST_SEARCHED) return
  throw invalid(`query.${name}`, 'too_many', say('lists.file_too_broad', { most: MOST_SEARCHED }))
}

type Cells = readonly unknown[]
/** What of a list goes into its file. */
type ListFile<T extends TenantTable, F extends object> = {
  /** What the audit calls a row; the file's export is `<entity>.export`. */
  entity: string
  /** The wire form of a row, and which parts of it are columns, in their order. */
  form: (row: Row<T>) => F
  columns: readonly (keyof F & string)[]
  /** Columns from elsewhere, behind them: names by ids, say. */
  more?: { columns: readonly string[]; of: (rows: readonly Row<T>[]) => readonly Cells[] }
  /** What narrows the list beside its filters. */
  only?: Where
}

/**
 * Every row that the list's filters let through, as a CSV file that streams. It is audited, since data leaves the
 * house. 422 where a search finds more than 10,000 rows.
 */
export async function sendList<T extends TenantTable, F extends object>(
  ctx: Ctx,
  list: List<T, TSchema>,
  query: Query,
  { entity, form, columns, more, only = { sql: '', params: [] } }: ListFile<T, F>,
): Promise<Response> {
  refuseBroadSearch(ctx, list, query)
  await ctx.write(`${entity}.export`, (tx) => tx.audit({ entity, after: { filters: query } }))
  const batches = function* () {
    for (const rows of readAll(ctx.db, list, query, { extra: only })) {
      const behind = more?.of(rows)
      yield rows.map((row, at) => {
        const shown = form(row)
        return [...columns.map((column) => shown[column]), ...(behind?.[at] ?? [])]
      })
    }
  }
  return csvResponse(ctx, `${list.name.replaceAll('_', '-')}.csv`, [...columns, ...(more?.columns ?? [])], batches())
}
