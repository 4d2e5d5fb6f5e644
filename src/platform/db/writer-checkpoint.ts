import type { Log } from '../log.ts'
import type { Connection } from '../sqlite.ts'

/** The pages of log after which a checkpoint is made if nobody says otherwise: as many as SQLite’s own. */
const USUAL_PAGES = 1000

/** How long the log is: its pages, and how many of them are in the database already. */
type LogState = { log: number; checkpointed: number }

/** Moves the pages of the write-ahead log into the database. */
export type Checkpoint = {
  /** Sets the pages of log after which one is due; 0 leaves it to the replication engine. */
  after(pages: number): void
  pages(): number
  /** Calls a function at once, or, if a checkpoint is due, in another turn behind it. */
  before(next: () => void): void
}

/**
 * Takes checkpoints out of COMMIT, where SQLite makes them, so that no answer waits for one: it takes several times as
 * long as the COMMIT itself. Readers are not waited for, and a failure is only noted, since the log has everything.
 */
export function createCheckpoint(connection: Connection, log: Log): Checkpoint {
  connection.raw.run('PRAGMA wal_autocheckpoint = 0')
  let most = USUAL_PAGES
  const run = (mode: 'NOOP' | 'PASSIVE'): LogState | undefined => {
    try {
      return connection.get<LogState>(`PRAGMA wal_checkpoint(${mode})`)
    } catch (error) {
      log.warn({ err: error }, 'a checkpoint failed')
      return undefined
    }
  }
  const isDue = (): boolean => {
    if (most === 0) return false
    const state = run('NOOP')
    return state !== undefined && state.log - state.checkpointed >= most
  }
  return {
    after: (pages) => {
      most = pages
    },
    pages: () => most,
    before: (next) => {
      if (!isDue()) return next()
      setImmediate(() => {
        if (most > 0) run('PASSIVE')
        next()
      })
    },
  }
}
