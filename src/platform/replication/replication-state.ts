import type { Log } from '../log.ts'

/** How replication stands: it waits for another server, begins, runs, or does not. */
export type State = 'waiting' | 'starting' | 'running' | 'down'

/** How replication stands, and why. */
export type ReplicationStatus = {
  readonly state: State
  /** Why it does not run, in words; null while it does. */
  readonly why: string | null
  /** Resolves once it has run for the first time. */
  readonly ran: Promise<void>
  /** Notes how it stands now. The log says so where that is new. */
  become(state: State, why: string | null): void
}

/** Begins as `starting`. `facts` is what the log adds when replication runs: its history and its place. */
export function createReplicationStatus(
  log: Log,
  facts: () => { lineage: string | null; url: string },
): ReplicationStatus {
  const running = Promise.withResolvers<void>()
  let state: State = 'starting'
  let why: string | null = 'it is being started'
  return {
    get state() {
      return state
    },
    get why() {
      return why
    },
    ran: running.promise,
    become: (next, reason) => {
      const isNews = next !== state || reason !== why
      state = next
      why = reason
      if (next === 'running') running.resolve()
      if (!isNews) return
      if (reason === null) log.info(facts(), 'replication runs')
      else log[next === 'starting' ? 'debug' : 'warn']({ why: reason }, 'replication does not run')
    },
  }
}
