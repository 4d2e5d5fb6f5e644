import type { AuditAction } from '../../words/audit-actions.ts'
import { say } from '../../words/say.ts'
import type { Scope } from '../db/reader-scope.ts'
import { createTx, type Tx } from '../db/tx.ts'
import type { Actor, Heads } from '../db/tx-record.ts'
import type { WriteHooks } from '../db/writer-queue.ts'
import type { Platform } from '../platform.ts'
import { Problem } from '../problem.ts'
import { type SecretBox, sha256Hex } from '../secrets.ts'
import type { Principal } from './principal.ts'
import { stillHolds } from './session.ts'

/** What an `Idempotency-Key` pins: the caller, the route and the body. */
export type IdempotencyClaim = { principal: string; key: string; route: string; bodyHash: string; status: number }

/** Who writes, and in which firm. */
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
  /** What the next write that is an answer pins; undefined once one has. */
  claim: IdempotencyClaim | undefined
}

const actorOf = (principal: Principal, ip: string | null, requestId: string | null): Actor => {
  const base = { ip, requestId, apiKeyId: null, impersonatorId: null }
  switch (principal.kind) {
    case 'user':
    case 'trader':
      return { ...base, kind: principal.kind, id: principal.id, impersonatorId: principal.impersonatorId }
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

/** Where a sealed answer belongs: another caller's key or route cannot open it. */
export const idempotencyContext = (tenantId: string, claim: { principal: string; key: string }): string =>
  `idempotency:${tenantId}:${sha256Hex(`${claim.principal}\n${claim.key}`)}`

/** Begins a transaction for a caller who is still who they were; throws the 401 where they are not. */
function begin({ platform, principal, home, requestId, ip }: WritingAs, action: AuditAction, within: Scope) {
  const now = platform.clock.now()
  if (!stillHolds(platform.connection, home, principal, now))
    throw new Problem(401, 'unauthorized', say('problems.error.credential_changed'))
  return createTx(platform, within, actorOf(principal, ip, requestId), action, now)
}

function promote({ audit, outbox }: Platform, tenantId: string, heads: Heads): void {
  audit.promote(tenantId, heads.audit)
  outbox.promote(tenantId, heads.sequence)
}

/** The last act of a write: the answer is pinned to the Idempotency-Key, the heads go on with the release. */
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
  hooks.onRelease = () => promote(platform, tenantId, heads)
}

/** Runs a write in the savepoint that `hooks` is of. `answers`: its result is what a repeated request gets. */
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

/** As `runWrite`, a step at a time. */
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

/** As `runWrite`, with a second transaction in another firm, whose audit gets its own part. */
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
  const releaseMine = hooks.onRelease
  hooks.onRelease = () => {
    releaseMine?.()
    promote(writer.platform, other.tenantId, theirs.heads)
  }
  return result
}
