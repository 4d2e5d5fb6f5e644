import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { AuditAction, ExportedEntity } from '../../../words/audit-actions.ts'
import { say } from '../../../words/say.ts'
import type { Ctx } from '../../access/ctx.ts'
import type { Budget, Reader } from '../../db/reader.ts'
import { getTableMeta, type Row, type TenantTable } from '../../db/tenant-table.ts'
import { fileColumns } from '../../db/wire-form.ts'
import { invalid } from '../../problem.ts'
import type { SqlValue } from '../../sqlite.ts'
import { csvResponse } from '../answers/csv.ts'
import { buildOrder, buildWhere, isCut, type List, MOST_CHARACTERS, planOrder, type Query, type Where } from './page.ts'

/** Most rows that a search may find for a file, since each batch of the file searches again. */
const MOST_SEARCHED = 10_000

/** The rows of a batch. Reading and writing them takes a few milliseconds, during which everybody else waits. */
const BATCH = 200

/**
 * Yields all rows of a filtered list in batches, in the order of the list, for a streaming file. A batch has no more
 * free-form text than a page, and fewer rows if need be. An error in the query is thrown at once, not with the first
 * batch.
 */
export function readAll<T extends TenantTable>(
  db: Reader,
  list: List<T, TSchema>,
  query: Query,
  { batch = BATCH, extra = { sql: '', params: [] } }: { batch?: number; extra?: Where } = {},
): Iterable<Row<T>[]> {
  const meta = getTableMeta(list.table)
  const byOrder = buildOrder(list, query)
  const { key, descending } = byOrder
  const found = buildWhere(list, query, db.scope)
  const { place, walks, apart, idsBy } = planOrder(db, list, query, found, byOrder)
  const where = walks ? buildWhere(list, query, db.scope, true) : found
  const direction = descending ? 'DESC' : 'ASC'
  const order = ` ORDER BY ${place} ${direction}${key === null ? '' : `, ${meta.name}.id ${direction}`} LIMIT ?`
  const sign = descending ? '<' : '>'
  const beyond = key === null ? ` AND ${place} ${sign} ?` : ` AND (${place}, ${meta.name}.id) ${sign} (?, ?)`
  const readBatches = function* (): Generator<Row<T>[]> {
    let after: SqlValue[] = []
    let size = batch
    for (;;) {
      const tail = where.sql + extra.sql + (after.length > 0 ? beyond : '') + order
      const budget: Budget = { characters: MOST_CHARACTERS, spent: false }
      const rows = db.select(list.table, tail, [...where.params, ...extra.params, ...after, size], {
        budget,
        apart,
        idsBy,
      })
      if (rows.length > 0) yield rows
      const last: Query | undefined = rows.at(-1)
      if (!last || (rows.length < size && !budget.spent)) return
      // rows that did not fit are read again with the next batch, so a smaller batch avoids reading rows twice
      size = budget.spent ? rows.length : Math.min(batch, 2 * size)
      const id = String(last.id)
      after = key === null ? [db.column(list.table, id, byOrder.sql)] : [(last[key] ?? byOrder.least) as SqlValue, id]
    }
  }
  return readBatches()
}

/**
 * Refuses a file of a search that finds very many rows, since each batch gathers the matches again, or that may have
 * left out rows. A search by label is read in its own order and has no bound. Also refuses the order by last change
 * with the newest first, in which a row that changes meanwhile is skipped. 422 on the filter or the order.
 */
export function refuseFile(ctx: Ctx, list: List<TenantTable, TSchema>, query: Query): void {
  if (query.sort === '-updatedAt') throw invalid('query.sort', 'not_allowed', say('lists.file_order'))
  const name = query.q !== undefined ? 'q' : list.searches.find((search) => query[search.name] !== undefined)?.name
  if (name === undefined || (name !== 'q' && query.sort === undefined)) return
  const { sql, params } = buildWhere(list, query, ctx.db.scope)
  const isBroad = ctx.db.total(list.table, sql, params, { atMost: MOST_SEARCHED + 1 }) > MOST_SEARCHED
  if (!isBroad && !isCut(ctx.db, list, query)) return
  throw invalid(`query.${name}`, 'too_many', say('lists.file_too_broad', { most: MOST_SEARCHED }))
}

