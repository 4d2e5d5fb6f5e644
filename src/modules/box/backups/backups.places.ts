import { existsSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { MIB } from '../../../platform/bytes.ts'
import { DAY, systemClock, toIso } from '../../../platform/clock.ts'
import { DATABASES } from '../../../platform/replication/engine-config.ts'
import { type Manifest, readManifest, type SNAPSHOT_REASONS } from './backups.archive.ts'

/** Snapshots lie here, below the data directory. */
export const snapshotsDirectory = (dataDir: string): string => join(dataDir, 'snapshots')
export const archiveName = (id: string): string => `${id}.tar`
export const snapshotPath = (dataDir: string, id: string): string => join(snapshotsDirectory(dataDir), archiveName(id))
/** Where the copy of a snapshot lies beside the replica. */
export const remoteName = (id: string): string => `snapshots/${archiveName(id)}`
export const SNAPSHOT_ID = '^\\d{8}-\\d{6}-(nightly|manual|upgrade)$'
const isId = new RegExp(SNAPSHOT_ID)

/** The snapshots among the names that lie beside the replica; what somebody else put there is left alone. */
export const remoteIds = (names: readonly string[]): string[] =>
  names.flatMap((name) => {
    const id = name.slice('snapshots/'.length, -'.tar'.length)
    return isId.test(id) && remoteName(id) === name ? [id] : []
  })

/** The name of a snapshot: its time in UTC, and why it was taken. */
export const snapshotId = (now: number, reason: (typeof SNAPSHOT_REASONS)[number]): string => {
  const [date = '', time = ''] = toIso(now).split('T')
  return `${date.replaceAll('-', '')}-${time.slice(0, 8).replaceAll(':', '')}-${reason}`
}

/** When a snapshot of a name was taken, milliseconds. */
export const takenAt = (id: string): number => {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)/.exec(id) ?? []
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}

/**
 * Names of the snapshots of a directory, the newest first. Those that a wrong clock dated later than now come last:
 * nobody knows when they were taken, and they must not stand for the newest until then.
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

/** Removes what was left of snapshots whose making ended in the middle. */
export function clearUnfinished(dataDir: string): void {
  const directory = snapshotsDirectory(dataDir)
  for (const name of readdirSync(directory))
    if (/\.tar\.(copy|partial)$/.test(name)) rmSync(join(directory, name), { recursive: true, force: true })
}

/** A snapshot on this machine. */
export type Snapshot = Manifest & { packedBytes: number }

/** The snapshots of a directory, the newest first; what cannot be read is left out. */
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

/** The newest snapshot of a directory; undefined where there is none. */
export const newestSnapshot = async (dataDir: string): Promise<Snapshot | undefined> =>
  (await listSnapshots(dataDir))[0]

const DAILY = 7
const WEEKLY = 4
const dayOf = (id: string): number => Math.floor(takenAt(id) / DAY)
/** Weeks begin on Monday; the first day of 1970 was a Thursday. */
const weekOf = (id: string): number => Math.floor((dayOf(id) + 3) / 7)

/** Whether a snapshot was taken before an upgrade. */
export const isOfUpgrade = (id: string): boolean => id.endsWith('-upgrade')

/**
 * Those that may go: not the newest of one of the last seven days that have any, nor of the last four weeks. Those of
 * upgrades count apart, since the nightly one of the same day is no way back; after four weeks they go. Those that are
 * dated later than now stay out of it.
 */
export function superfluous(ids: readonly string[], now = Number.POSITIVE_INFINITY): string[] {
  const newestFirst = ids
    .filter((id) => takenAt(id) <= now)
    .sort()
    .reverse()
  const kept = new Set<string>()
  const keepOf = (some: readonly string[]): void => {
    for (const [periodOf, most] of [
      [dayOf, DAILY],
      [weekOf, WEEKLY],
    ] as const)
      for (const [newest = ''] of [...Map.groupBy(some, periodOf).values()].slice(0, most)) kept.add(newest)
  }
  const latest = takenAt(newestFirst[0] ?? '')
  keepOf(newestFirst.filter((id) => !isOfUpgrade(id)))
  keepOf(newestFirst.filter((id) => isOfUpgrade(id) && latest - takenAt(id) < WEEKLY * 7 * DAY))
  return newestFirst.filter((id) => !kept.has(id))
}

/** Room that stays for the server itself. */
const SPARE = 256 * MIB
/** A snapshot lies beside its copy while it is packed, and a drill's copy is brought to another schema. */
const COPIES = 2

/** Whether there is room beside the data for another copy of it. */
export function hasRoomForCopy(dataDir: string): boolean {
  const bytes = DATABASES.flatMap((name) => [name, `${name}-wal`])
    .map((name) => statSync(join(dataDir, name), { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0)
  const { bavail, bsize } = statfsSync(dataDir)
  return bavail * bsize >= bytes * COPIES + SPARE
}
