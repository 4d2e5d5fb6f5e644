import type { Clock } from '../clock.ts'
import { DATABASES, type DatabaseName } from './engine-config.ts'

/** How far the replica of one database is: `lagMs` is 0 while it has everything. */
export type ReplicaSeen = { name: DatabaseName; lagMs: number; syncedAt: number | null }

/** What was committed to a database, what the replica has of it, and since when it lacks something. */
type One = { commits: number; synced: number; since: number; syncedAt: number | null }

/** Counts what was committed to each database and what the replica has of it. */
export type Progress = {
  /** Tells that something was committed to a database, or that its replica has to be asked again. */
  committed(name: DatabaseName): void
  /** Brings the replica of a database up to now by `bring`, unless it has everything; rejects as that does. */
  reach(name: DatabaseName, bring: () => Promise<void>): Promise<void>
  /** For how long the replica has lacked something, in milliseconds, of the database that has waited longest. */
  longestLag(): number
  /** Takes down what is committed now; the answer says whether the replica has that. */
  owe(): () => boolean
  seen(): ReplicaSeen[]
}

/** Begins to count. `measured` is the clock that measures, in milliseconds. */
export function createProgress(clock: Pick<Clock, 'now'>, measured = () => performance.now()): Progress {
  // what a process before this one committed may be missing too
  const unknown = (): One => ({ commits: 1, synced: 0, since: measured(), syncedAt: null })
  const all: Record<DatabaseName, One> = { 'brokerbase.db': unknown(), 'files.db': unknown() }
  const calculateLag = ({ commits, synced, since }: One): number => (commits === synced ? 0 : measured() - since)

  return {
    committed: (name) => {
      const one = all[name]
      if (one.commits === one.synced) one.since = measured()
      one.commits += 1
    },
    reach: async (name, bring) => {
      const one = all[name]
      const { commits } = one
      if (one.synced >= commits) return
      const begun = measured()
      await bring()
      one.syncedAt = clock.now()
      one.synced = Math.max(one.synced, commits)
      // what was committed while this was under way waits since then at the longest
      one.since = Math.max(one.since, begun)
    },
    longestLag: () => Math.max(...DATABASES.map((name) => calculateLag(all[name]))),
    owe: () => {
      const owed = DATABASES.map((name) => [all[name], all[name].commits] as const)
      return () => owed.every(([one, commits]) => one.synced >= commits)
    },
    seen: () =>
      DATABASES.map((name) => ({ name, lagMs: Math.round(calculateLag(all[name])), syncedAt: all[name].syncedAt })),
  }
}
