import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { toIso } from '../clock.ts'
import { createIds, readIdTime } from '../ids.ts'
import { readChain } from './chain.ts'
import type { Notes } from './notes.ts'
import type { Store } from './store.ts'

const ID = /^[0-9a-z]{26}$/

/**
 * One unbroken history of the two databases. A database that is new, restored or put back begins another one, since the
 * changes after the restored time do not belong to it.
 */
export const Lineage = Type.Object({
  id: Type.String({ pattern: ID.source }),
  startedAt: Type.String(),
  /** The number of migrations of its database when it began, and below it the version of the program then. */
  schema: Type.Integer(),
  version: Type.String(),
  reason: Type.Union([
    Type.Literal('new'),
    Type.Literal('put back'),
    // the place is another one, or lost its files
    Type.Literal('new place'),
    // the state of the engine beside the database was damaged
    Type.Literal('engine reset'),
    // a standby took over
    Type.Literal('promoted'),
  ]),
  /** The history that it continues, if the database knew one. */
  from: Type.Union([Type.String(), Type.Null()]),
  /** False until the place has a first copy of both databases; until then the history before it is the newest. */
  complete: Type.Optional(Type.Boolean()),
  /** Its files are at another place: a standby took over that replicates elsewhere. */
  elsewhere: Type.Optional(Type.Boolean()),
  /** The name of the machine that began it, and the address under which people reach it. */
  host: Type.Optional(Type.String()),
  url: Type.Optional(Type.String()),
})
export type Lineage = Static<typeof Lineage>

/** A history at a place, and the proof that this installation claimed it. */
export type Found = Lineage & { proof: 'ours' | 'bare' | 'strange' }

const INDEX = 'lineages.json'
const CLAIMS = 'claims'
/** Returns the name of a history's claim, an object that only the server of this history writes. */
const claimName = (id: string): string => `${CLAIMS}/${id}.json`

/** Reads the list of all histories, which older versions use instead of claims; undefined if missing or unreadable. */
export async function readIndex(store: Store): Promise<Lineage[] | undefined> {
  const bytes = await store.read(INDEX)
  if (!bytes) return undefined
  try {
    return Value.Decode(Type.Array(Lineage), JSON.parse(new TextDecoder().decode(bytes)))
  } catch {
    return undefined
  }
}

/** Writes the claim of a history, reads it back, and adds the history to the list for older versions. */
export async function writeClaim(store: Store, notes: Notes, lineage: Lineage): Promise<void> {
  const name = claimName(lineage.id)
  await notes.write(name, lineage)
  if ((await notes.read(name, Lineage))?.proof !== 'ours') throw new Error(`the place did not keep ${name}`)
  const { host: _, url: __, elsewhere: ___, ...line } = lineage
  const others = ((await readIndex(store)) ?? []).filter(({ id }) => id !== lineage.id)
  const index = [...others, line].toSorted((a, b) => (a.id < b.id ? -1 : 1))
  await store.write(INDEX, new TextEncoder().encode(`${JSON.stringify(index, null, 1)}\n`))
}

/** Returns whether the claim of a history is there as this installation wrote it. */
export const isClaimed = async (notes: Notes, id: string): Promise<boolean> =>
  (await notes.read(claimName(id), Lineage))?.proof === 'ours'

/** Removes the claim of a history that could not begin. */
export const removeClaim = (store: Store, id: string): Promise<void> => store.remove(claimName(id))

/** Makes a function that reads all claims. A claim that is complete does not change, so it is read once. */
export function createClaims(store: Pick<Store, 'list'>, notes: Notes): () => Promise<Found[]> {
  const known = new Map<string, Found>()
  const readOne = async (name: string): Promise<Found[]> => {
    const before = known.get(name)
    if (before) return [before]
    const note = await notes.read(name, Lineage)
    if (!note?.value) return []
    const found = { ...note.value, proof: note.proof }
    if (found.complete !== false) known.set(name, found)
    return [found]
  }
  return async () => (await Promise.all((await store.list(CLAIMS)).map(readOne))).flat()
}

/** Returns what is known of a history if only its files are left. */
async function unnamed(store: Store, id: string): Promise<Found[]> {
  const { reach } = await readChain(store, id, 'brokerbase.db')
  if (reach === 0) return []
  const startedAt = toIso(readIdTime(id))
  return [{ id, startedAt, schema: 0, version: '', reason: 'new', from: null, complete: true, proof: 'bare' }]
}

/**
 * Returns the histories of a place, the oldest first; empty if nothing was ever replicated there. They are found by
 * their claims and by the list of older versions, and without that list by their files too. A caller that looks again
 * and again gives `readClaims`, which remembers those that do not change.
 */
export async function readHistories(
  store: Store,
  notes: Notes,
  readClaims: () => Promise<Found[]> = createClaims(store, notes),
): Promise<Found[]> {
  const found = new Map<string, Found>()
  const index = await readIndex(store)
  for (const line of index ?? []) found.set(line.id, { ...line, proof: 'bare' })
  for (const claim of await readClaims()) {
    const complete = claim.complete !== false || (found.get(claim.id) ?? { complete: false }).complete !== false
    found.set(claim.id, { ...claim, complete })
  }
  if (index === undefined)
    for (const id of (await store.folders()).filter((name) => ID.test(name) && !found.has(name)))
      for (const one of await unnamed(store, id)) found.set(id, one)
  return [...found.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

/** Returns the histories of a place that are proven to be of this installation, the oldest first. */
export const readOwnHistories = async (...of: Parameters<typeof readHistories>): Promise<Found[]> =>
  (await readHistories(...of)).filter(({ proof }) => proof === 'ours')

/**
 * Returns the history to restore for a time: the last one with first copies of both databases that had begun by then.
 */
export const lineageAt = <L extends Lineage>(lineages: readonly L[], at: number | null): L | undefined =>
  lineages.findLast(({ startedAt, complete = true }) => complete && (at === null || Date.parse(startedAt) <= at))

/** Returns the first history of the installation to which one belongs, as far as the place shows. */
function findRoot(lineages: readonly Lineage[], id: string): string {
  const from = lineages.find((one) => one.id === id)?.from
  return from === undefined || from === null ? id : findRoot(lineages, from)
}

/** Returns the newest history of the same installation after this one; undefined if there is none. */
export const findSuccessor = <L extends Lineage>(lineages: readonly L[], own: string): L | undefined =>
  lineages.findLast(({ id }) => id > own && findRoot(lineages, id) === findRoot(lineages, own))

/** Returns an id later than all at the place, since a clock that is behind must not make the history an earlier one. */
export function nextHistoryId(now: number, histories: readonly Lineage[]): string {
  const latest = Math.max(now, ...histories.map(({ id }) => readIdTime(id) + 1))
  return createIds({ now: () => latest })
    .next('lin')
    .slice('lin_'.length)
}

/**
 * Returns the newest history that was at the place before the installation of `one` began to replicate there; usually
 * undefined. If there is one, the place has two installations, and only the operator knows which is meant.
 */
export function otherInstallation<L extends Lineage>(lineages: readonly L[], one: Lineage): L | undefined {
  const root = lineages.find(({ id }) => id === one.from)
  if (root) return otherInstallation(lineages, root)
  // a history that continues one of another place is not the first of its installation
  if (one.from !== null) return undefined
  return lineages
    .slice(
      0,
      lineages.findIndex(({ id }) => id === one.id),
    )
    .findLast(({ complete = true }) => complete)
}
