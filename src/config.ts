import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseEventsUrl, type SinkSettings } from './platform/events/sink/sink-place.ts'
import { parseReplicaUrl, type ReplicaSettings } from './platform/replication/replica-place.ts'
import { isSender } from './platform/wire/formats.ts'
import { createSettingsReader, type Settings } from './settings.ts'
import { LETS_ENCRYPT, LETS_ENCRYPT_STAGING, SETTINGS, type Setting, type SettingName } from './settings-list.ts'

/** The source of the certificate, and in `httpPort` the port for plain HTTP. */
export type TlsConfig = { httpPort: number | null } & (
  | { source: 'files'; cert: string; key: string }
  | { source: 'acme'; directory: string; email: string | null }
)

/** A place that a standby follows, with what opens it, and how old a copy it may answer from. */
export type Followed = Pick<ReplicaSettings, 'place' | 'keys'> & { maxAgeSeconds: number }

export type Config = {
  dataDir: string
  port: number
  host: string
  publicUrl: string
  allowedHosts: readonly string[]
  allowedOrigins: readonly string[]
  trustedProxies: readonly string[]
  allowedNetworks: readonly string[]
  secretKey: string | undefined
  rateLimits: { short: number; medium: number; long: number }
  sessionHours: number
  smtp: {
    host: string
    port: number
    user?: string
    password?: string
    secure: boolean
    from: string
    name?: string
  } | null
  /** The ad platform's Graph API: its address, without a slash at the end, and the version called. */
  graph: { url: string; version: string }
  /** The replica, and the answers that wait for it; null without one. */
  replica: ReplicaSettings | null
  /** The standby that does heavy reads for this server, and how old its copy may be for them; null without one. */
  readFrom: { url: string; maxAgeSeconds: number } | null
  /** The operator says that no standby has taken over: the server writes although its place does not answer. */
  alone: boolean
  /** Whether firms may have a simulator in place of a trading server: in the demo. */
  hasSimulator: boolean
  /** The place that `brokerbase standby` follows, and how old a copy it may answer from; null without one. */
  followed: Followed | null
  /** Where the files for analysis of each night are put; null if none are made. */
  parquet: Pick<ReplicaSettings, 'place' | 'keys'> | null
  /** Seals the key beside the replica; undefined if no key is stored there. */
  recoveryPassphrase: string | undefined
  /** The stream that all events go to; null without one. */
  events: SinkSettings | null
  /** The operator's replication engine; empty for the built-in one. */
  litestream: string
  /** The token that opens /metrics; without one only this machine may read it. */
  metricsToken: string | undefined
  tls: TlsConfig | null
  /** Who may read the explorer and the guide. */
  docs: 'public' | 'staff' | 'off'
  /** The address in security.txt; undefined without one. */
  securityContact: string | undefined
  logLevel: 'debug' | 'info' | 'warn' | 'error'
}

/** Reports an unusable setting or flag by name. The process then ends with 2. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/** Returns `BROKERBASE_DATA_DIR` for `data-dir`. */
export const toVariableName = (name: string): string => `BROKERBASE_${name.toUpperCase().replaceAll('-', '_')}`

type Source = Readonly<Record<string, string | undefined>>

function raw(setting: Setting, flags: Source, env: Source): string {
  const flag = flags[setting.name]
  if (flag !== undefined) return flag
  const variable = toVariableName(setting.name)
  const file = setting.secret ? env[`${variable}_FILE`] : undefined
  if (file) {
    try {
      return readFileSync(file, 'utf8').trim()
    } catch (cause) {
      throw new ConfigError(`${variable}_FILE: cannot read ${file}`, { cause })
    }
  }
  return env[variable] ?? setting.fallback
}

