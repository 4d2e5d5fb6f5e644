import { say } from '../../words/say.ts'
import type { AuditHead, AuditTrail } from '../audit/audit.ts'
import type { EventName, EventPayload } from '../events/catalogue.ts'
import type { Outbox } from '../events/outbox.ts'
import { invalid, notFound, Problem, versionConflict, wrongState } from '../http/problem.ts'
import type { Ids } from '../ids.ts'
import { formatAmount } from '../money.ts'
import type { Connection, SqlValue } from './client.ts'
import { createReader, type Reader, type Scope } from './reader.ts'
import { mayBecome, type States } from './states.ts'
import {
  type Changes,
  currencyOf,
  encodeValue,
  metaOf,
  type NewRow,
  type Row,
  type TableMeta,
  type TenantTable,
} from './tenant-table.ts'

/** Who and what a transaction's audit rows name. */
export type Actor = {
  kind: 'user' | 'api_key' | 'trader' | 'system' | 'gateway' | 'anonymous'
  id: string | null
  apiKeyId: string | null
  impersonatorId: string | null
  ip: string | null
  requestId: string | null
}

type UpdateOptions = {
  /** The version the caller saw (`If-Match`); another one is a 412. */
  expect?: number | undefined
  /** Audit action where it differs from the write's own. */
  action?: string
}

/**
 * The writing side of a scope: reads as a `Reader` does, and every change writes its audit row. src/README “Writes”.
 */
export type Tx = Reader & {
  readonly now: number
  insert<T extends TenantTable>(table: T, row: NewRow<T>, action?: string): Row<T>
  /** Changes the given columns; nothing happens (no version, no audit) when all are as they were. */
  update<T extends TenantTable>(table: T, id: string, changes: Changes<T>, options?: UpdateOptions): Row<T>
  /**
   * Compare-and-swap through a transition table; a state that does not allow it is a 409 naming it. src/README
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
  /** An audit row for something that is not a row: a sign-in, an export, a view of a paper. */
  audit(entry: {
    action?: string
    entity: string
    entityId?: string | null
    traderId?: string | null
    before?: object
    after?: object
  }): void
  /**
   * The same transaction without the trader's owner predicate, for what staff decided and a trader's request must read.
   */
  readonly unowned: Reader
  /** Erases clear text of the audit by `run`, each entry recorded and signed as erased. */
  eraseWords(run: () => void): void
  /** SQL that no method above can say; `?1` is the tenant, no audit row. For journals and caches only. */
  execute(sql: string, params?: readonly SqlValue[]): number
}

type TxParts = { connection: Connection; ids: Ids; audit: AuditTrail; outbox: Outbox }
type Heads = { audit: AuditHead; sequence: number; isMoney: boolean }

const isConstraint = (error: unknown, kind: string): error is Error =>
  error instanceof Error && 'code' in error && error.code === `SQLITE_CONSTRAINT_${kind}`

const camel = (name: string): string => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** A unique index answered: say which field, never which row. */
function translate(error: unknown, meta: TableMeta): unknown {
  if (isConstraint(error, 'UNIQUE') || isConstraint(error, 'PRIMARYKEY')) {
    const column = camel(error.message.split('.').at(-1) ?? 'id')
    return new Problem(
      409,
      'duplicate',
      say('problems.error.another_has_this_already', { entity: meta.entity, column }),
      [{ path: column, code: 'duplicate', message: say('problems.field.taken') }],
    )
  }
  if (isConstraint(error, 'FOREIGNKEY'))
    return invalid('body', 'unknown_reference', say('problems.field.refers_to_something_that', { entity: meta.entity }))
  return error
}

/** What the audit keeps of a row's values: no secrets, no bytes, money as people read it. */
function visible(
  meta: TableMeta,
  values: Readonly<Record<string, unknown>>,
  row: Readonly<Record<string, unknown>>,
): string {
  const kept: Record<string, unknown> = {}
  for (const key of Object.keys(values)) {
    if (key === 'tenantId') continue
    const value = values[key]
    if (meta.secret?.includes(key)) kept[key] = value === null ? null : '(secret)'
    else if (typeof value === 'bigint') {
      const currency = currencyOf(meta, key, row)
      kept[key] = currency ? formatAmount(value, currency) : value.toString()
    } else kept[key] = value
  }
  return JSON.stringify(kept)
}

const same = (a: unknown, b: unknown): boolean =>
  a === b ||
  (typeof a === 'object' &&
    typeof b === 'object' &&
    a !== null &&
    b !== null &&
    JSON.stringify(a) === JSON.stringify(b))

/**
 * A transaction for one scope and actor. Returns it with its
 * heads, which the caller promotes when the savepoint is released.
 */
