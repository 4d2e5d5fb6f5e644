import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { type AuditTrail, createAuditTrail } from './audit/audit.ts'
import type { Clock } from './clock.ts'
import { type BlobStore, openBlobStore } from './db/blobs.ts'
import { type Connection, openTickReader, openWriter, type TickReader } from './db/client.ts'
import { migrate } from './db/migrate.ts'
import { createWriter, type Writer } from './db/writer.ts'
import { createEgress, type Egress } from './egress.ts'
import { createOutbox, type Outbox } from './events/outbox.ts'
import { createIds, type Ids } from './ids.ts'
import type { Log } from './log.ts'
import { createSecretBox, loadOrCreateKey, type SecretBox } from './secrets.ts'

/** Everything a use case stands on; made once at start, passed down, never global. */
export type Platform = {
  config: Config
  clock: Clock
  ids: Ids
  log: Log
  secrets: SecretBox
  egress: Egress
  /** Read-only connection: all reads of requests. Unscoped; only `platform/` touches it. */
  reader: Connection
  /** The one read-write connection; only the writer and what runs inside it touch it. */
  connection: Connection
  writer: Writer
  audit: AuditTrail
  outbox: Outbox
  blobs: BlobStore
  close(): Promise<void>
}

export type PlatformParts = { config: Config; clock: Clock; log: Log; resolve?: (host: string) => Promise<string[]> }

/** Opens the data directory (made if absent), migrates, and wires the platform. Throws in words when the directory or schema is no good. */
export function openPlatform({ config, clock, log, resolve }: PlatformParts): Platform {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  const secrets = createSecretBox(loadOrCreateKey(join(config.dataDir, 'secret.key'), config.secretKey))
  const path = join(config.dataDir, 'brokerbase.db')
  let reader: TickReader | undefined
  const connection = openWriter(path, () => reader?.refresh())
  migrate(connection, { dataDir: config.dataDir, now: clock.now(), log })
  reader = openTickReader(path)
  const audit = createAuditTrail(connection, secrets)
  const outbox = createOutbox(connection)
  const writer = createWriter(connection, log)
  writer.onLost(() => {
    audit.forget()
    outbox.forget()
  })
  const blobs = openBlobStore(join(config.dataDir, 'files.db'), secrets)
  return {
    config,
    clock,
    ids: createIds(clock),
    log,
    secrets,
    egress: createEgress({ allowedNetworks: [...config.allowedNetworks], clock, ...(resolve ? { resolve } : {}) }),
    reader,
    connection,
    writer,
    audit,
    outbox,
    blobs,
    close: async () => {
      await writer.close()
      reader.close()
      blobs.close()
      connection.raw.run('PRAGMA optimize')
      connection.close()
    },
  }
}
