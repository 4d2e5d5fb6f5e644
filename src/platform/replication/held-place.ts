import type { Log } from '../log.ts'
import { changeName, readChain } from './chain.ts'
import { DATABASES, type DatabaseName } from './engine-config.ts'
import { isClaimed, type Lineage, readIndex } from './histories.ts'
import { type Mark, nameAgain, readBegun } from './lineage.ts'
import type { Notes } from './notes.ts'
import type { Store } from './store.ts'

/** After this many checks all files of a history are listed; the others look only for the files of a restore. */
const LOOKS_BETWEEN_LISTS = { file: 12, sftp: 12, s3: 48 } as const
/** A bucket costs money for each call, so only the ends of a chain are checked each time. */
const isPaid = (kind: keyof typeof LOOKS_BETWEEN_LISTS): boolean => kind === 's3'

/** If there are more new changes than this, all files are listed in place of a check of each. */
const MOST_CHANGES = 500

type HeldParts = {
  store: Store
  notes: Notes
  kind: keyof typeof LOOKS_BETWEEN_LISTS
  lineage: Lineage
  mark: Mark
  /** The last change of a database that the engine stored at the place; undefined before it reported one. */
  reached: (database: DatabaseName) => number | undefined
  log: Log
}

/** Returns a sentence why a history could not be restored from its place, or null if it could, with its chains. */
export async function findLack(
  store: Store,
  lineage: string,
  reached: (database: DatabaseName) => number,
): Promise<{ lack: string | null; links: string[][] }> {
  const links: string[][] = []
  for (const database of DATABASES) {
    const due = reached(database)
    const chain = await readChain(store, lineage, database)
    if (chain.reach === 0) return { lack: `it holds no whole copy of ${database} any more`, links }
    if (chain.reach < due)
      return { lack: `of ${database} it holds ${chain.reach} of ${due} changes without a gap`, links }
    links.push(chain.links)
  }
  return { lack: null, links }
}

/** Returns whether the notes with which others find a history are there unchanged. */
async function areNotesThere({ store, notes, lineage, mark }: HeldParts): Promise<boolean> {
  const [begun, index, claimed] = await Promise.all([
    readBegun(store, mark.lineage),
    readIndex(store),
    isClaimed(notes, lineage.id),
  ])
  return begun === mark.begun && claimed && index?.some(({ id }) => id === lineage.id) === true
}

/**
 * Makes the check whether a place still has a history, which returns in a sentence what it lacks, or null. If only
 * notes are missing, they are written again. `isStrange` says that the lease at the place was changed.
 */
export function createHeldPlace(parts: HeldParts): (isStrange: boolean) => Promise<string | null> {
  const { store, notes, kind, mark, reached, log } = parts
  let links: string[][] = []
  let looks = 0
  /** The changes of a database up to this one were checked, one by one or with the whole chain. */
  const seen = new Map<DatabaseName, number>()
  /** The value of `seen` at the check before. */
  const before = new Map<DatabaseName, number>()

  /** Returns the names of changes that no check has seen; null if listing all files is less work. */
  const newest = (): string[] | null => {
    const names = DATABASES.flatMap((database) => {
      const last = reached(database) ?? 0
      const first = Math.max(1, Math.min((isPaid(kind) ? before : seen).get(database) ?? last, last))
      const changes = Array.from({ length: Math.min(last - first + 1, MOST_CHANGES + 1) }, (_, more) => first + more)
      return last === 0 ? [] : changes.map((change) => changeName(kind, mark.lineage, database, change))
    })
    return names.length > MOST_CHANGES ? null : names
  }
  const areLinksThere = async (): Promise<boolean> => {
    const changes = newest()
    if (changes === null) return false
    const wanted = [...links.flatMap((chain) => (isPaid(kind) ? chain.slice(0, 1) : chain)), ...changes]
    return (await Promise.all(wanted.map(store.has))).every(Boolean)
  }
  /** Records the changes that this check saw. */
  const note = (due: ReadonlyMap<DatabaseName, number>, isWhole: boolean): void => {
    for (const [database, change] of due) {
      before.set(database, seen.get(database) ?? change)
      if (isWhole || isPaid(kind)) seen.set(database, change)
    }
  }

  return async (isStrange) => {
    const isDue = looks % LOOKS_BETWEEN_LISTS[kind] === 0
    looks += 1
    const due = new Map(DATABASES.map((database) => [database, reached(database) ?? 0]))
    const [notesAreThere, linksAreThere] = await Promise.all([areNotesThere(parts), areLinksThere()])
    const isFine = notesAreThere && linksAreThere && !isStrange && !isDue
    if (!isFine) {
      const found = await findLack(store, mark.lineage, (database) => due.get(database) ?? 0)
      if (found.lack !== null) return found.lack
      links = found.links
    }
    note(due, !isFine)
    if (notesAreThere && !isStrange) return null
    log.warn('notes of this server at the place of the replica were removed or changed, and are written again')
    await nameAgain(store, notes, { ...parts.lineage, complete: true }, mark)
    return null
  }
}
