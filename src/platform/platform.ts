import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { type AuditTrail, createAuditTrail } from './audit/audit.ts'
import { type Capabilities, createCapabilities } from './capabilities.ts'
import type { Clock } from './clock.ts'
import { type BlobStore, openBlobStore } from './db/blobs.ts'
import { noteFact, readFact } from './db/box-facts.ts'
import { createDirectory, type Directory, tenantIds } from './db/directory.ts'
import { proveKey } from './db/key-proof.ts'
import { findLacking, isUpgrade } from './db/migrate.ts'
import { type Migration, migrations } from './db/migrations.ts'
import { writeStatistics } from './db/statistics.ts'
import { createWriter, type Writer } from './db/writer.ts'
import { createTallies, type Tallies } from './distinct-counts.ts'
import { createEgress, type Egress } from './egress.ts'
import { build, embedded } from './embedded.ts'
import { createOutbox, type Outbox } from './events/outbox.ts'
import { createIds, type Ids } from './ids.ts'
import { loadOrCreateKey } from './key-file.ts'
import type { Log } from './log.ts'
import { createMailRelay, type MailRelay } from './mail-relay.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { bringUp } from './migrate-and-seal.ts'
import { registerMailMetrics, registerMetrics } from './platform-metrics.ts'
import { createReadiness, type Vital } from './readiness.ts'
import { createRecoveryKey, type RecoveryKey } from './recovery-key.ts'
import { LOSS, MARK } from './replication/lineage.ts'
import { openStore } from './replication/open-store.ts'
import { createReplication, type Replication } from './replication/replication.ts'
import { keepSealedKey } from './replication/sealed-key.ts'
import { createRoles, type Roles } from './role.ts'
import { keepSeal } from './seals/keep-seal.ts'
import { createSecretBox, type MasterBox } from './secrets.ts'
import { type Connection, openTickReader, openWriter, type TickReader } from './sqlite.ts'
import { NO_TLS, type TlsState } from './tls-state.ts'

/**
 * Everything the program stands on; made once at start, passed down, never global. Commands, jobs and
 * the platform itself hold it; a use case gets a `Ctx`, which has no connection and no writer.
 */
export type Platform = {
  config: Config
  clock: Clock
  ids: Ids
  log: Log
  /** What this server tells of itself. */
  metrics: Metrics
  secrets: MasterBox
  recoveryKey: RecoveryKey
  /** Whether this server can take work now. */
  readiness: () => Promise<readonly Vital[]>
  egress: Egress
  /** Read-only connection: all reads of requests. Unscoped. */
  reader: Connection & Pick<TickReader, 'recall'>
  /** The one read-write connection; only the writer and what runs inside it touch it. */
  connection: Connection
  writer: Writer
  audit: AuditTrail
  /** Renews the seal over all rows: before the COMMIT of transactions that are not the writer's. */
  renewSeal: () => void
  outbox: Outbox
  blobs: BlobStore
  /** Copies everything elsewhere while a server runs; null where no replica is configured. */
  replication: Replication | null
  /** Whether this server writes, or another one does. */
  roles: Roles
  directory: Directory
  /** How many clients each of the staff reads. */
  tallies: Tallies
  capabilities: Capabilities
  /** Sends mail, and knows whether the relay takes any. */
  mailRelay: MailRelay
  /** How this server is encrypted now; whoever opens its port says so here. */
  tls: { state: () => TlsState }
  close(): Promise<void>
}

/** `list` is for tests of an upgrade: other migrations than this program's. */
type PlatformParts = {
  config: Config
  clock: Clock
  log: Log
  resolve?: (host: string) => Promise<string[]>
  list?: readonly Migration[]
}

/** Looks, at a start, whether each audit still ends where it was sealed; what differs is kept and told. */
function lookAtEnds(
  connection: Connection,
  parts: { audit: AuditTrail; renewSeal: () => void; now: number; log: Log },
) {
  const { audit, renewSeal, now, log } = parts
  connection.run('BEGIN IMMEDIATE')
  try {
    const broken = tenantIds(connection).filter((tenantId) => audit.noteBreak(tenantId, now))
    renewSeal()
    connection.run('COMMIT')
    if (broken.length > 0) log.error({ firms: broken }, 'the audit log of a firm no longer ends where it was sealed')
  } catch (error) {
    connection.run('ROLLBACK')
    throw error
  }
}

