/** Where events go: the servers of a cluster, one of which is enough to begin, and the stream that they keep. */
export type SinkPlace = { servers: string[]; isTls: boolean; stream: string }

/** How this server shows who it is: a credentials file, a user with a password, or not at all. */
type SinkKeys = { creds: string } | { user: string; password: string } | null

/** The settings of the stream that all events go to. `shown` is the address for people; it holds no secret. */
export type SinkSettings = { shown: string; place: SinkPlace; keys: SinkKeys }

const WANTED = 'must be an address such as nats://n1,n2,n3/EVENTS'
const HOST = /^(\[[0-9a-fA-F:]+\]|[A-Za-z0-9_.-]+)(?::(\d{1,5}))?$/
const USUAL_PORT = '4222'

/**
 * Reads the address of a stream: `nats://` or `tls://`, hosts with commas between them, and the name of the stream. A
 * host without a port takes that of the last one. If it is wrong, returns a text that says what it must have.
 */
export function parseEventsUrl(text: string): SinkPlace | string {
  const [, scheme, authority = '', stream = ''] = /^(nats|tls):\/\/([^/]*)\/([^/]*)$/.exec(text) ?? []
  if (scheme === undefined) return WANTED
  if (authority.includes('@')) return 'must hold no user and no password: those have variables of their own'
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(stream))
    return 'must end with the name of a stream: up to 64 letters, digits, - and _'
  const hosts = authority.split(',').map((host) => HOST.exec(host))
  const port = hosts.at(-1)?.[2] ?? USUAL_PORT
  const servers = hosts.map((host) => host && `${host[1]}:${host[2] ?? port}`)
  if (servers.some((server) => server === null || Number(server.replace(/.*:/, '')) > 65_535)) return WANTED
  return { servers: servers.filter((server) => server !== null), isTls: scheme === 'tls', stream }
}
