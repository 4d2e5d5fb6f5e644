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
import { noteAge } from '../peer/answer-age.ts'
import type { Platform } from '../platform.ts'
import { runTask, type TaskOptions } from '../query-runner/task.ts'
import type { TaskName } from '../query-runner/task-names.ts'
import type { SecretBox } from '../secrets.ts'
import { nameCaller } from './caller-name.ts'
import { type IdempotencyClaim, runAcross, runSteps, runWrite } from './ctx-writes.ts'
import { findAffiliateId, findPersonId, isClient, listVeils, type Principal, readsClients } from './principal.ts'
import { stillHolds } from './session.ts'

/**
 * The context of every use case: caller, tenant, a scoped reader, the only way to write, and narrow capabilities. It
 * leads to no connection, writer or unscoped reader; `src/contract/types.test.ts` proves it.
 */
export type Ctx = Capabilities & {
  readonly principal: Principal
  readonly tenantId: string
  readonly requestId: string
  readonly ip: string | null
  /** Ends when the caller disconnects; null if no caller waits for an answer. */
  readonly signal: AbortSignal | null
  readonly db: Reader
  /** A reader without the limit to the client's own rows, for what staff decided and a client's request has to read. */
  readonly unowned: Reader
  /** Seals and signs with the firm's own key. */
  readonly secrets: SecretBox
  readonly blobs: TenantBlobs
  now(): number
  /** Returns whether the caller's credential is still valid, for work after the request. */
  stillHolds(): boolean
  /** Verifies the firm's audit chain; `anchor` is an earlier head that it must still contain. */
  verifyAudit(anchor: AuditHead | null): Promise<Verification>
  /** Runs a read of this firm in a child that can be killed. It gets `input`, the database's path and the firm's id. */
  runTask(name: TaskName, input: object, options: TaskOptions): Promise<unknown>
  /**
   * Changes data; there is no other way. The callback is synchronous, and committed with its audit rows and events
   * before the promise resolves. A request with a repeated `Idempotency-Key` gets the callback's stored result, so for
   * a POST the callback returns the wire object. `answer: false` is for a write that is only a step of the use case,
   * `local: true` for one that never waits for the replica.
   */
  write<T>(
    action: AuditAction,
    run: (tx: Tx) => T extends Promise<unknown> ? never : T,
    options?: { answer?: boolean; local?: boolean },
  ): Promise<T>
  /** Changes thousands of rows in one transaction, like `write`: a generator yields between them, so that reads run. */
  writeSteps<T>(action: AuditAction, run: (tx: Tx) => Generator<void, T>): Promise<T>
}

/**
 * The context of a request before its tenant is known, or of the installation's administrator. Its named look-ups also
 * find rows of other tenants. A use case that needs it has it in its signature, and a contract test lists these use
 * cases.
 */
export type BoxCtx = Ctx & {
  readonly directory: Directory
  /** Returns the context of the same request in a tenant that a look-up found, with the proven principal. */
  enter(tenantId: string, principal: Principal): Ctx
  /** Returns the administrator's context in another tenant, whose own audit names them. */
  visit(tenantId: string): Ctx
  /** Returns the context of a tenant that is being created. */
  founding(): Ctx
  /**
   * Changes data like `write`, with a second transaction in another tenant that commits or fails with it, for the
   * administrator who creates firms. Each tenant's audit gets its own part.
   */
  writeAcross<T>(
    action: AuditAction,
    other: { tenantId: string; action: AuditAction },
    run: (tx: Tx, theirs: Tx) => T,
  ): Promise<T>
}

/** The caller, and their firm. */
type Asking = {
  principal: Principal
  tenantId: string
  requestId: string
  ip: string | null
  /** The request, whose signal is made only if it is needed. */
  request?: Request | undefined
  claim?: IdempotencyClaim | undefined
  /** The firm of the principal's credential, if the administrator acts in another one. */
  home?: string
}

