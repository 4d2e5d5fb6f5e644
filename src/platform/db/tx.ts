import type { AuditAction } from '../../words/audit-actions.ts'
import type { EventName, EventPayload } from '../events/catalogue.ts'
import { wrongState } from '../problem.ts'
import type { SqlValue } from '../sqlite.ts'
import { createReader, type Reader } from './reader.ts'
import type { Scope } from './reader-scope.ts'
import { mayBecome, type States } from './states.ts'
import { type Changes, getTableMeta, type NewRow, type Row, type TenantTable } from './tenant-table.ts'
import { type Actor, type Heads, record, type TxParts, type Writing } from './tx-record.ts'
import { insertRow, removeRow, type UpdateOptions, updateRow } from './tx-rows.ts'

/**
 * The writing side of a scope: it reads like a `Reader`, and every change writes its audit row. src/README “Writes”.
 */
export type Tx = Reader & {
  readonly now: number
  /** Writes a new row; `action` is null if the audit row of another table tells the same act. */
  insert<T extends TenantTable>(table: T, row: NewRow<T>, action?: AuditAction | null): Row<T>
  /** Changes the given columns; without a difference nothing happens (no version, no audit). */
  update<T extends TenantTable>(table: T, id: string, changes: Changes<T>, options?: UpdateOptions): Row<T>
  /**
   * Changes the state by a transition table; a state that does not allow it is a 409 that names it. src/README
   * “States”.
   */
  transition<T extends TenantTable, S extends string>(
    table: T & { $inferSelect: { status: S } },
    id: string,
    states: States<S>,
    to: S,
    changes?: Changes<T>,
    options?: UpdateOptions,
  ): Row<T>
  remove<T extends TenantTable>(table: T, id: string, options?: UpdateOptions): void
  /** Writes an event to the outbox: webhooks get it once this write is committed. */
  emit<E extends EventName>(event: E, payload: EventPayload<E>): void
  /** Writes an audit row for an act without a row: a sign-in, an export, a view of a document. */
  audit(entry: {
    action?: AuditAction
    entity: string
    entityId?: string | null
    traderId?: string | null
    before?: object
    after?: object
  }): void
  /**
   * The transaction without the limit to the client's own rows, for what staff decided and the client's request reads.
   */
  readonly unowned: Reader
  /** Erases clear text of the audit by `run`, and records and signs each erasure. */
  eraseWords(run: () => void): void
  /**
   * Runs SQL that no method above can express, without an audit row; `?1` is the tenant. For journals and caches only.
   */
  execute(sql: string, params?: readonly SqlValue[]): number
}

/** Writes an event to the outbox, after the last one of the firm. */
function emit(
  { parts, scope, now, heads }: Writing,
  name: EventName,
  payload: Readonly<Record<string, unknown>>,
): void {
  heads.sequence += 1
  parts.outbox.append({
    tenantId: scope.tenantId,
    id: parts.ids.next('evt'),
    sequence: heads.sequence,
    name,
    at: now,
    payload,
    traderId: typeof payload.traderId === 'string' ? payload.traderId : null,
  })
}

/**
 * Returns a transaction for one scope and actor, with its heads, which the caller promotes when the write has ended
 * without an error.
 */
export function createTx(
  parts: TxParts,
  scope: Scope,
  actor: Actor,
  action: AuditAction,
  now: number,
): { tx: Tx; heads: Heads } {
  const { connection } = parts
  const reader = createReader(connection, scope)
  const heads: Heads = {
    audit: parts.audit.head(scope.tenantId),
    sequence: parts.outbox.head(scope.tenantId),
    isMoney: false,
  }
  const writing: Writing = { parts, scope, actor, action, now, heads }
  const tx: Tx = {
    ...reader,
    now,
    get unowned() {
      return scope.traderId === null ? reader : createReader(connection, { tenantId: scope.tenantId, traderId: null })
    },
    insert: (table, values, insertAction) =>
      insertRow(writing, getTableMeta(table), values, insertAction === undefined ? action : insertAction) as never,
    update: (table, id, changes, options = {}) =>
      updateRow(writing, getTableMeta(table), reader.get(table, id, { withDeleted: true }), changes, options) as never,
    transition: (table, id, states, to, changes, options = {}) => {
      const meta = getTableMeta(table)
      const before: Record<string, unknown> = reader.get(table, id)
      const from = before.status as keyof typeof states & string
      if (!mayBecome(states, from as never, to)) throw wrongState(meta.entity, from)
      return updateRow(writing, meta, before, { ...changes, status: to }, options) as never
    },
    remove: (table, id, options = {}) => removeRow(writing, getTableMeta(table), id, reader.get(table, id), options),
    emit: (event, payload) => emit(writing, event, payload),
    audit: (entry) =>
      record(writing, {
        action: entry.action ?? action,
        entity: entry.entity,
        entityId: entry.entityId ?? null,
        traderId: entry.traderId ?? null,
        before: entry.before ? JSON.stringify(entry.before) : null,
        after: entry.after ? JSON.stringify(entry.after) : null,
      }),
    eraseWords: (run) => parts.audit.erase(scope.tenantId, run),
    execute: (sql, params = []) => {
      if (!sql.includes('?1')) throw new Error('a scoped statement must name its tenant as ?1')
      return connection.run(sql, [scope.tenantId, ...params])
    },
  }
  return { tx, heads }
}
