import { join } from 'node:path'
import type { AuditAction } from '../../words/audit-actions.ts'
import { say } from '../../words/say.ts'
import { type AuditHead, type Verification, verifyChain } from '../audit/audit.ts'
import type { Capabilities } from '../capabilities.ts'
import type { TenantBlobs } from '../db/blobs.ts'
import type { Directory } from '../db/directory.ts'
import { createReader, type Reader, type Scope } from '../db/reader.ts'
import { createTx, type Tx } from '../db/tx.ts'
import type { Actor } from '../db/tx-record.ts'
import type { WriteHooks } from '../db/writer-queue.ts'
import { Problem } from '../http/problem.ts'
import type { Platform } from '../platform.ts'
import { runTask, type TaskOptions } from '../query-runner/task.ts'
import { type SecretBox, sha256Hex } from '../secrets.ts'
import { affiliateIdOf, isClient, type Principal, personOf, readsClients } from './principal.ts'
import { stillHolds } from './session.ts'

/** What an `Idempotency-Key` pins: the caller, the route and the body. */
export type IdempotencyClaim = { principal: string; key: string; route: string; bodyHash: string; status: number }

/**
 * What every use case gets: who asks, for which tenant, a scoped reader, the one write path, and narrow capabilities.
 * No connection, writer or unscoped reader can be reached from it; `src/contract/types.test.ts` proves it.
 */
export type Ctx = Capabilities & {
  readonly principal: Principal
  readonly tenantId: string
  readonly requestId: string
  readonly ip: string | null
  /** Ends when whoever asked has gone; null where nobody waits for an answer. */
  readonly signal: AbortSignal | null
  readonly db: Reader
  /** The same without the trader's owner predicate, for what staff decided and a trader's request must read. */
  readonly unowned: Reader
  /** Seals and signs with the firm's own key. */
  readonly secrets: SecretBox
  readonly blobs: TenantBlobs
  now(): number
  /** Whether the caller is still who they were: for what goes on after the request. */
  stillHolds(): boolean
  /** Walks the firm's audit chain; `anchor` is an earlier head that it must still contain. */
  verifyAudit(anchor: AuditHead | null): Promise<Verification>
  /** Runs a read of this firm in a child that can be killed; `input` goes beside the database and the firm's id. */
  runTask(name: string, input: object, options: TaskOptions): Promise<unknown>
  /**
   * The only way to change anything: a synchronous callback, committed with its audit rows and events before
   * the promise resolves. Its result is the answer that a repeated `Idempotency-Key` gets, so a POST's use
   * case returns the wire object from here. `answer: false` for a write that is only a step of the use case,
   * `local: true` for one that never waits for the replica.
   */
  write<T>(
    action: AuditAction,
    run: (tx: Tx) => T extends Promise<unknown> ? never : T,
    options?: { answer?: boolean; local?: boolean },
  ): Promise<T>
  /**
   * As `write`, for thousands of rows in one transaction: a generator
   * that yields between them, so that reads go on meanwhile.
   */
  writeSteps<T>(action: AuditAction, run: (tx: Tx) => Generator<void, T>): Promise<T>
}

/**
 * The context of a request before its tenant is known, or of the box's administrator: it looks past its tenant,
 * by named look-ups. Handlers have it; a use case has it only when it says so, and a contract test lists who does.
 */
