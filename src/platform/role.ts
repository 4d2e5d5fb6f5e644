import type { Log } from './log.ts'

/** The server that writes instead of this one: the name of its machine, and its address, empty if unknown. */
type Elsewhere = { host: string; url: string }

/**
 * The role of this server. While `starting`, it reads and writes nothing: it finds out which server writes to its
 * replica, or waits for that one (`by`). With `isUnknown` the place does not answer, and a standby may have taken
 * over. Only `primary` writes. `replaced` is out of date, because another server
 * continued with its data. A `standby` answers reads from copies of another server's data, and writes nothing.
 */
export type Role =
  | { name: 'starting'; by: Elsewhere | null; isUnknown?: true }
  | { name: 'primary' }
  | { name: 'replaced'; by: Elsewhere }
  | { name: 'standby'; by: Elsewhere }

/** This server does not write now, and nothing was written. The error becomes a 503. */
export class NotPrimary extends Error {
  override name = 'NotPrimary'
  constructor(readonly role: Exclude<Role, { name: 'primary' }>) {
    super(`this server is ${role.name}`)
  }
}

/** The role of this server over time. Without a replica no other server can write, and it is primary from the start. */
export type Roles = {
  current(): Role
  /** Sets the role and logs the change; `replaced` is final. */
  become(role: Role): void
  /** Throws `NotPrimary` unless this server is primary. */
  demandPrimary(): void
  /** Adds a listener that is called at each change. */
  onChange(listener: (role: Role) => void): void
}

/** Makes the role of a server. It begins as primary; a server with a replica becomes `starting` before it listens. */
export function createRoles(log: Log): Roles {
  let current: Role = { name: 'primary' }
  const listeners: ((role: Role) => void)[] = []
  return {
    current: () => current,
    become: (role) => {
      if (current.name === 'replaced' || JSON.stringify(role) === JSON.stringify(current)) return
      current = role
      if (role.name === 'replaced')
        log.error({ by: role.by }, 'others went on with the data of this server: it answers nothing any more')
      else if (role.name === 'starting' && role.by)
        log.warn({ by: role.by }, 'another server writes to the place of the replica: this one writes nothing')
      else if (role.name === 'starting' && role.isUnknown)
        log.error('a standby was at the place, which does not answer: this server writes nothing until it does')
      else log.info({ role: role.name }, 'the role of this server')
      for (const listener of listeners) listener(role)
    },
    demandPrimary: () => {
      if (current.name !== 'primary') throw new NotPrimary(current)
    },
    onChange: (listener) => void listeners.push(listener),
  }
}
