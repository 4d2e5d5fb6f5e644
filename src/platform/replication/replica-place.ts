import { join } from 'node:path'

/** The place of the replica, which `BROKERBASE_REPLICA_URL` names; its keys are separate. */
export type ReplicaPlace =
  | { kind: 'file'; directory: string }
  | { kind: 's3'; bucket: string; prefix: string; endpoint: string | null; region: string | null }
  | { kind: 'sftp'; host: string; port: number; user: string; directory: string }

/**
 * The keys of a place: those of a bucket, or the private SSH key of a user with the host's public key in the form of
 * `known_hosts`. They are from variables or files, never from the address, which is in logs.
 */
export type ReplicaKeys = {
  s3?: { accessKeyId: string; secretAccessKey: string }
  ssh?: { privateKey: string; hostKey: string }
  /** A file with the certificate of an authority that the system lacks: `NODE_EXTRA_CA_CERTS`. */
  caFile?: string
}

/** The settings of a replica: its place and keys, and which answers wait for it. */
export type ReplicaSettings = {
  url: string
  place: ReplicaPlace
  keys: ReplicaKeys
  wait: 'off' | 'money' | 'all'
  degrade: boolean
}

/** Decodes a part of an address; undefined if a `%` in it is malformed. */
function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}

/** Reads the address of a replica; if it is wrong, returns a text that says what an address must have. */
export function parseReplicaUrl(text: string): ReplicaPlace | string {
  if (!URL.canParse(text)) return 'must be an address such as file:///backup, sftp://user@host/path or s3://bucket/path'
  const url = new URL(text)
  if (url.password !== '' || (url.username !== '' && url.protocol !== 'sftp:'))
    return 'must hold no user and no key: those have variables of their own'
  const [path, user] = [decoded(url.pathname), decoded(url.username)]
  if (path === undefined || user === undefined) return 'must have %25 where a % is meant'
  switch (url.protocol) {
    case 'file:':
      return url.host === '' && path.length > 1
        ? { kind: 'file', directory: path.replace(/\/+$/, '') }
        : 'must name a directory by its whole path, such as file:///backup'
    case 's3:': {
      const endpoint = url.searchParams.get('endpoint')
      if (endpoint !== null && !/^https?:\/\/[^/@]+\/?$/.test(endpoint))
        return 'must have an endpoint such as https://s3.example.com'
      return url.hostname === ''
        ? 'must name a bucket, such as s3://bucket/path'
        : {
            kind: 's3',
            bucket: url.hostname,
            prefix: path.replace(/^\/+|\/+$/g, ''),
            endpoint: endpoint?.replace(/\/$/, '') ?? null,
            region: url.searchParams.get('region'),
          }
    }
    case 'sftp:':
      if (url.hostname === '' || url.username === '') return 'must name user and host, such as sftp://user@host/path'
      return {
        kind: 'sftp',
        host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
        port: url.port === '' ? 22 : Number(url.port),
        user,
        directory: path.replace(/\/+$/, '') || '/',
      }
    default:
      return 'must begin with file:, sftp: or s3:'
  }
}

/** Returns the path of names below a place: without a leading slash in a bucket, absolute otherwise. */
export const below = (place: ReplicaPlace, ...names: string[]): string =>
  join(place.kind === 's3' ? place.prefix : place.directory, ...names)

/** Returns the engine's configuration for the replica of one database in one history; `ssh` is for a host. */
export function buildReplica(
  place: ReplicaPlace,
  lineage: string,
  database: string,
  ssh: { keyFile: string; hostKey: string } | null,
): Record<string, unknown> {
  const path = below(place, lineage, database)
  if (place.kind === 'file') return { type: 'file', path }
  if (place.kind === 'sftp') {
    const { host, port, user } = place
    const at = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
    return { type: 'sftp', host: at, user, path, ...(ssh && { 'key-path': ssh.keyFile, 'host-key': ssh.hostKey }) }
  }
  return {
    type: 's3',
    bucket: place.bucket,
    path,
    ...(place.endpoint && { endpoint: place.endpoint, 'force-path-style': true }),
    ...(place.region && { region: place.region }),
  }
}
