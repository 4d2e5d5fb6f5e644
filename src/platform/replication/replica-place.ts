import { join } from 'node:path'

/** Where the databases are replicated to, as `BROKERBASE_REPLICA_URL` names it. What opens it is apart. */
export type ReplicaPlace =
  | { kind: 'file'; directory: string }
  | { kind: 's3'; bucket: string; prefix: string; endpoint: string | null; region: string | null }
  | { kind: 'sftp'; host: string; port: number; user: string; directory: string }

/**
 * What opens a place: the key of a bucket; or the private SSH key of a user, with the host's public key as a line of
 * `known_hosts` has it. From variables or files, never from the address, which stands in logs.
 */
export type ReplicaKeys = {
  s3?: { accessKeyId: string; secretAccessKey: string }
  ssh?: { privateKey: string; hostKey: string }
  /** A file with the certificate of an authority that is trusted beside the system's: `NODE_EXTRA_CA_CERTS`. */
  caFile?: string
}

/** How the configuration has a replica: where it is, what opens it, and which answers wait for it. */
export type ReplicaSettings = {
  url: string
  place: ReplicaPlace
  keys: ReplicaKeys
  wait: 'off' | 'money' | 'all'
  degrade: boolean
}

/** What a part of an address stands for; undefined where a `%` in it stands for nothing. */
function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}

/** Reads the address of a replica; a text where it is none, which says what is wrong with it. */
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

/** One name below a place, as the store that holds it names its things. */
export const below = (place: ReplicaPlace, ...names: string[]): string =>
  join(place.kind === 's3' ? place.prefix : place.directory, ...names)

/** The replica of one database in one lineage, as the engine's configuration has it. `ssh` is what opens a host. */
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