type Cells = readonly unknown[]
type Form = Readonly<Record<string, unknown>>
/** What goes into the file of a list. */
type ListFile<T extends TenantTable, F extends Form> = {
  /** The audit's name of a row; the file's export is `<entity>.export`. */
  entity: ExportedEntity
  /** The wire form of a row, and which of its parts are columns, in their order; by default those of the table. */
  form: (row: Row<T>) => F
  columns?: readonly (keyof F & string)[]
  /** Further columns from elsewhere, such as names by ids; they come after the others. */
  more?: { columns: readonly string[]; of: (rows: readonly Row<T>[]) => readonly Cells[] }
  /** A condition that narrows the list in addition to its filters. */
  only?: Where
}

/**
 * Streams every row that the list's filters let through as a CSV file. This is audited, since data leaves the firm. 422
 * if a search finds more than 10,000 rows.
 */
export async function sendList<T extends TenantTable, F extends Form>(
  ctx: Ctx,
  list: List<T, TSchema>,
  query: Query,
  { entity, form, columns, more, only = { sql: '', params: [] } }: ListFile<T, F>,
): Promise<Response> {
  refuseFile(ctx, list, query)
  const names: readonly string[] = columns ?? fileColumns(list.table)
  const toCells = (shown: Form) =>
    names.map((name) => {
      if (name in shown) return shown[name]
      throw new Error(`the file ${list.name} has a column ${name}, which its rows have not`)
    })
  const read = readAll(ctx.db, list, query, { extra: only })
  const batches = function* () {
    for (const rows of read) {
      const behind = more?.of(rows)
      yield rows.map((row, at) => [...toCells(form(row)), ...(behind?.[at] ?? [])])
    }
  }
  const name = `${list.name.replaceAll('_', '-')}.csv`
  const file = csvResponse(ctx, name, [...names, ...(more?.columns ?? [])], batches())
  return auditFile(ctx, list, query, { action: `${entity}.export`, entity, file })
}

/** Audits a file that is about to be sent, once a download is allowed and before its first byte leaves. */
export async function auditFile(
  ctx: Ctx,
  list: List<TenantTable, TSchema>,
  query: Query,
  { action, entity, file }: { action: AuditAction; entity: string; file: Response },
): Promise<Response> {
  try {
    await ctx.write(action, (tx) => tx.audit({ entity, after: { filters: toldFilters(list, query) } }))
  } catch (error) {
    await file.body?.cancel()
    throw error
  }
  return file
}

/** Examples of personal data: a filter that accepts one of these may name a person. */
const PEOPLE = ['ada.lovelace@example.com', 'ada lovelace', '+35799123456', 'lovelace']
/** Ids, which say nothing once their record is erased, and the audit's own names of acts. */
const NAMES_NOBODY = /^(?:[a-z]{2,8}_[0-9a-z]{26}(?:,|$))+$|^[a-z_]+\.[a-z_.]+$/

const mayName = (schema: TSchema, value: unknown): boolean =>
  PEOPLE.some((text) => Value.Check(schema, text)) && !NAMES_NOBODY.test(String(value))

/**
 * Returns the filters of a file for the audit. The log outlives a client who is erased, so of a text that may be a name
 * or an address it only notes that there was one.
 */
function toldFilters(list: List<TenantTable, TSchema>, query: Query): Query {
  const told = Object.entries(query).map(([name, value]) => {
    const schema = list.filters[name]?.schema
    return [name, schema && mayName(schema, value) ? '…' : value]
  })
  return Object.fromEntries(told)
}
