import type { AuditAction } from '../../words/audit-actions.ts'
import type { AuditHead, AuditTrail } from '../audit/audit.ts'
import type { Outbox } from '../events/outbox.ts'
import type { Ids } from '../ids.ts'
import { formatAmount } from '../money.ts'
import type { Connection } from '../sqlite.ts'
import type { Scope } from './reader-scope.ts'
import { findCurrency, type TableMeta } from './tenant-table.ts'

/** The actor and the request that a transaction's audit rows name. */
export type Actor = {
  kind: 'user' | 'api_key' | 'trader' | 'system' | 'gateway' | 'anonymous'
  id: string | null
  apiKeyId: string | null
  impersonatorId: string | null
  ip: string | null
  requestId: string | null
}

export type TxParts = { connection: Connection; ids: Ids; audit: AuditTrail; outbox: Outbox }
/** The state of a firm's audit and events after a write, and whether it was about money. */
export type Heads = { audit: AuditHead; sequence: number; isMoney: boolean }

/** A running transaction: its scope, its actor, and its heads. */
export type Writing = {
  readonly parts: TxParts
  readonly scope: Scope
  readonly actor: Actor
  /** The default action of audit rows. */
  readonly action: AuditAction
  readonly now: number
  readonly heads: Heads
}

/** The audit row of one change; `before` and `after` are JSON text. */
type Change = {
  action: AuditAction
  entity: string
  entityId: string | null
  traderId: string | null
  before: string | null
  after: string | null
}

/** Writes an audit row after the last one of the firm. */
export function record({ parts, scope, actor, now, heads }: Writing, change: Change): void {
  heads.audit = parts.audit.append(heads.audit, {
    tenantId: scope.tenantId,
    id: parts.ids.next('aud'),
    at: now,
    actorKind: actor.kind,
    actorId: actor.id,
    apiKeyId: actor.apiKeyId,
    impersonatorId: actor.impersonatorId,
    ip: actor.ip,
    requestId: actor.requestId,
    ...change,
  })
}

/** Returns the client whom a row is about; null without one. */
export function findTraderId(meta: TableMeta, row: Readonly<Record<string, unknown>>): string | null {
  const value = meta.name === 'traders' ? row.id : meta.has.traderId ? row.traderId : null
  return typeof value === 'string' ? value : null
}

/** Returns what the audit keeps of a row's values, as JSON: no secrets, no bytes, money as people read it. */
export function visible(
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
      const currency = findCurrency(meta, key, row)
      kept[key] = currency ? formatAmount(value, currency) : value.toString()
      const named = meta.byKey.get(key)?.currency
      // a changed amount is shown with its currency, which did not change itself
      if (currency && named && !(named in values)) kept[named] = currency
    } else kept[key] = value
  }
  return JSON.stringify(kept)
}
