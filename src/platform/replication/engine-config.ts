import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sha256Hex } from '../secrets.ts'
import { engineDirectory } from './engine-binary.ts'
import { buildReplica, type ReplicaKeys, type ReplicaPlace } from './replica-place.ts'

/** The databases that are replicated, by their names in the data directory. */
export const DATABASES = ['brokerbase.db', 'files.db'] as const
export type DatabaseName = (typeof DATABASES)[number]

/**
 * Writes the configuration of the engine, with the keys of the place (0600), and returns its path. It is JSON, which is
 * valid YAML too. Source: Litestream 0.5.18, cmd/litestream/main.go.
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
 * Returns the environment of the engine: the keys of the bucket, a certificate authority that the system lacks, and
 * nothing else of this process. Go reads the certificates of the system in addition to this file.
 */
export const engineEnvironment = ({ s3, caFile }: ReplicaKeys): Record<string, string> => ({
  ...(s3 && { LITESTREAM_ACCESS_KEY_ID: s3.accessKeyId, LITESTREAM_SECRET_ACCESS_KEY: s3.secretAccessKey }),
  ...(caFile !== undefined && { SSL_CERT_FILE: caFile }),
})

/** Returns the path of a socket for a directory: in it, or where the path has over 107 bytes, in the temporary one. */
export const socketIn = (directory: string): string => {
  const path = join(directory, 'control')
  return Buffer.byteLength(path) <= 100 ? path : join(tmpdir(), `brokerbase-${sha256Hex(directory).slice(0, 16)}`)
}
/** Returns the path of the engine's socket. */
export const socketPath = (dataDir: string): string => socketIn(engineDirectory(dataDir))
