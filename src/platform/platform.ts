import { statSync } from 'node:fs'
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
import { createEventSink } from './event-sink.ts'
import { createOutbox, type Outbox } from './events/outbox.ts'
import type { Sink } from './events/sink/sink.ts'
import { makeDataDir } from './file-rights.ts'
import { createIds, type Ids } from './ids.ts'
import { loadOrCreateKey } from './key-file.ts'
import type { Log } from './log.ts'
import { createMailRelay, type MailRelay } from './mail-relay.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { bringUp } from './migrate-and-seal.ts'
import { type Away, createAway } from './peer/away.ts'
import { registerMetrics } from './platform-metrics.ts'
import { createReadiness, type Vital } from './readiness.ts'
import { createRecoveryKey, type RecoveryKey } from './recovery-key.ts'
import { noteHeartbeat, readHeartbeat } from './replication/heartbeat.ts'
import { LOSS, MARK } from './replication/lineage.ts'
import { openStore } from './replication/open-store.ts'
import { createReplication, type Replication } from './replication/replication.ts'
import { keepSealedKey } from './replication/sealed-key.ts'
import { createRoles, type Roles } from './role.ts'
import { keepSeal } from './seals/keep-seal.ts'
import { createSecretBox, type MasterBox } from './secrets.ts'
import { type Connection, openTickReader, openWriter, type TickReader } from './sqlite.ts'
import { PROMOTION } from './standby/promotion.ts'
import type { Sight } from './standby/sight.ts'
import { NO_TLS, type TlsState } from './tls-state.ts'

/**
 * The services that the whole program uses. They are made once at the start and passed down, never global. Commands,
 * jobs and the platform have them; a use case gets a `Ctx`, which has no connection and no writer.
 */
export type Platform = {
  config: Config
  clock: Clock
  ids: Ids
  log: Log
  metrics: Metrics
  secrets: MasterBox
  recoveryKey: RecoveryKey
  /** Checks whether this server can take work now. */
  readiness: () => Promise<readonly Vital[]>
  egress: Egress
  /** The read-only connection for all reads of requests; it is not bound to a firm. */
  reader: Connection & Pick<TickReader, 'recall'>
  /** The one read-write connection; only the writer and its callbacks use it. */
  connection: Connection
  writer: Writer
  audit: AuditTrail
  /** Renews the seal over all rows; called before the COMMIT of a transaction that is not the writer's. */
  renewSeal: () => void
  outbox: Outbox
  blobs: BlobStore
  /** Copies the databases to the replica while a server runs; null if no replica is configured. */
  replication: Replication | null
  /** Sends all events to a stream while this server writes; null if no stream is configured. */
  sink: Sink | null
  /** The copies that a standby reads; null on a server that may write. */
  standby: Sight | null
  /** The standby that does heavy reads for this server; null without one. */
  away: Away | null
  /** The role of this server: whether it writes, or another one does. */
  roles: Roles
  directory: Directory
  /** Counts how many clients each colleague reads. */
  tallies: Tallies
  capabilities: Capabilities
  /** Sends mail, and knows whether the relay takes any. */
  mailRelay: MailRelay
  /** The TLS state of this server; `serve` sets it when it opens the port. */
  tls: { state: () => TlsState }
  close(): Promise<void>
}

/**
 * The input of `openPlatform`; tests of an upgrade give other migrations than this program's as `list`. A standby gives
 * its `sight`: the data directory then is one of its own, which stays empty.
 */
type PlatformParts = {
  config: Config
  clock: Clock
  log: Log
  resolve?: (host: string) => Promise<string[]>
  list?: readonly Migration[]
  sight?: Sight
}

/** Checks at the start whether each firm's audit log still ends where it was sealed; stores and logs a difference. */
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

const LOOPBACK = ['127.0.0.0/8', '::1/128']

/** Returns the way to other boxes of the operator: by https, or as the operator allows. */
export const createPeerEgress = ({ config, clock }: Pick<Platform, 'config' | 'clock'>): Egress =>
  createEgress({ allowedNetworks: [...config.allowedNetworks, ...LOOPBACK], clock, isOwn: true })

