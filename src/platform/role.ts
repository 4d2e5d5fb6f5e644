import type { Log } from './log.ts'

/** Somebody who writes instead of this server: the name of their machine, and their address where it is known. */
type Elsewhere = { host: string; url: string }

/**
 * What this server may do. `starting` reads and writes nothing yet: it finds out who writes to its replica, or waits
 * for the server that does (`by`). Only `primary` writes. `replaced` is out of date: others went on with its
 * data.
 */
export type Role =
  | { name: 'starting'; by: Elsewhere | null }
  | { name: 'primary' }
  | { name: 'replaced'; by: Elsewhere }

/** This server does not write now; nothing was written. Becomes a 503. */
export class NotPrimary extends Error {
  override name = 'NotPrimary'
  constructor(readonly role: Exclude<Role, { name: 'primary' }>) {
    super(`this server is ${role.name}`)
  }
}

/** The role of this server. Without a replica nobody else can write, and it is primary from the beginning. */
export type Roles = {
  current(): Role
  /** Replaced is for good. The log says what is new. */
  become(role: Role): void
  /** Throws `NotPrimary` where nothing may be written. */
  demandPrimary(): void
  /** Called at each change. */
  onChange(listener: (role: Role) => void): void
}

/** Begins as primary; a server with a replica is `starting` before it listens. */
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
      else log.info({ role: role.name }, 'the role of this server')
      for (const listener of listeners) listener(role)
    },
    demandPrimary: () => {
      if (current.name !== 'primary') throw new NotPrimary(current)
    },
    onChange: (listener) => void listeners.push(listener),
  }
}
