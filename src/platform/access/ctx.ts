import { join } from 'node:path'
import type { AuditAction } from '../../words/audit-actions.ts'
import type { AuditHead } from '../audit/audit.ts'
import { type Verification, verifyChain } from '../audit/verify.ts'
import type { Capabilities } from '../capabilities.ts'
import type { TenantBlobs } from '../db/blobs.ts'
import type { Directory } from '../db/directory.ts'
import { createReader, type Reader } from '../db/reader.ts'
import type { Scope } from '../db/reader-scope.ts'
import type { Tx } from '../db/tx.ts'
import type { Platform } from '../platform.ts'
import { runTask, type TaskOptions } from '../query-runner/task.ts'
import type { TaskName } from '../query-runner/task-names.ts'
import type { SecretBox } from '../secrets.ts'
import { type IdempotencyClaim, runAcross, runSteps, runWrite } from './ctx-writes.ts'
import { affiliateIdOf, isClient, type Principal, personOf, readsClients, veilsOf } from './principal.ts'
import { stillHolds } from './session.ts'

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
  runTask(name: TaskName, input: object, options: TaskOptions): Promise<unknown>
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

/** Who asks, and in which firm. */
type Asking = {
  principal: Principal
  tenantId: string
  requestId: string
  ip: string | null
  /** The request that is answered, for its signal: most ask for none, and making one costs. */
  request?: Request | undefined
  claim?: IdempotencyClaim | undefined
  /** The firm of the principal's credential, where the box's administrator acts in another one. */
  home?: string
}

/** Whose rows a principal may see: a client their own, staff all of the firm's. */
const scopeOf = (tenantId: string, principal: Principal): Scope => ({
  tenantId,
  traderId: principal.kind === 'trader' ? principal.id : null,
  affiliateId: affiliateIdOf(principal),
  readsClients: readsClients(principal),
})

/** What staff see of their firm's rows, and who counts it. Writes see all: what they compare and keep must be whole. */
function sightOf({ tallies }: Platform, scope: Scope, principal: Principal): Scope {
  if (principal.kind !== 'user' && principal.kind !== 'api_key') return scope
  const { tenantId } = scope
  const userId = personOf(principal) ?? principal.id
  const seen = tallies.of({ tenantId, userId, apiKeyId: principal.kind === 'api_key' ? principal.id : null })
  // named one by one, as below
  return { tenantId, traderId: null, readsClients: readsClients(principal), veils: veilsOf(principal), seen }
}

const databaseOf = ({ config }: Platform): string => join(config.dataDir, 'brokerbase.db')

/** A context for one principal in one tenant. */
export function createCtx(platform: Platform, who: Asking): BoxCtx {
  const { principal, tenantId, requestId, ip, request, home = tenantId, claim } = who
  const scope = scopeOf(tenantId, principal)
  const secrets = platform.secrets.forFirm(tenantId)
  const writer = { platform, principal, tenantId, home, requestId, ip, scope, secrets, claim }
  let reader: Reader | undefined
  let unowned: Reader | undefined
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
      reader ??= createReader(platform.reader, sightOf(platform, scope, principal))
      return reader
    },
    get unowned() {
      unowned ??= createReader(platform.reader, { tenantId, traderId: null })
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
    runTask: (name, input, options) => {
      const whose = { holder: tenantId, person: personOf(principal), isClient: isClient(principal) }
      return runTask(name, { ...input, database: databaseOf(platform), tenantId }, { ...whose, ...options })
    },
    enter: (there, as) => createCtx(platform, { principal: as, tenantId: there, requestId, ip, request }),
    visit: (there) => createCtx(platform, { principal, tenantId: there, requestId, ip, home: tenantId }),
    founding: () => foundingCtx(platform),
    write: (action, run, options = {}) =>
      platform.writer.submit(
        (hooks) => runWrite(writer, hooks, action, run, options.answer !== false),
        options,
      ) as never,
    writeAcross: (action, other, run) =>
      platform.writer.submit((hooks) => runAcross(writer, hooks, action, other, run)),
    writeSteps: (action, run) => platform.writer.submitSteps((hooks) => runSteps(writer, hooks, action, run)),
  }
}

/** A context in a tenant that is yet to be founded: by a command, or by whoever sets up the box. */
export const foundingCtx = (platform: Platform): Ctx => systemCtx(platform, platform.ids.next('tnt'), 'founding')

/** A context for jobs and commands: a named part of the program acting in one tenant. */
export const systemCtx = (platform: Platform, tenantId: string, name: string): Ctx =>
  createCtx(platform, { principal: { kind: 'system', id: name }, tenantId, requestId: `job-${name}`, ip: null })
