import type { Log } from '../log.ts'

/** The state of replication: it waits for another server, begins, runs, or fails. */
export type State = 'waiting' | 'starting' | 'running' | 'down'

/** The state of replication, with its reason. */
export type ReplicationStatus = {
  readonly state: State
  /** The reason why it does not run; null while it does. */
  readonly why: string | null
  /** Resolves once it has run for the first time. */
  readonly ran: Promise<void>
  /** Sets the state, and logs it if it is new. */
  become(state: State, why: string | null): void
}

/** Makes the status, which begins as `starting`. `facts` are logged when replication runs. */
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
