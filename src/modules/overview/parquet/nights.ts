import { readdirSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { HOUR, toIso } from '../../../platform/clock.ts'
import { openStore } from '../../../platform/replication/open-store.ts'
import type { ReplicaKeys, ReplicaPlace } from '../../../platform/replication/replica-place.ts'

/** Where the nights are: a directory or a bucket, with its keys. */
export type NightPlace = { place: ReplicaPlace; keys: ReplicaKeys }

/** The files of a night are made at this hour, UTC. */
const DUE = 4 * HOUR
const KEPT = 7
const MANIFEST = 'manifest.json'

const isDate = (name: string): boolean => /^\d{4}-\d\d-\d\d$/.test(name)
/** Other files in the directories of nights are somebody else's, and stay. */
const isOurs = (name: string): boolean => /^[^/]+\/\w+\/tenant=[^/]+\/part-0\.parquet$/.test(name)

/** Returns the date of the last night that was due. */
export const getDueNight = (now: number): string => toIso(now - DUE).slice(0, 10)

/** Returns whether a night is there: the manifest is written last. */
export const hasNight = ({ place, keys }: NightPlace, date: string): Promise<boolean> =>
  openStore(place, keys).has(`${date}/${MANIFEST}`)

/** Writes the manifest of a night, with which it is there. */
export const putManifest = ({ place, keys }: NightPlace, date: string, manifest: object): Promise<void> =>
  openStore(place, keys).write(
    `${date}/${MANIFEST}`,
    new TextEncoder().encode(`${JSON.stringify(manifest, null, 1)}\n`),
  )

/** Removes the directories of a night that are empty, and what an interrupted manifest left there. */
function removeEmpty(directory: string): void {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) removeEmpty(path)
    else if (entry.name.startsWith(MANIFEST) && entry.name.endsWith('.partial')) rmSync(path)
  }
  if (readdirSync(directory).length === 0) rmdirSync(directory)
}

/** Removes a night; the manifest first, so that it is not there while some of its files are gone. */
export async function removeNight({ place, keys }: NightPlace, date: string): Promise<void> {
  const store = openStore(place, keys)
  await store.remove(`${date}/${MANIFEST}`)
  for (const name of await store.list(date)) if (isOurs(name)) await store.remove(name)
  if (place.kind === 'file' && (await store.folders()).includes(date)) removeEmpty(join(place.directory, date))
}

/** Removes nights without a manifest, which were interrupted. */
export async function removePartial(at: NightPlace): Promise<void> {
  const dates = (await openStore(at.place, at.keys).folders()).filter(isDate)
  for (const date of dates) if (!(await hasNight(at, date))) await removeNight(at, date)
}

/** Removes all nights but the newest seven; those after `newest` are of a wrong clock, and do not count. */
export async function removeOld(at: NightPlace, newest: string): Promise<void> {
  const dates = (await openStore(at.place, at.keys).folders()).filter((name) => isDate(name) && name <= newest)
  for (const date of dates.toSorted().reverse().slice(KEPT)) await removeNight(at, date)
}