export function createTx(
  parts: TxParts,
  scope: Scope,
  actor: Actor,
  action: string,
  now: number,
): { tx: Tx; heads: Heads } {
  const { connection, ids } = parts
  const reader = createReader(connection, scope)
  const heads: Heads = {
    audit: parts.audit.head(scope.tenantId),
    sequence: parts.outbox.head(scope.tenantId),
    isMoney: false,
  }

  const record = (entry: {
    action: string
    entity: string
    entityId: string | null
    traderId: string | null
    before: string | null
    after: string | null
  }) => {
    heads.audit = parts.audit.append(heads.audit, {
      tenantId: scope.tenantId,
      id: ids.next('aud'),
      at: now,
      actorKind: actor.kind,
      actorId: actor.id,
      apiKeyId: actor.apiKeyId,
      impersonatorId: actor.impersonatorId,
      ip: actor.ip,
      requestId: actor.requestId,
      ...entry,
    })
  }

  const traderOf = (meta: TableMeta, row: Readonly<Record<string, unknown>>): string | null => {
    const value = meta.name === 'traders' ? row.id : meta.has.traderId ? row.traderId : null
    return typeof value === 'string' ? value : null
  }

  /** What a new row gets without being told. */
  const automatic = (meta: TableMeta, key: string): string | number | undefined => {
    if (key === 'id') return ids.next(meta.prefix)
    if (key === 'createdAt' || key === 'updatedAt') return now
    return key === 'version' ? 1 : undefined
  }

  /**
   * A trader's request writes the trader's rows, or rows of nobody
   * (the firm's side of a posting); never another trader's.
   */
  const mustOwn = (meta: TableMeta, row: Readonly<Record<string, unknown>>) => {
    if (scope.traderId === null) return
    // an introducing broker's payout is their affiliate's
    if (typeof meta.broker === 'string' && row[meta.broker] !== scope.affiliateId) throw notFound()
    if (!meta.owner) return
    const owner = row[meta.owner]
    if (owner !== null && owner !== scope.traderId) throw notFound()
  }

  const applyUpdate = (
    meta: TableMeta,
    before: Record<string, unknown>,
    changes: Record<string, unknown>,
    options: UpdateOptions,
  ) => {
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
      after.updatedAt = now
      written.push('updatedAt')
    }
    if (meta.isMoney) heads.isMoney = true
    const params: SqlValue[] = []
    const sets = written.map((key) => {
      const column = meta.byKey.get(key)
      if (!column) throw new Error(`no column ${key} in ${meta.name}`)
      params.push(encodeValue(column, after[key]))
      return `${column.sql} = ?`
    })
    try {
      const count = connection.run(`UPDATE ${meta.name} SET ${sets.join(', ')} WHERE tenant_id = ? AND id = ?`, [
        ...params,
        scope.tenantId,
        String(id),
      ])
      if (count !== 1) throw notFound()
    } catch (error) {
      throw translate(error, meta)
    }
    if (meta.audited !== false) {
      record({
        action: options.action ?? action,
        entity: meta.entity,
        entityId: String(id),
        traderId: traderOf(meta, after),
        before: visible(meta, was, after),
        after: visible(meta, is, after),
      })
    }
    return after
  }

  const tx: Tx = {
    ...reader,
    now,
    get unowned() {
      return scope.traderId === null ? reader : createReader(connection, { tenantId: scope.tenantId, traderId: null })
    },
    insert: (table, values, insertAction) => {
      const meta = metaOf(table)
      const given: Readonly<Record<string, unknown>> = values
      const row: Record<string, unknown> = {}
      const params: SqlValue[] = []
      for (const column of meta.written) {
        let value = given[column.key] ?? null
        if (column.key === 'tenantId') value = scope.tenantId
        else if (value === null) value = automatic(meta, column.key) ?? column.fallback ?? null
        row[column.key] = value
        params.push(encodeValue(column, value))
      }
      mustOwn(meta, row)
      if (meta.isMoney) heads.isMoney = true
      try {
        connection.run(meta.insertSql, params)
      } catch (error) {
        throw translate(error, meta)
      }
      if (meta.audited !== false) {
        record({
          action: insertAction ?? action,
          entity: meta.entity,
          entityId: String(row.id),
          traderId: traderOf(meta, row),
          before: null,
          after: visible(meta, row, row),
        })
      }
      return row as never
    },
    update: (table, id, changes, options = {}) =>
      applyUpdate(metaOf(table), reader.get(table, id, { withDeleted: true }), changes, options) as never,
    transition: (table, id, states, to, changes, options = {}) => {
      const meta = metaOf(table)
      const before: Record<string, unknown> = reader.get(table, id)
      const from = before.status as keyof typeof states & string
      if (!mayBecome(states, from as never, to)) throw wrongState(meta.entity, from)
      return applyUpdate(meta, before, { ...changes, status: to }, options) as never
    },
    remove: (table, id, options = {}) => {
      const meta = metaOf(table)
      const before: Record<string, unknown> = reader.get(table, id)
      if (meta.softDelete) return void applyUpdate(meta, before, { deletedAt: now }, options)
      if (options.expect !== undefined && options.expect !== before.version)
        throw versionConflict(Number(before.version))
      try {
        connection.run(`DELETE FROM ${meta.name} WHERE tenant_id = ? AND id = ?`, [scope.tenantId, id])
      } catch (error) {
        throw translate(error, meta)
      }
      if (meta.audited === false) return
      record({
        action: options.action ?? action,
        entity: meta.entity,
        entityId: id,
        traderId: traderOf(meta, before),
        before: visible(meta, before, before),
        after: null,
      })
    },
    emit: (event, payload) => {
      const facts: Readonly<Record<string, unknown>> = payload
      heads.sequence += 1
      parts.outbox.append({
        tenantId: scope.tenantId,
        id: ids.next('evt'),
        sequence: heads.sequence,
        name: event,
        at: now,
        payload,
        traderId: typeof facts.traderId === 'string' ? facts.traderId : null,
      })
    },
    audit: (entry) =>
      record({
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
