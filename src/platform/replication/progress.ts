import type { Clock } from '../clock.ts'
import { DATABASES, type DatabaseName } from './engine-config.ts'

/** The progress of one database's replica: `lagMs` is 0 while it has everything. */
export type ReplicaSeen = { name: DatabaseName; lagMs: number; syncedAt: number | null }

/** The number of commits of a database, how many of them the replica has, and since when it lacks one. */
type One = { commits: number; synced: number; since: number; syncedAt: number | null }

/** Counts the commits of each database, and those that the replica has. */
export type Progress = {
  /** Records that a database has a new commit, or that its replica has to be synced again. */
  committed(name: DatabaseName): void
  /** Brings the replica of a database up to date by `bring`, unless it has everything; rejects if `bring` does. */
  reach(name: DatabaseName, bring: () => Promise<void>): Promise<void>
  /** Returns the longest lag of the databases in milliseconds; 0 if the replica has every commit. */
  longestLag(): number
  /** Records what is committed now; the returned function says whether the replica has it. */
  owe(): () => boolean
  seen(): ReplicaSeen[]
}

/** Begins to count. `measured` is a steady clock in milliseconds. */
export function createProgress(clock: Pick<Clock, 'now'>, measured = () => performance.now()): Progress {
  // the replica may also lack commits of an earlier process
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
      // a commit that was made meanwhile has waited since the beginning of this sync at the earliest
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