export type BoxCtx = Ctx & {
  readonly directory: Directory
  /** The same request in a tenant that a look-up named, as whoever it was proven to come from. */
  enter(tenantId: string, principal: Principal): Ctx
  /** The box's administrator in another tenant, whose own audit then names who did it. */
  visit(tenantId: string): Ctx
  /** A context in a tenant that is yet to be founded, by nobody. */
  founding(): Ctx
  /**
   * As `write`, with a second transaction in another tenant that stands or falls with it:
   * for the box's administrator, who founds firms. Each tenant's audit gets its own part.
   */
  writeAcross<T>(
    action: AuditAction,
    other: { tenantId: string; action: AuditAction },
    run: (tx: Tx, theirs: Tx) => T,
  ): Promise<T>
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

/** A context for one principal in one tenant. */
export function createCtx(
  platform: Platform,
  who: {
    principal: Principal
    tenantId: string
    requestId: string
    ip: string | null
    /** The request that is answered, for its signal: most ask for none, and making one costs. */
    request?: Request | undefined
    claim?: IdempotencyClaim | undefined
    /** The firm of the principal's credential, where the box's administrator acts in another one. */
    home?: string
  },
): BoxCtx {
  const { principal, tenantId, requestId, ip, request, home = tenantId } = who
  const scope = {
    tenantId,
    traderId: principal.kind === 'trader' ? principal.id : null,
    affiliateId: affiliateIdOf(principal),
    readsClients: readsClients(principal),
  }
  const secrets = platform.secrets.forFirm(tenantId)
  const whole: Scope = { tenantId, traderId: null }
  let reader: Reader | undefined
  let unowned: Reader | undefined
  let claim = who.claim

  const begin = (action: AuditAction, within: Scope = scope) => {
    const now = platform.clock.now()
    if (!stillHolds(platform.connection, home, principal, now))
      throw new Problem(401, 'unauthorized', say('problems.error.credential_not_valid_any'))
    return createTx(platform, within, actorOf(principal, ip, requestId), action, now)
  }

  /** The last act of a write: the answer is pinned to the Idempotency-Key, the heads go on with the release. */
  const finish = ({ tx, heads }: ReturnType<typeof begin>, hooks: WriteHooks, result: unknown, answers: boolean) => {
    const pinned = claim
    if (pinned && answers) {
      claim = undefined
      const { principal: who, key, route, bodyHash, status } = pinned
      const answer = secrets.seal(JSON.stringify(result ?? null), idempotencyContext(tenantId, pinned))
      tx.execute(REMEMBER, [who, key, route, bodyHash, status, answer, tx.now])
    }
    hooks.isMoney = heads.isMoney
    hooks.onRelease = () => promote(tenantId, heads)
  }

  const promote = (tenant: string, heads: ReturnType<typeof begin>['heads']) => {
    platform.audit.promote(tenant, heads.audit)
    platform.outbox.promote(tenant, heads.sequence)
  }

  // Named one by one: this is made for every request, and a spread costs as much as all the rest.
  const { ids, log, egress, config, signatures, app, logBytes, onCommit, sleep } = platform.capabilities
  return {
    ids,
    log,
    egress,
    config,
    signatures,
    app,
    logBytes,
    onCommit,
    sleep,
    principal,
    tenantId,
    requestId,
    ip,
    secrets,
    directory: platform.directory,
    get db() {
      reader ??= createReader(platform.reader, scope)
      return reader
    },
    get unowned() {
      unowned ??= createReader(platform.reader, whole)
      return unowned
    },
    blobs: {
      put: (key, bytes, now) => platform.blobs.put(tenantId, key, bytes, now),
      get: (key) => platform.blobs.get(tenantId, key),
    },
    get signal() {
      return request?.signal ?? null
    },
    now: () => platform.clock.now(),
    stillHolds: () => stillHolds(platform.reader, home, principal, platform.clock.now()),
    verifyAudit: (anchor) => verifyChain(platform.reader, platform.secrets, tenantId, anchor),
    runTask: (name, input, options) =>
      runTask(
        name,
        { ...input, database: join(platform.config.dataDir, 'brokerbase.db'), tenantId },
        { holder: tenantId, person: personOf(principal), isClient: isClient(principal), ...options },
      ),
    enter: (there, as) => createCtx(platform, { principal: as, tenantId: there, requestId, ip, request }),
    visit: (there) => createCtx(platform, { principal, tenantId: there, requestId, ip, home: tenantId }),
    founding: () => foundingCtx(platform),
    write: (action, run, options = {}) =>
      platform.writer.submit((hooks) => {
        const writing = begin(action)
        const result = run(writing.tx)
        finish(writing, hooks, result, options.answer !== false)
        return result
      }, options) as never,
    writeAcross: (action, other, run) =>
      platform.writer.submit((hooks) => {
        const mine = begin(action)
        const theirs = begin(other.action, { tenantId: other.tenantId, traderId: null })
        const result = run(mine.tx, theirs.tx)
        finish(mine, hooks, result, true)
        const releaseMine = hooks.onRelease
        hooks.onRelease = () => {
          releaseMine?.()
          promote(other.tenantId, theirs.heads)
        }
        return result
      }),
    writeSteps: (action, run) =>
      platform.writer.submitSteps(function* (hooks) {
        const writing = begin(action)
        const result = yield* run(writing.tx)
        finish(writing, hooks, result, true)
        return result
      }),
  }
}

/** A context in a tenant that is yet to be founded: by a command, or by whoever sets up the box. */
export const foundingCtx = (platform: Platform): Ctx => systemCtx(platform, platform.ids.next('tnt'), 'founding')

/** A context for jobs and commands: a named part of the program acting in one tenant. */
export const systemCtx = (platform: Platform, tenantId: string, name: string): Ctx =>
  createCtx(platform, { principal: { kind: 'system', id: name }, tenantId, requestId: `job-${name}`, ip: null })