/** Removes credentials from an address; these belong into separate variables. */
const withoutKeys = (value: string): string =>
  value.replace(/(\/\/|%2f%2f)[^/?#\s]*(?::|%3a)[^/?#\s]*(@|%40)/gi, '$1(not shown)$2')

/** Returns the settings that are set, by variable; of a secret only that it is set. */
export function settingsInUse(flags: Source, env: Source = process.env): Record<string, string> {
  const used = SETTINGS.flatMap((setting: Setting) => {
    const variable = toVariableName(setting.name)
    const isSet = flags[setting.name] !== undefined || env[variable] || (setting.secret && env[`${variable}_FILE`])
    if (!isSet) return []
    return [[variable, setting.secret ? '(set, not shown)' : withoutKeys(raw(setting, flags, env))] as const]
  })
  return Object.fromEntries(used)
}

type Reader = Settings<SettingName>

/** Returns whether a public authority may issue for a host: a DNS name of several labels, no address. */
export const isPublicName = (host: string): boolean =>
  host.length <= 253 &&
  /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/.test(host) &&
  !/\.(localhost|local|internal|invalid)$/.test(host)

function readTls({ text, fail, integer, boolean }: Reader): TlsConfig | null {
  const [cert, key] = [text('tls-cert'), text('tls-key')]
  const acme = boolean('acme')
  const staging = boolean('acme-staging')
  if (cert === '' && key !== '') fail('tls-cert', 'is missing beside the key')
  if (cert !== '' && key === '') fail('tls-key', 'is missing beside the certificate')
  if (cert !== '' && acme) fail('acme', 'a certificate comes from files or from an authority, not from both')
  const httpPort = text('http-port') === '' ? null : integer('http-port', 0, 65535)
  if (httpPort !== null && cert === '' && !acme) fail('http-port', 'is for a server with a certificate')
  if (cert !== '') return { source: 'files', cert, key, httpPort }
  if (!acme) return null
  if (httpPort === null) fail('http-port', 'must be 80 (or what port 80 leads to): the authority asks there')
  const directory = staging ? LETS_ENCRYPT_STAGING : text('acme-directory')
  if (staging && text('acme-directory') !== LETS_ENCRYPT) fail('acme-staging', 'is for Let’s Encrypt only')
  if (!directory.startsWith('https://') || !URL.canParse(directory))
    fail('acme-directory', `must be an address such as ${LETS_ENCRYPT}`)
  return { source: 'acme', directory, email: text('acme-email') || null, httpPort }
}

/** Reads the address that people use; links in mails begin with it. */
function readPublicUrl({ text, fail }: Reader, { port, tls }: { port: number; tls: TlsConfig | null }): string {
  const publicUrl = text('public-url') || `${tls ? 'https' : 'http'}://localhost:${port}`
  if (!URL.canParse(publicUrl)) fail('public-url', 'must be an address such as https://office.example.com')
  if (new URL(publicUrl).username !== '' || new URL(publicUrl).password !== '')
    fail('public-url', 'must hold no user and no password: it stands in mails')
  if (tls && !publicUrl.startsWith('https:')) fail('public-url', 'must begin with https, as this server speaks it')
  if (tls?.source === 'acme' && !isPublicName(new URL(publicUrl).hostname))
    fail('public-url', 'must have the name that the certificate is for, such as https://office.example.com')
  return publicUrl.replace(/\/+$/, '')
}

function readGraph({ text, fail }: Reader): Config['graph'] {
  const graphUrl = text('graph-url').replace(/\/+$/, '')
  if (!/^https?:\/\/[^/?#@]+(\/[^?#]*)?$/.test(graphUrl) || !URL.canParse(graphUrl))
    fail('graph-url', 'must be an address such as https://graph.facebook.com')
  const graphVersion = text('graph-version')
  if (!/^v\d{1,3}\.\d{1,3}$/.test(graphVersion)) fail('graph-version', 'must be a version such as v24.0')
  return { url: graphUrl, version: graphVersion }
}

/** Reads which standby does heavy reads for this server. */
function readReadFrom({ text, fail, integer }: Reader): Config['readFrom'] {
  const url = text('read-from').replace(/\/+$/, '')
  const maxAgeSeconds = integer('read-max-age', 5, 3_600)
  if (url === '') return null
  if (!/^https?:\/\/[^/?#\s@]+$/.test(url) || !URL.canParse(url))
    fail('read-from', 'must be an address such as https://10.0.0.2:8443')
  return { url, maxAgeSeconds }
}

/** Reads the place that a standby follows: its own setting, or else where this server would replicate to. */
function readFollowed(settings: Reader, env: Source): Config['followed'] {
  const { text, fail, integer } = settings
  const name = text('standby-from') === '' ? 'replica-url' : 'standby-from'
  const maxAgeSeconds = integer('standby-max-age', 60, 86_400)
  const url = text(name)
  if (url === '') return null
  const place = parseReplicaUrl(url)
  if (typeof place === 'string') return fail(name, place)
  return { place, keys: readPlaceKeys(place.kind, settings, env), maxAgeSeconds }
}

function readReplica(settings: Reader, env: Source): Config['replica'] {
  const { text, fail, oneOf } = settings
  const url = text('replica-url')
  const wait = oneOf('replica-wait', ['off', 'money', 'all'])
  const failure = oneOf('replica-wait-failure', ['refuse', 'degrade'])
  if (url === '' && wait !== 'off') fail('replica-wait', 'needs BROKERBASE_REPLICA_URL')
  if (url === '') return null
  const place = parseReplicaUrl(url)
  if (typeof place === 'string') return fail('replica-url', place)
  return { url, place, keys: readPlaceKeys(place.kind, settings, env), wait, degrade: failure === 'degrade' }
}

/** Reads the place of the files for analysis: a directory, or a bucket that the keys of the replica's open. */
function readParquet(settings: Reader, env: Source): Config['parquet'] {
  const to = settings.text('parquet-to')
  if (to === '') return null
  if (!/^[a-z\d+.-]+:\/\//i.test(to)) return { place: { kind: 'file', directory: resolve(to) }, keys: {} }
  const place = to.startsWith('s3:') ? parseReplicaUrl(to) : 'must be a directory, or a bucket such as s3://bucket/path'
  if (typeof place === 'string') return settings.fail('parquet-to', place)
  return { place, keys: readPlaceKeys(place.kind, settings, env) }
}

/** Reads what opens a place: its credentials, and an authority that the system does not know. */
function readPlaceKeys(kind: ReplicaSettings['place']['kind'], settings: Reader, env: Source): ReplicaSettings['keys'] {
  const caFile = env.NODE_EXTRA_CA_CERTS
  return { ...readReplicaKeys(kind, settings), ...(caFile && { caFile }) }
}

/** Reads the credentials for the place of a replica, by its kind. */
function readReplicaKeys(kind: ReplicaSettings['place']['kind'], { text, fail }: Reader): ReplicaSettings['keys'] {
  const accessKeyId = text('replica-access-key-id')
  const secretAccessKey = text('replica-secret-access-key')
  if (kind === 's3' && accessKeyId === '') fail('replica-access-key-id', 'is needed to open a bucket')
  if (kind === 's3' && secretAccessKey === '') fail('replica-secret-access-key', 'is needed to open a bucket')
  const privateKey = text('replica-ssh-key')
  const hostKey = text('replica-host-key')
  if (kind === 'sftp' && !/^-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(privateKey))
    fail('replica-ssh-key', 'must be a private key in PEM; name its file by BROKERBASE_REPLICA_SSH_KEY_FILE')
  if (kind === 'sftp' && !/^(ssh|ecdsa)-[a-z0-9@.-]+ [A-Za-z0-9+/=]+/.test(hostKey))
    fail(
      'replica-host-key',
      'must be the public key of the host, such as `ssh-keyscan -t ecdsa HOST` prints after its name',
    )
  return {
    ...(kind === 's3' && { s3: { accessKeyId, secretAccessKey } }),
    ...(kind === 'sftp' && { ssh: { privateKey, hostKey } }),
  }
}

/** Reads the stream that all events go to, and how this server shows who it is there. */
function readEvents({ text, fail }: Reader): Config['events'] {
  const [url, creds, user, password] = [
    text('events-url'),
    text('events-creds'),
    text('events-user'),
    text('events-password'),
  ]
  if (url === '') return null
  const place = parseEventsUrl(url)
  if (typeof place === 'string') return fail('events-url', place)
  if (creds !== '' && !creds.includes('NATS USER JWT'))
    fail('events-creds', 'must be what `nsc` writes; name its file by BROKERBASE_EVENTS_CREDS_FILE')
  if (creds !== '' && user !== '') fail('events-user', 'is for a server without a credentials file')
  if ((user === '') !== (password === '')) fail('events-password', 'and BROKERBASE_EVENTS_USER belong together')
  if (creds !== '') return { shown: url, place, keys: { creds } }
  return { shown: url, place, keys: user === '' ? null : { user, password } }
}

function readPassphrase({ text, fail }: Reader): string | undefined {
  const given = text('recovery-passphrase')
  if (given === '') return undefined
  if (given.length < 20) fail('recovery-passphrase', 'must have 20 characters or more')
  if (text('replica-url') === '') fail('recovery-passphrase', 'needs BROKERBASE_REPLICA_URL, where the key would lie')
  return given
}

function readMetricsToken({ text, fail }: Reader): string | undefined {
  const metricsToken = text('metrics-token')
  if (metricsToken !== '' && !/^[\x21-\x7e]{16,200}$/.test(metricsToken))
    fail('metrics-token', 'must be 16 to 200 visible characters without spaces, such as of `openssl rand -hex 32`')
  return metricsToken || undefined
}

function readContact({ text, fail }: Reader): string | undefined {
  const contact = text('security-contact')
  if (contact !== '' && !/^(mailto:[^\s@<>]+@[^\s@<>]+|https:\/\/[^\s<>]+)$/.test(contact))
    fail('security-contact', 'must be an address such as mailto:security@example.com or https://example.com/security')
  return contact || undefined
}

function readSmtp({ text, integer, fail }: Reader, publicUrl: string, secure: boolean): Config['smtp'] {
  const host = text('smtp-host')
  if (host === '') return null
  const user = text('smtp-user')
  const password = text('smtp-password')
  const from = text('smtp-from')
  if (!isSender(from)) fail('smtp-from', 'must be an address such as Broker <desk@broker.example>')
  return {
    host,
    port: integer('smtp-port', 1, 65535),
    ...(user === '' ? {} : { user }),
    ...(password === '' ? {} : { password }),
    secure,
    from,
    name: new URL(publicUrl).hostname,
  }
}

/** Reads every setting from flags and environment; the first unusable one stops the start by name. */
export function loadConfig(
  flags: Source = {},
  { env = process.env, defaults = {} }: { env?: Source; defaults?: Source } = {},
): Config {
  const values = new Map<string, string>(
    SETTINGS.map((setting) => [
      setting.name,
      raw({ ...setting, fallback: defaults[setting.name] ?? setting.fallback }, flags, env),
    ]),
  )
  const text = (name: SettingName): string => values.get(name) ?? ''
  const fail = (name: SettingName, wanted: string): never => {
    const isFlag = SETTINGS.some((setting: Setting) => setting.name === name && setting.flag)
    throw new ConfigError(`${toVariableName(name)}${isFlag ? ` (--${name})` : ''}: ${wanted}`)
  }
  const settings = createSettingsReader(text, fail)
  const { integer, list, networks } = settings
  const port = integer('port', 0, 65535)
  const tls = readTls(settings)
  const publicUrl = readPublicUrl(settings, { port, tls })
  const logLevel = settings.oneOf('log-level', ['debug', 'info', 'warn', 'error'])
  const graph = readGraph(settings)
  const metricsToken = readMetricsToken(settings)
  const secure = settings.boolean('smtp-secure')
  return {
    dataDir: text('data-dir'),
    port,
    host: text('host'),
    publicUrl,
    allowedHosts: list('allowed-hosts'),
    allowedOrigins: list('allowed-origins'),
    trustedProxies: networks('trusted-proxies'),
    allowedNetworks: networks('allowed-networks'),
    secretKey: text('secret-key') || undefined,
    rateLimits: {
      short: integer('rate-short', 0, 1e9),
      medium: integer('rate-medium', 0, 1e9),
      long: integer('rate-long', 0, 1e9),
    },
    sessionHours: integer('session-hours', 1, 24 * 30),
    smtp: readSmtp(settings, publicUrl, secure),
    graph,
    replica: readReplica(settings, env),
    alone: false,
    hasSimulator: false,
    readFrom: readReadFrom(settings),
    followed: readFollowed(settings, env),
    parquet: readParquet(settings, env),
    events: readEvents(settings),
    recoveryPassphrase: readPassphrase(settings),
    litestream: text('litestream'),
    metricsToken,
    tls,
    docs: settings.oneOf('docs', ['public', 'staff', 'off']),
    securityContact: readContact(settings),
    logLevel,
  }
}

/** Returns the few variables that a child of this program needs to start; none of our settings or secrets. */
export function childEnvironment(env: Source = process.env): Record<string, string> {
  return { PATH: env.PATH ?? '', HOME: env.HOME ?? '', TMPDIR: env.TMPDIR ?? '/tmp' }
}
