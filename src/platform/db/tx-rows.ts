import type { AuditAction } from '../../words/audit-actions.ts'
import { say } from '../../words/say.ts'
import { invalid, notFound, Problem, versionConflict } from '../problem.ts'
import type { SqlValue } from '../sqlite.ts'
import { encodeValue, type TableMeta } from './tenant-table.ts'
import { findTraderId, record, visible, type Writing } from './tx-record.ts'

type Values = Readonly<Record<string, unknown>>

/** The options of a change. */
export type UpdateOptions = {
  /** The version that the caller saw (`If-Match`); another one is a 412. */
  expect?: number | undefined
  /** The audit action if it differs from the write's own; null if the audit row of another table tells the same act. */
  action?: AuditAction | null
}

const isConstraint = (error: unknown, kind: string): error is Error =>
  error instanceof Error && 'code' in error && error.code === `SQLITE_CONSTRAINT_${kind}`

const camel = (name: string): string => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** Converts the error of a unique index: it names the field, never the row. */
function translate(error: unknown, meta: TableMeta): unknown {
  if (isConstraint(error, 'UNIQUE') || isConstraint(error, 'PRIMARYKEY')) {
    const column = camel(error.message.split('.').at(-1) ?? 'id')
    return new Problem(409, 'duplicate', say('problems.error.duplicate', { entity: meta.entity, column }), [
      { path: column, code: 'duplicate', message: say('problems.field.taken') },
    ])
  }
  if (isConstraint(error, 'FOREIGNKEY'))
    return invalid('body', 'unknown_reference', say('problems.field.unknown_reference', { entity: meta.entity }))
  return error
}

const same = (a: unknown, b: unknown): boolean =>
  a === b ||
  (typeof a === 'object' &&
    typeof b === 'object' &&
    a !== null &&
    b !== null &&
    JSON.stringify(a) === JSON.stringify(b))

/** Returns the automatic values of a new row. */
function automatic({ parts, now }: Writing, meta: TableMeta, key: string): string | number | undefined {
  if (key === 'id') return parts.ids.next(meta.prefix)
  if (key === 'createdAt' || key === 'updatedAt') return now
  return key === 'version' ? 1 : undefined
}

/**
 * Refuses a client's request to write another client's rows; their own and those of no client (the firm's side of a
 * posting) are allowed.
 */
function mustOwn({ scope }: Writing, meta: TableMeta, row: Values): void {
  if (scope.traderId === null) return
  // an introducing broker's payout belongs to their affiliate
  if (typeof meta.broker === 'string' && row[meta.broker] !== scope.affiliateId) throw notFound()
  if (!meta.owner) return
  const owner = row[meta.owner]
  if (owner !== null && owner !== scope.traderId) throw notFound()
}

/** Writes a new row with its audit row, and returns it. */
export function insertRow(
  writing: Writing,
  meta: TableMeta,
  given: Values,
  action: AuditAction | null,
): Record<string, unknown> {
  const { parts, scope, heads } = writing
  const row: Record<string, unknown> = {}
  const params: SqlValue[] = []
  for (const column of meta.written) {
    let value = given[column.key] ?? null
    if (column.key === 'tenantId') value = scope.tenantId
    else if (value === null) value = automatic(writing, meta, column.key) ?? column.fallback ?? null
    row[column.key] = value
    params.push(encodeValue(column, value))
  }
  mustOwn(writing, meta, row)
  if (meta.isMoney) heads.isMoney = true
  try {
    parts.connection.run(meta.insertSql, params)
  } catch (error) {
    throw translate(error, meta)
  }
  if (meta.audited !== false && action !== null) {
    record(writing, {
      action,
      entity: meta.entity,
      entityId: String(row.id),
      traderId: findTraderId(meta, row),
      before: null,
      after: visible(meta, row, row),
    })
  }
  return row
}

/** Writes these columns of an existing row. */
function writeColumns(
  { parts, scope }: Writing,
  meta: TableMeta,
  keys: readonly string[],
  row: Values,
  id: string,
): void {
  const params: SqlValue[] = []
  const sets = keys.map((key) => {
    const column = meta.byKey.get(key)
    if (!column) throw new Error(`no column ${key} in ${meta.name}`)
    params.push(encodeValue(column, row[key]))
    return `${column.sql} = ?`
  })
  params.push(scope.tenantId, id)
  try {
    const sql = `UPDATE ${meta.name} SET ${sets.join(', ')} WHERE tenant_id = ? AND id = ?`
    if (parts.connection.run(sql, params) !== 1) throw notFound()
  } catch (error) {
    throw translate(error, meta)
  }
}

/** Changes a row with its audit row, and returns it; nothing happens if nothing changes. */
export function updateRow(
  writing: Writing,
  meta: TableMeta,
  before: Record<string, unknown>,
  changes: Values,
  options: UpdateOptions,
): Record<string, unknown> {
  const { id, version } = before
  if (options.expect !== undefined && options.expect !== version) throw versionConflict(Number(version))
  const changed = Object.keys(changes).filter((key) => changes[key] !== undefined && !same(changes[key], before[key]))
  if (changed.length === 0) return before
  const after = { ...before }
  const was: Record<string, unknown> = {}
  const is: Record<string, unknown> = {}
  for (const key of changed) {
    after[key] = is[key] = changes[key]
    was[key] = before[key]
  }
  const written = [...changed]
  if (meta.has.version) {
    after.version = Number(version) + 1
    written.push('version')
  }
  if (meta.has.updatedAt) {
    after.updatedAt = writing.now
    written.push('updatedAt')
  }
  if (meta.isMoney) writing.heads.isMoney = true
  // the row is found by its present id, whatever the changes say
  writeColumns(writing, meta, written, after, String(id))
  const action = options.action === undefined ? writing.action : options.action
  if (meta.audited !== false && action !== null) {
    record(writing, {
      action,
      entity: meta.entity,
      entityId: String(id),
      traderId: findTraderId(meta, after),
      before: visible(meta, was, after),
      after: visible(meta, is, after),
    })
  }
  return after
}

/** Removes a row with its audit row; in a soft-delete table it is only marked. */
export function removeRow(
  writing: Writing,
  meta: TableMeta,
  id: string,
  before: Record<string, unknown>,
  options: UpdateOptions,
): void {
  const { parts, scope } = writing
  if (meta.softDelete) return void updateRow(writing, meta, before, { deletedAt: writing.now }, options)
  if (options.expect !== undefined && options.expect !== before.version) throw versionConflict(Number(before.version))
  try {
    parts.connection.run(`DELETE FROM ${meta.name} WHERE tenant_id = ? AND id = ?`, [scope.tenantId, id])
  } catch (error) {
    throw translate(error, meta)
  }
  const action = options.action === undefined ? writing.action : options.action
  if (meta.audited === false || action === null) return
  record(writing, {
    action,
    entity: meta.entity,
    entityId: id,
    traderId: findTraderId(meta, before),
    before: visible(meta, before, before),
    after: null,
  })
}
