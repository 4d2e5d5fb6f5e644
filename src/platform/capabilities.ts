import type { Config } from '../config.ts'
import type { Clock } from './clock.ts'
import type { Writer } from './db/writer.ts'
import type { Egress } from './egress.ts'
import type { Ids } from './ids.ts'
import type { Log } from './log.ts'
import type { MasterBox } from './secrets.ts'

/** What is signed with the box's own key, because the firm is not known before the signature holds. */
type BoxPurpose = 'upload' | 'device' | 'device account' | 'log address' | 'ads verify'

/** What use cases of every firm share: each a narrow thing, none a way to the database. Made once at start. */
export type Capabilities = {
  readonly ids: Ids
  readonly log: Log
  readonly egress: Egress
  /** What use cases may know of the configuration, which also holds secrets. */
  readonly config: {
    publicUrl: string
    sessionHours: number
    /** Whether there is a mail server; without one mails are held. */
    sendsMail: boolean
    graph: Config['graph']
  }
  readonly signatures: {
    sign(purpose: BoxPurpose, data: string): string
    /** Whether `signature` is `sign(purpose, data)`; in constant time. */
    verify(purpose: BoxPurpose, data: string, signature: string): boolean
  }
  /** Stands for the running application: what is remembered in memory for it hangs on this. */
  readonly app: object
  /** Bytes of the database's write-ahead log on the disk. */
  logBytes(): number
  /** Calls `listener` after each commit, whosever it was: for what then looks in its own scope. */
  onCommit(listener: () => void): void
  sleep(ms: number): Promise<void>
}

/** Narrows what the platform is made of to what use cases get. */
export const createCapabilities = (parts: {
  config: Config
  clock: Clock
  ids: Ids
  log: Log
  egress: Egress
  secrets: MasterBox
  writer: Writer
  logBytes: () => number
}): Capabilities => {
  const { config, clock, ids, log, egress, secrets, writer, logBytes } = parts
  const { publicUrl, sessionHours, smtp, graph } = config
  return {
    ids,
    log,
    egress,
    config: { publicUrl, sessionHours, sendsMail: smtp !== null, graph },
    signatures: { sign: secrets.sign, verify: secrets.verify },
    app: Object.freeze({}),
    logBytes,
    onCommit: writer.onCommit,
    sleep: (ms) => clock.sleep(ms),
  }
}

/** Something in memory for each application, made when it is first asked for. */
export function perApp<T, C extends { app: object } = { app: object }>(make: (of: C) => T): (of: C) => T {
  const apps = new WeakMap<object, { made: T }>()
  return (of) => {
    const known = apps.get(of.app) ?? { made: make(of) }
    apps.set(of.app, known)
    return known.made
  }
}

/** Something in memory for each firm of an application, made when it is first asked for. */
export function perTenant<T>(make: () => T): (of: { app: object; tenantId: string }) => T {
  const tenantsOf = perApp(() => new Map<string, T>())
  return ({ app, tenantId }) => {
    const tenants = tenantsOf({ app })
    const known = tenants.get(tenantId)
    if (known !== undefined) return known
    const made = make()
    tenants.set(tenantId, made)
    return made
  }
}