/** Makes the way to the standby that does heavy reads, if there is one. */
function goAway(parts: Pick<Platform, 'config' | 'secrets' | 'clock' | 'metrics' | 'log'>): Away | null {
  const { readFrom } = parts.config
  return readFrom && createAway({ ...parts, ...readFrom, schema: migrations.length, egress: createPeerEgress(parts) })
}

/** Creates the replication, not yet started, if the configuration names a place for the replica. */
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
    writer.checkpoint.after(pages)
    blobs.checkpointAfter(pages)
  }
  // until the engine runs, a checkpoint must not remove pages of the log that the engine has not read
  checkpointAfter(0)
  const program = { schema: migrations.length, version: build().version }
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
    promised: () => {
      const promotion = readFact(connection, PROMOTION)?.value
      return promotion?.from === readFact(connection, MARK)?.value.lineage ? promotion?.history : undefined
    },
    sinceHeartbeat: () => clock.now() - (readHeartbeat(connection)?.at ?? Number.NEGATIVE_INFINITY),
    isAlone: config.alone,
    loss: (why, isWhole) =>
      writer.submit(() => noteFact(connection, LOSS, { why, isWhole }, clock.now()), { local: true, always: true }),
    beat: (history) => {
      const facts = { history, url: publicUrl, wait: replica.wait, ...program }
      const beat = () => noteHeartbeat(connection, { at: clock.now(), ...facts })
      return writer.submit(beat, { local: true })
    },
    roles,
    publicUrl,
    key,
    ...program,
  })
  blobs.onChange(() => replication.committed('files.db'))
  return replication
}

/** Makes the writer, audit and outbox; their caches are emptied if a COMMIT fails or another process writes. */
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
  // called last: it also seals the rows that the hooks before it write
  writer.beforeCommit(renewSeal)
  writer.betweenSteps(renewSeal)
  lookAtEnds(connection, { audit, renewSeal, now: clock.now(), log })
  writer.onLost(() => {
    audit.forget()
    outbox.forget()
  })
  return { writer, audit, outbox, renewSeal }
}

/** Proves the key and makes the schema of a new database. Throws, and closes it, if it must be upgraded first. */
function bringUpOrClose(
  connection: Connection,
  secrets: MasterBox,
  { dataDir, now, list }: { dataDir: string; now: number; list: readonly Migration[] },
): void {
  try {
    proveKey(connection, secrets, dataDir)
    if (isUpgrade(findLacking(connection, list)))
      throw new Error(`${dataDir} must be upgraded first: brokerbase migrate`)
    bringUp(connection, secrets, { now, list })
    writeStatistics(connection)
  } catch (error) {
    connection.close()
    throw error
  }
}

/**
 * Opens the data directory, which is created with its schema if it is absent, and makes the platform. Throws an error
 * for the operator if directory, key or schema cannot be used; older data is upgraded before by
 * `src/commands/upgrade.ts`.
 */
export function openPlatform({ config, clock, log, resolve, list = migrations, sight }: PlatformParts): Platform {
  const { dataDir } = config
  makeDataDir(dataDir)
  const path = join(dataDir, 'brokerbase.db')
  const blobPath = join(dataDir, 'files.db')
  const key = loadOrCreateKey(join(dataDir, 'secret.key'), {
    configuredBase64: config.secretKey,
    sealed: [path, blobPath],
  })
  const secrets = createSecretBox(key)
  let reader: TickReader | undefined
  const connection = openWriter(path, () => reader?.refresh())
  bringUpOrClose(connection, secrets, { dataDir, now: clock.now(), list })
  reader = sight?.reader ?? openTickReader(path)
  const roles = createRoles(log)
  const { writer, ...heads } = openWriting(connection, secrets, { log, clock, roles })
  const blobs = openBlobStore(blobPath, secrets)
  const replication = replicate({ config, clock, log, connection, writer, blobs, roles, key })
  const ids = createIds(clock)
  const logBytes = () => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
  const metrics = createMetrics(log)
  const mailRelay = createMailRelay(config.smtp, log)
  const sinkParts = { connection, reader, writer, outbox: heads.outbox, roles, replication, clock, log }
  const sink = createEventSink({ settings: config.events, ...sinkParts })
  registerMetrics(metrics, { writer, logBytes, replication, sink, mailRelay, standby: sight ?? null })
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
    sink,
    standby: sight ?? null,
    away: goAway({ config, secrets, clock, metrics, log }),
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
