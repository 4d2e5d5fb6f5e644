import type { AuditAction } from '../../words/audit-actions.ts'
import type { AuditHead, AuditTrail } from '../audit/audit.ts'
import type { Outbox } from '../events/outbox.ts'
import type { Ids } from '../ids.ts'
import { formatAmount } from '../money.ts'
import type { Connection } from '../sqlite.ts'
import type { Scope } from './reader-scope.ts'
import { currencyOf, type TableMeta } from './tenant-table.ts'

/** Who and what a transaction's audit rows name. */
export type Actor = {
  kind: 'user' | 'api_key' | 'trader' | 'system' | 'gateway' | 'anonymous'
  id: string | null
  apiKeyId: string | null
  impersonatorId: string | null
  ip: string | null
  requestId: string | null
}

export type TxParts = { connection: Connection; ids: Ids; audit: AuditTrail; outbox: Outbox }
/** Where the audit and the events of a firm stand after what was written, and whether any of it was about money. */
export type Heads = { audit: AuditHead; sequence: number; isMoney: boolean }

/** A transaction under way: whose rows, by whom, and how far it has come. */
export type Writing = {
  readonly parts: TxParts
  readonly scope: Scope
  readonly actor: Actor
  /** What audit rows are called where a call says nothing else. */
  readonly action: AuditAction
  readonly now: number
  readonly heads: Heads
}

/** What an audit row says of one change; `before` and `after` are JSON text. */
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

/** Whom a row is about; null where it is about nobody. */
export function traderOf(meta: TableMeta, row: Readonly<Record<string, unknown>>): string | null {
  const value = meta.name === 'traders' ? row.id : meta.has.traderId ? row.traderId : null
  return typeof value === 'string' ? value : null
}

/** What the audit keeps of a row's values, as JSON: no secrets, no bytes, money as people read it. */
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
      const currency = currencyOf(meta, key, row)
      kept[key] = currency ? formatAmount(value, currency) : value.toString()
    } else kept[key] = value
  }
  return JSON.stringify(kept)
}
