import type { Config } from '../config.ts'
import type { Clock } from './clock.ts'
import type { Writer } from './db/writer.ts'
import type { Egress } from './egress.ts'
import type { Ids } from './ids.ts'
import type { Log } from './log.ts'
import type { MailRelay } from './mail-relay.ts'
import type { MasterBox } from './secrets.ts'

/** What is signed with the installation's key, because the firm is not known before the signature is verified. */
type BoxPurpose = 'upload' | 'device' | 'device account' | 'log address' | 'ads verify'

/** What use cases of every firm share: narrow functions, none of which leads to the database. Made once at start. */
export type Capabilities = {
  readonly ids: Ids
  readonly log: Log
  readonly egress: Egress
  /** The part of the configuration for use cases, without its secrets. */
  readonly config: {
    publicUrl: string
    sessionHours: number
    graph: Config['graph']
    /** Whether the databases are replicated to another place. */
    isReplicated: boolean
    /** CIDRs of private addresses that may be connected to. */
    allowedNetworks: readonly string[]
    /** Whether firms may have a simulator in place of a trading server: in the demo. */
    hasSimulator: boolean
  }
  readonly mail: {
    /** Whether there is a mail server; without one mails are held. */
    isSent: boolean
    /** Asks the mail server at once whether it takes mail again. */
    tryNow(): void
  }
  readonly signatures: {
    sign(purpose: BoxPurpose, data: string): string
    /** Returns whether `signature` is `sign(purpose, data)`, in constant time. */
    verify(purpose: BoxPurpose, data: string, signature: string): boolean
  }
  /** Identifies the running application: its caches are attached to this object. */
  readonly app: object
  /** Returns the bytes of the database's write-ahead log on the disk. */
  logBytes(): number
  /** Calls `listener` after each commit of any firm; the listener then reads in its own scope. */
  onCommit(listener: () => void): void
  sleep(ms: number): Promise<void>
}

/** Narrows the platform's parts to those for use cases. */
export const createCapabilities = (parts: {
  config: Config
  clock: Clock
  ids: Ids
  log: Log
  egress: Egress
  secrets: MasterBox
  writer: Writer
  logBytes: () => number
  mailRelay: MailRelay
}): Capabilities => {
  const { config, clock, ids, log, egress, secrets, writer, logBytes, mailRelay } = parts
  const { publicUrl, sessionHours, graph, replica, allowedNetworks, hasSimulator } = config
  return {
    ids,
    log,
    egress,
    config: { publicUrl, sessionHours, graph, isReplicated: replica !== null, allowedNetworks, hasSimulator },
    mail: { isSent: mailRelay.transport !== null, tryNow: () => mailRelay.tryNow(clock.now()) },
    signatures: { sign: secrets.sign, verify: secrets.verify },
    app: Object.freeze({}),
    logBytes,
    onCommit: writer.onCommit,
    sleep: (ms) => clock.sleep(ms),
  }
}

/** Returns a reader of a value for each application, made at its first use. */
export function perApp<T, C extends { app: object } = { app: object }>(make: (of: C) => T): (of: C) => T {
  const apps = new WeakMap<object, { made: T }>()
  return (of) => {
    const known = apps.get(of.app) ?? { made: make(of) }
    apps.set(of.app, known)
    return known.made
  }
}

/** Returns a reader of a value for each firm of an application, made at its first use. */
export function perTenant<T>(make: () => T): (of: { app: object; tenantId: string }) => T {
  const getTenants = perApp(() => new Map<string, T>())
  return ({ app, tenantId }) => {
    const tenants = getTenants({ app })
    const known = tenants.get(tenantId)
    if (known !== undefined) return known
    const made = make()
    tenants.set(tenantId, made)
    return made
  }
}