/** Returns the rows that a principal may see: a client their own, staff all of the firm's. */
const toScope = (tenantId: string, principal: Principal): Scope => ({
  tenantId,
  traderId: principal.kind === 'trader' ? principal.id : null,
  affiliateId: findAffiliateId(principal),
  readsClients: readsClients(principal),
})

/**
 * Returns the scope of staff's reads: what is hidden from them, and the counter of clients whose data they read. Writes
 * see everything, since they compare and store it.
 */
function toReadScope({ tallies }: Platform, scope: Scope, principal: Principal): Scope {
  if (principal.kind !== 'user' && principal.kind !== 'api_key') return scope
  const { tenantId } = scope
  const userId = findPersonId(principal) ?? principal.id
  const seen = tallies.of({ tenantId, userId, apiKeyId: principal.kind === 'api_key' ? principal.id : null })
  // the fields are named one by one for speed, as below
  return { tenantId, traderId: null, readsClients: readsClients(principal), veils: listVeils(principal), seen }
}

/**
 * Runs a task over the database that is read at present, or at the standby that reads for this server; a standby keeps
 * its copy until the task has ended.
 */
async function runReading(
  { config, standby, away }: Platform,
  name: TaskName,
  input: object,
  { who, options }: { who: Asking; options: TaskOptions },
): Promise<unknown> {
  const { principal, tenantId, request } = who
  const whose = { holder: tenantId, person: findPersonId(principal), isClient: isClient(principal), ...options }
  const found = await away?.run(name, input, whose, nameCaller(tenantId, principal))
  if (found) {
    if (request) noteAge(request, found.ageSeconds)
    return found.answer
  }
  const { path, release } = standby?.hold() ?? { path: join(config.dataDir, 'brokerbase.db'), release: () => {} }
  try {
    return await runTask(name, { ...input, database: path }, whose)
  } finally {
    release()
  }
}

/** Returns the papers of one firm; a standby does not have those of its primary, and refuses to read one. */
const openBlobs = ({ blobs, standby, roles }: Platform, tenantId: string): TenantBlobs => ({
  put: (key, bytes, now) => blobs.put(tenantId, key, bytes, now),
  get: (key) => {
    if (standby) roles.demandPrimary()
    return blobs.get(tenantId, key)
  },
})

/** Returns a context for one principal in one tenant. */
export function createCtx(platform: Platform, who: Asking): BoxCtx {
  const { principal, tenantId, requestId, ip, request, home = tenantId, claim } = who
  const scope = toScope(tenantId, principal)
  const secrets = platform.secrets.forFirm(tenantId)
  const writer = { platform, principal, tenantId, home, requestId, ip, scope, secrets, claim }
  let reader: Reader | undefined
  let unowned: Reader | undefined
  // named one by one, since this runs for every request and a spread would double its cost
  const { ids, log, egress, config, mail, signatures, app, logBytes, onCommit, sleep } = platform.capabilities
  return {
    ids,
    log,
    egress,
    config,
    mail,
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
      reader ??= createReader(platform.reader, toReadScope(platform, scope, principal))
      return reader
    },
    get unowned() {
      unowned ??= createReader(platform.reader, { tenantId, traderId: null })
      return unowned
    },
    blobs: openBlobs(platform, tenantId),
    get signal() {
      return request?.signal ?? null
    },
    now: () => platform.clock.now(),
    stillHolds: () => stillHolds(platform.reader, home, principal, platform.clock.now()),
    verifyAudit: (anchor) => verifyChain(platform.reader, platform.secrets, tenantId, anchor),
    runTask: (name, input, options) => runReading(platform, name, { ...input, tenantId }, { who, options }),
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

/** Returns the context of a tenant that a command or the setup creates. */
export const foundingCtx = (platform: Platform): Ctx => systemCtx(platform, platform.ids.next('tnt'), 'founding')

/** Returns a context for jobs and commands: a named part of the program that acts in one tenant. */
export const systemCtx = (platform: Platform, tenantId: string, name: string): Ctx =>
  createCtx(platform, { principal: { kind: 'system', id: name }, tenantId, requestId: `job-${name}`, ip: null })
