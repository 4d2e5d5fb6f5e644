import { existsSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { MIB } from '../../../platform/bytes.ts'
import { DAY, systemClock, toIso } from '../../../platform/clock.ts'
import { DATABASES } from '../../../platform/replication/engine-config.ts'
import { type Manifest, readManifest, type SNAPSHOT_REASONS } from './backups.archive.ts'

/** The directory of snapshots, below the data directory. */
export const snapshotsDirectory = (dataDir: string): string => join(dataDir, 'snapshots')
export const archiveName = (id: string): string => `${id}.tar`
export const snapshotPath = (dataDir: string, id: string): string => join(snapshotsDirectory(dataDir), archiveName(id))
/** Returns where the copy of a snapshot is, beside the replica. */
export const remoteName = (id: string): string => `snapshots/${archiveName(id)}`
export const SNAPSHOT_ID = '^\\d{8}-\\d{6}-(nightly|manual|upgrade)$'
const isId = new RegExp(SNAPSHOT_ID)

/** Returns the snapshots among the names beside the replica; other files are ignored. */
export const remoteIds = (names: readonly string[]): string[] =>
  names.flatMap((name) => {
    const id = name.slice('snapshots/'.length, -'.tar'.length)
    return isId.test(id) && remoteName(id) === name ? [id] : []
  })

/** Returns the name of a snapshot: its time in UTC and its reason. */
export const snapshotId = (now: number, reason: (typeof SNAPSHOT_REASONS)[number]): string => {
  const [date = '', time = ''] = toIso(now).split('T')
  return `${date.replaceAll('-', '')}-${time.slice(0, 8).replaceAll(':', '')}-${reason}`
}

/** Returns the time of a snapshot by its name, in milliseconds. */
export const takenAt = (id: string): number => {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)/.exec(id) ?? []
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}

/**
 * Returns the names of a directory's snapshots, newest first. Names dated in the future by a wrong clock come last:
 * their real time is unknown, so they must not count as the newest.
 */
export function snapshotIds(dataDir: string, now = systemClock.now()): string[] {
  const directory = snapshotsDirectory(dataDir)
  if (!existsSync(directory)) return []
  const ids = readdirSync(directory)
    .flatMap((name) => (name.endsWith('.tar') && isId.test(name.slice(0, -4)) ? [name.slice(0, -4)] : []))
    .sort()
    .reverse()
  return [...ids.filter((id) => takenAt(id) <= now), ...ids.filter((id) => takenAt(id) > now)]
}

/** Removes what interrupted snapshots left behind. */
export function clearUnfinished(dataDir: string): void {
  const directory = snapshotsDirectory(dataDir)
  for (const name of readdirSync(directory))
    if (/\.tar\.(copy|partial)$/.test(name)) rmSync(join(directory, name), { recursive: true, force: true })
}

/** A snapshot on this machine. */
export type Snapshot = Manifest & { packedBytes: number }

/** Returns the snapshots of a directory, newest first, without unreadable ones. */
export async function listSnapshots(dataDir: string): Promise<Snapshot[]> {
  const found = await Promise.all(
    snapshotIds(dataDir).map(async (id) => {
      const path = snapshotPath(dataDir, id)
      const manifest = await readManifest(path).catch(() => null)
      return manifest && { ...manifest, id, packedBytes: statSync(path).size }
    }),
  )
  return found.filter((one) => one !== null)
}

/** Returns the newest snapshot of a directory; undefined without one. */
export const newestSnapshot = async (dataDir: string): Promise<Snapshot | undefined> =>
  (await listSnapshots(dataDir))[0]

const DAILY = 7
const WEEKLY = 4
const dayNumber = (id: string): number => Math.floor(takenAt(id) / DAY)
/** Weeks begin on Monday, and the first day of 1970 was a Thursday. */
const weekNumber = (id: string): number => Math.floor((dayNumber(id) + 3) / 7)

export const isOfUpgrade = (id: string): boolean => id.endsWith('-upgrade')

/**
 * Returns the snapshots that may be removed: all but the newest of each of the last seven days that have one, and of
 * the last four such weeks. Snapshots before upgrades are counted separately, since the nightly one of that day is of
 * the newer version; they are removed after four weeks. Names dated in the future are ignored.
 */
export function superfluous(ids: readonly string[], now = Number.POSITIVE_INFINITY): string[] {
  const newestFirst = ids
    .filter((id) => takenAt(id) <= now)
    .sort()
    .reverse()
  const kept = new Set<string>()
  const keepNewest = (some: readonly string[]): void => {
    for (const [toPeriod, most] of [
      [dayNumber, DAILY],
      [weekNumber, WEEKLY],
    ] as const)
      for (const [newest = ''] of [...Map.groupBy(some, toPeriod).values()].slice(0, most)) kept.add(newest)
  }
  const latest = takenAt(newestFirst[0] ?? '')
  keepNewest(newestFirst.filter((id) => !isOfUpgrade(id)))
  keepNewest(newestFirst.filter((id) => isOfUpgrade(id) && latest - takenAt(id) < WEEKLY * 7 * DAY))
  return newestFirst.filter((id) => !kept.has(id))
}

/** This much disk space must remain for the server. */
const SPARE = 256 * MIB
/** A snapshot also needs space for the copy that is packed, and a drill for a migrated copy. */
const COPIES = 2

/** Returns whether there is room beside the data for another copy. */
export function hasRoomForCopy(dataDir: string): boolean {
  const bytes = DATABASES.flatMap((name) => [name, `${name}-wal`])
    .map((name) => statSync(join(dataDir, name), { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0)
  const { bavail, bsize } = statfsSync(dataDir)
  return bavail * bsize >= bytes * COPIES + SPARE
}