/** The replication of what was opened, where the configuration names a place; nothing runs before it is started. */
function replicate(parts: {
  config: Config
  clock: Clock
  log: Log
  connection: Connection
  writer: Writer
  blobs: BlobStore
  roles: Roles
  key: Uint8Array
}): Replication | null {
  const { config, clock, log, connection, writer, blobs, roles, key } = parts
  const { dataDir, replica, litestream, recoveryPassphrase, publicUrl } = config
  if (!replica) return null
  const checkpointAfter = (pages: number): void => {
    connection.raw.run(`PRAGMA wal_autocheckpoint = ${pages}`)
    blobs.checkpointAfter(pages)
  }
  // until it runs, what the engine has not read yet must stay in the log
  checkpointAfter(0)
  const replication = createReplication({
    dataDir,
    replica,
    litestream,
    keepKey: async () => {
      if (recoveryPassphrase === undefined) return
      await keepSealedKey(openStore(replica.place, replica.keys), recoveryPassphrase, key)
    },
    packed: embedded().litestream,
    clock,
    log,
    checkpointAfter,
    mark: {
      known: () => readFact(connection, MARK)?.value,
      note: (mark) => writer.submit(() => noteFact(connection, MARK, mark, clock.now()), { local: true, always: true }),
    },
    loss: (why, isWhole) =>
      writer.submit(() => noteFact(connection, LOSS, { why, isWhole }, clock.now()), { local: true, always: true }),
    roles,
    publicUrl,
    key,
    schema: migrations.length,
    version: build().version,
  })
  blobs.onChange(() => replication.committed('files.db'))
  return replication
}

/** The writer with what remembers the disk: the heads of audit and events, read afresh when a group is lost. */
function openWriting(
  connection: Connection,
  secrets: MasterBox,
  { log, clock, roles }: { log: Log; clock: Clock; roles: Roles },
) {
  const audit = createAuditTrail(connection, secrets, clock.now)
  const outbox = createOutbox(connection)
  const writer = createWriter(connection, log, roles.demandPrimary)
  const renewSeal = keepSeal(connection, secrets)
  writer.beforeCommit(audit.sealHeads)
  // the last one: it seals what the others write
  writer.beforeCommit(renewSeal)
  writer.betweenSteps(renewSeal)
  lookAtEnds(connection, { audit, renewSeal, now: clock.now(), log })
  writer.onLost(() => {
    audit.forget()
    outbox.forget()
  })
  return { writer, audit, outbox, renewSeal }
}

/**
 * Opens the data directory (made if absent, with the schema in it) and wires the platform. Throws in words when the
 * directory, key or schema is no good; data of an older schema is upgraded before (`src/commands/upgrade.ts`).
 */
export function openPlatform({ config, clock, log, resolve, list = migrations }: PlatformParts): Platform {
  const { dataDir } = config
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const path = join(dataDir, 'brokerbase.db')
  const blobPath = join(dataDir, 'files.db')
  const sealed = [path, blobPath]
  const key = loadOrCreateKey(join(dataDir, 'secret.key'), { configuredBase64: config.secretKey, sealed })
  const secrets = createSecretBox(key)
  let reader: TickReader | undefined
  const connection = openWriter(path, () => reader?.refresh())
  try {
    proveKey(connection, secrets, dataDir)
    if (isUpgrade(findLacking(connection, list)))
      throw new Error(`${dataDir} must be upgraded first: brokerbase migrate`)
    bringUp(connection, secrets, { now: clock.now(), list })
    writeStatistics(connection)
  } catch (error) {
    connection.close()
    throw error
  }
  reader = openTickReader(path)
  const roles = createRoles(log)
  const { writer, ...heads } = openWriting(connection, secrets, { log, clock, roles })
  const blobs = openBlobStore(blobPath, secrets)
  const replication = replicate({ config, clock, log, connection, writer, blobs, roles, key })
  const ids = createIds(clock)
  const logBytes = () => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
  const metrics = createMetrics(log)
  registerMetrics(metrics, writer, logBytes, replication)
  const mailRelay = createMailRelay(config.smtp, log)
  registerMailMetrics(metrics, mailRelay)
  const egress = createEgress({ allowedNetworks: [...config.allowedNetworks], clock, ...(resolve ? { resolve } : {}) })
  return {
    config,
    clock,
    ids,
    log,
    metrics,
    secrets,
    recoveryKey: createRecoveryKey(key, reader, connection),
    readiness: createReadiness({ dataDir, writer, connection, logBytes, log, now: clock.now }),
    egress,
    reader,
    connection,
    writer,
    ...heads,
    blobs,
    replication,
    roles,
    directory: createDirectory(reader),
    tallies: createTallies(clock.now),
    mailRelay,
    tls: { state: () => NO_TLS },
    capabilities: createCapabilities({ config, clock, ids, log, egress, secrets, writer, logBytes, mailRelay }),
    close: async () => {
      await writer.close()
      reader.close()
      blobs.close()
      connection.close()
    },
  }
}
