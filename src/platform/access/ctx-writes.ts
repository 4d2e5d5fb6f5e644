import type { AuditAction } from '../../words/audit-actions.ts'
import { say } from '../../words/say.ts'
import type { Scope } from '../db/reader-scope.ts'
import { createTx, type Tx } from '../db/tx.ts'
import type { Actor, Heads } from '../db/tx-record.ts'
import type { WriteHooks } from '../db/writer-queue.ts'
import type { Platform } from '../platform.ts'
import { Problem } from '../problem.ts'
import { type SecretBox, sha256Hex } from '../secrets.ts'
import { nameCaller } from './caller-name.ts'
import { findViewerId, type Principal } from './principal.ts'
import { stillHolds } from './session.ts'

/** An `Idempotency-Key` binds the caller, the route and the body. */
export type IdempotencyClaim = { principal: string; key: string; route: string; bodyHash: string; status: number }

/** Who writes a transaction, and in which firm. */
type WritingAs = {
  readonly platform: Platform
  readonly principal: Principal
  readonly tenantId: string
  /** The firm of the principal's credential. */
  readonly home: string
  readonly requestId: string
  readonly ip: string | null
  readonly scope: Scope
  readonly secrets: SecretBox
  /** The claim that the next write with an answer fulfils; undefined afterwards. */
  claim: IdempotencyClaim | undefined
}

const toActor = (principal: Principal, ip: string | null, requestId: string | null): Actor => {
  const base = { ip, requestId, apiKeyId: null, impersonatorId: null }
  const viewerId = findViewerId(principal)
  // in a view the actor is the person who looks, not the person whose pages they see
  if (viewerId !== null) return { ...base, kind: 'user', id: viewerId, impersonatorId: viewerId }
  switch (principal.kind) {
    case 'user':
    case 'trader':
      return { ...base, kind: principal.kind, id: principal.id }
    case 'api_key':
      return { ...base, kind: 'api_key', id: principal.userId, apiKeyId: principal.id }
    case 'anonymous':
      return { ...base, kind: 'anonymous', id: null }
    default:
      return { ...base, kind: principal.kind, id: principal.id }
  }
}

const REMEMBER = `INSERT INTO idempotency (tenant_id, principal, key, route, body_hash, status, response, created_at)
  VALUES (?1,?2,?3,?4,?5,?6,?7,?8)`

/** Returns the context of a sealed answer, so that it cannot be opened for another firm, caller or key. */
export const idempotencyContext = (tenantId: string, claim: { principal: string; key: string }): string =>
  `idempotency:${tenantId}:${sha256Hex(`${claim.principal}\n${claim.key}`)}`

/** Begins a transaction if the caller's credential is still valid; throws the 401 if it is not. */
function begin({ platform, principal, home, requestId, ip }: WritingAs, action: AuditAction, within: Scope) {
  const now = platform.clock.now()
  if (!stillHolds(platform.connection, home, principal, now))
    throw new Problem(401, 'unauthorized', say('problems.error.credential_changed'))
  // an owner's query is only noted in the audit log, and may be done by the standby all the same
  if (action !== 'sandbox.query') platform.away?.noteWrite(nameCaller(within.tenantId, principal))
  return createTx(platform, within, toActor(principal, ip, requestId), action, now)
}

function promote({ audit, outbox }: Platform, tenantId: string, heads: Heads): void {
  audit.promote(tenantId, heads.audit)
  outbox.promote(tenantId, heads.sequence)
}

/** Ends a write: stores the answer for the Idempotency-Key, and moves the ends of audit and events once it is kept. */
function finish(
  writer: WritingAs,
  { tx, heads }: ReturnType<typeof createTx>,
  hooks: WriteHooks,
  result: unknown,
  answers: boolean,
): void {
  const { platform, tenantId, secrets, claim } = writer
  if (claim && answers) {
    writer.claim = undefined
    const { principal, key, route, bodyHash, status } = claim
    const answer = secrets.seal(JSON.stringify(result ?? null), idempotencyContext(tenantId, claim))
    tx.execute(REMEMBER, [principal, key, route, bodyHash, status, answer, tx.now])
  }
  hooks.isMoney = heads.isMoney
  hooks.onKept = () => promote(platform, tenantId, heads)
}

/** Runs a write, with `hooks` for its end. `answers` means that a repeated request gets its result. */
export function runWrite<T>(
  writer: WritingAs,
  hooks: WriteHooks,
  action: AuditAction,
  run: (tx: Tx) => T,
  answers: boolean,
): T {
  const writing = begin(writer, action, writer.scope)
  const result = run(writing.tx)
  finish(writer, writing, hooks, result, answers)
  return result
}

/** Runs a write like `runWrite`, in steps. */
export function* runSteps<T>(
  writer: WritingAs,
  hooks: WriteHooks,
  action: AuditAction,
  run: (tx: Tx) => Generator<void, T>,
): Generator<void, T> {
  const writing = begin(writer, action, writer.scope)
  const result = yield* run(writing.tx)
  finish(writer, writing, hooks, result, true)
  return result
}

/** Runs a write like `runWrite`, with a second transaction in another firm, whose audit gets its own part. */
export function runAcross<T>(
  writer: WritingAs,
  hooks: WriteHooks,
  action: AuditAction,
  other: { tenantId: string; action: AuditAction },
  run: (tx: Tx, theirs: Tx) => T,
): T {
  const mine = begin(writer, action, writer.scope)
  const theirs = begin(writer, other.action, { tenantId: other.tenantId, traderId: null })
  const result = run(mine.tx, theirs.tx)
  finish(writer, mine, hooks, result, true)
  const releaseMine = hooks.onKept
  hooks.onKept = () => {
    releaseMine?.()
    promote(writer.platform, other.tenantId, theirs.heads)
  }
  return result
}
