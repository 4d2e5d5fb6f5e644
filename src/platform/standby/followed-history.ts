import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { MINUTE, SECOND } from '../clock.ts'
import type { Log } from '../log.ts'
import { readChain } from '../replication/chain.ts'
import { DATABASES, type DatabaseName } from '../replication/engine-config.ts'
import type { Found } from '../replication/histories.ts'
import type { ReplicaKeys, ReplicaPlace } from '../replication/replica-place.ts'
import { sleepUntil } from '../replication/sleep-until.ts'
import type { Store } from '../replication/store.ts'
import { createFollower, type Follower, followerPidPath } from './follower.ts'
import { createGenerations, type Generations } from './generations.ts'

/** What is needed to follow a history: the place, and a directory for the followed files and the copies. */
export type FollowParts = {
  directory: string
  place: ReplicaPlace
  keys: ReplicaKeys
  binary: string
  log: Log
}

/** A history that is followed, into a directory of its own. */
export type Following = {
  lineage: Found
  directory: string
  followers: Map<DatabaseName, Follower>
  generations: Generations
  round: number
  /** How long the proof of its first copy took, in milliseconds; null before it. */
  provedIn: number | null
}

const steady = (): number => performance.now()

/** Begins to follow a history into a directory of its own; `round` distinguishes several fetches of one history. */
export function follow(parts: FollowParts, store: Store, lineage: Found, round: number): Following {
  const { place, keys, binary, log } = parts
  const directory = join(parts.directory, `${lineage.id}-${round}`)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const create = (database: DatabaseName): Follower => {
    const readReach = async (): Promise<number> => (await readChain(store, lineage.id, database)).reach
    return createFollower({ binary, directory, database, place, keys, lineage: lineage.id, readReach, log })
  }
  const main = create('brokerbase.db')
  const followers = new Map<DatabaseName, Follower>([
    ['brokerbase.db', main],
    ['files.db', create('files.db')],
  ])
  for (const follower of followers.values()) follower.start()
  const generations = createGenerations({ follower: main, directory, steady, log })
  return { lineage, round, directory, followers, generations, provedIn: null }
}

/** Stops following a history once nobody reads its copies any more. Its files stay, so that it may go on later. */
export async function endFollowing({ followers, generations }: Following): Promise<void> {
  await generations.close()
  await Promise.all([...followers.values()].map((follower) => follower.stop()))
}

/** Stops following a history for good. */
export async function forget(one: Following): Promise<void> {
  await endFollowing(one)
  rmSync(one.directory, { recursive: true, force: true })
}

/** Kills the engines that a killed standby left behind: two of them would write to one file. */
export function endLeftFollowers({ directory }: Pick<FollowParts, 'directory'>): void {
  for (const name of readdirSync(directory))
    for (const database of DATABASES) {
      const followed = join(directory, name)
      const path = followerPidPath(followed, database)
      if (!existsSync(path)) continue
      const pid = Number(readFileSync(path, 'utf8'))
      // another process may have this number by now
      if (readCommand(pid).includes(followed)) process.kill(pid, 'SIGKILL')
      rmSync(path)
    }
}

/** Returns the command line of a process; empty if there is none. */
function readCommand(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

/**
 * Removes what an earlier process followed, except the newest fetch of this history, which goes on. Returns the round
 * of that fetch.
 */
export function findRound({ directory }: Pick<FollowParts, 'directory'>, { id }: Found): number {
  const rounds = readdirSync(directory).flatMap((name) => (name.startsWith(`${id}-`) ? [Number(name.slice(27))] : []))
  const newest = Math.max(0, ...rounds)
  for (const name of readdirSync(directory))
    if (name !== `${id}-${newest}`) rmSync(join(directory, name), { recursive: true, force: true })
  return newest
}

/** The database of a followed history gets no further for longer than this: the takeover fails. */
const STANDS_FOR = MINUTE
const LOOKS_EVERY = SECOND

/**
 * Follows a history until both databases have everything that the place has, in two looks one after the other. Rejects
 * if one of them gets no further for a minute.
 */
export async function catchUp({ followers, lineage }: Following, store: Store, signal: AbortSignal): Promise<void> {
  let last = ''
  let movedAt = steady()
  for (const follower of followers.values()) follower.hurry()
  for (let isEqual = false; ; await sleepUntil(LOOKS_EVERY, signal)) {
    signal.throwIfAborted()
    const both = await Promise.all(
      [...followers].map(async ([name, follower]) => {
        const { reach } = await readChain(store, lineage.id, name)
        return { reach, applied: follower.applied(), isWhole: follower.process() !== null }
      }),
    )
    const found = JSON.stringify(both)
    const isSame = found === last
    if (!isSame) movedAt = steady()
    last = found
    // a place without any change of a database has lost its files
    if (both.every(({ reach, applied, isWhole }) => isWhole && reach > 0 && applied >= reach)) {
      if (isEqual && isSame) return
      isEqual = true
    } else isEqual = false
    if (steady() - movedAt > STANDS_FOR)
      throw new Error(`the followed databases get no further: ${[...followers.values()].map((one) => one.lastEnd())}`)
  }
}

/** Ends the engines between two changes. Throws unless both files then are one moment of their databases. */
export async function endEngines({ followers, directory }: Following): Promise<string> {
  const whole = await Promise.all([...followers.values()].map((follower) => follower.stop()))
  if (!whole.every(Boolean)) throw new Error('an engine ended in the middle of a change')
  return directory
}
