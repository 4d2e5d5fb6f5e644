import { say } from '../../words/say.ts'
import { Problem } from '../problem.ts'
import type { SqlValue } from '../sqlite.ts'
import type { Veil } from './hidden-fields.ts'
import type { TableMeta } from './tenant-table.ts'

/**
 * The rows that a request may see: the tenant's; for a client only their own, and as an introducing broker those of
 * their affiliate.
 */
export type Scope = {
  tenantId: string
  traderId: string | null
  affiliateId?: string | null
  /** Whether names of clients may be read and searched: not by clients, nor by keys without the scope. */
  readsClients?: boolean
  /** What is hidden in the rows. */
  veils?: readonly Veil[]
  /** Is called for each client whose personal data is read. */
  seen?: (traderId: string) => void
}

/** Returns the condition with which every statement of a scope begins; `scopeParams` has its parameters. */
export function scopePredicate(meta: TableMeta, scope: Scope, withDeleted: boolean): string {
  let sql = `${meta.name}.tenant_id = ?`
  const kind = getKind(meta, scope)
  if (kind === 'broker') {
    const { broker } = meta
    sql += ` AND ${typeof broker === 'object' ? broker.sql : `${meta.name}.${meta.byKey.get(broker ?? '')?.sql} = ?`}`
  } else if (kind === 'owner') {
    const owner = meta.owner ? meta.byKey.get(meta.owner) : undefined
    if (!owner) throw new Problem(403, 'forbidden', say('problems.error.staff_only'))
    sql += ` AND ${meta.name}.${owner.sql} = ?`
  }
  if (meta.softDelete && !withDeleted) sql += ` AND ${meta.name}.deleted_at IS NULL`
  return sql
}

/** Returns how a scope limits a table. */
const getKind = (meta: TableMeta, scope: Scope): 'all' | 'owner' | 'broker' => {
  if (scope.traderId === null) return 'all'
  return meta.broker !== undefined && scope.affiliateId ? 'broker' : 'owner'
}
const KINDS = ['all', 'owner', 'broker'] as const

const oneTexts = new WeakMap<TableMeta, (string | undefined)[]>()
/** Returns the statement that reads one row; it is cached, since composing it takes as long as running it. */
export function oneSql(meta: TableMeta, scope: Scope, withDeleted: boolean): string {
  const texts = oneTexts.get(meta) ?? []
  oneTexts.set(meta, texts)
  const kind = 2 * KINDS.indexOf(getKind(meta, scope)) + (withDeleted ? 1 : 0)
  texts[kind] ??=
    `SELECT ${meta.selection} FROM ${meta.name} WHERE ${scopePredicate(meta, scope, withDeleted)} AND id = ?`
  return texts[kind]
}

export const scopeParams = (meta: TableMeta, scope: Scope): SqlValue[] => {
  const kind = getKind(meta, scope)
  if (kind === 'all') return [scope.tenantId]
  return [scope.tenantId, (kind === 'broker' ? scope.affiliateId : scope.traderId) ?? null]
}
