import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sha256Hex } from '../secrets.ts'
import { engineDirectory } from './engine-binary.ts'
import { buildReplica, type ReplicaKeys, type ReplicaPlace } from './replica-place.ts'

/** A database that is replicated, by its name in the data directory. */
export const DATABASES = ['brokerbase.db', 'files.db'] as const
export type DatabaseName = (typeof DATABASES)[number]

/**
 * Writes what the engine is told beside it, with what opens the place (0600); answers the path. JSON is YAML as well.
 * Source: Litestream 0.5.18, cmd/litestream/main.go.
 */
export function writeEngineConfig(parts: {
  dataDir: string
  place: ReplicaPlace
  keys: ReplicaKeys
  lineage: string
  socket: string | null
  name: string
}): string {
  const { dataDir, place, keys, lineage, socket, name } = parts
  const directory = engineDirectory(dataDir)
  const keyFile = join(directory, 'ssh.key')
  const ssh = keys.ssh ? { keyFile, hostKey: keys.ssh.hostKey } : null
  if (keys.ssh) writeFileSync(keyFile, `${keys.ssh.privateKey.trim()}\n`, { mode: 0o600 })
  const config = {
    ...(socket && { socket: { enabled: true, path: socket, permissions: 0o600 } }),
    snapshot: { interval: '24h', retention: '168h' },
    'verify-compaction': true,
    logging: { level: 'info', type: 'json' },
    dbs: DATABASES.map((database) => ({
      path: join(dataDir, database),
      'meta-path': join(directory, database),
      'monitor-interval': '1s',
      'busy-timeout': '5s',
      replica: { ...buildReplica(place, lineage, database, ssh), 'sync-interval': '1s' },
    })),
  }
  const path = join(directory, name)
  writeFileSync(path, JSON.stringify(config, null, 1), { mode: 0o600 })
  return path
}

/**
 * The environment of the engine: what opens the bucket, the authority that vouches for it where that is not one of the
 * system's, and nothing else of ours. Go reads the system's directory of certificates beside this file.
 */
export const engineEnvironment = ({ s3, caFile }: ReplicaKeys): Record<string, string> => ({
  ...(s3 && { LITESTREAM_ACCESS_KEY_ID: s3.accessKeyId, LITESTREAM_SECRET_ACCESS_KEY: s3.secretAccessKey }),
  ...(caFile !== undefined && { SSL_CERT_FILE: caFile }),
})

/** A path of a socket may have 107 bytes; beyond, it lies in the directory for temporary files. */
export const socketPath = (dataDir: string): string => {
  const path = join(engineDirectory(dataDir), 'control')
  return Buffer.byteLength(path) <= 100 ? path : join(tmpdir(), `brokerbase-${sha256Hex(dataDir).slice(0, 16)}`)
}
