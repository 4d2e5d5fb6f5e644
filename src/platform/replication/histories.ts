import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { toIso } from '../clock.ts'
import { readIdTime } from '../ids.ts'
import { readChain } from './chain.ts'
import type { Notes } from './notes.ts'
import type { Store } from './store.ts'

const ID = /^[0-9a-z]{26}$/

/**
 * One unbroken history of the two databases: what is restored, put back or new begins another one, since nothing that
 * came after the moment it goes back to belongs to it.
 */
export const Lineage = Type.Object({
  id: Type.String({ pattern: ID.source }),
  startedAt: Type.String(),
  /** Migrations that its database had when it began, and the program that began it. */
  schema: Type.Integer(),
  version: Type.String(),
  reason: Type.Union([
    Type.Literal('new'),
    Type.Literal('put back'),
    // another place, or this one after it had lost what it held
    Type.Literal('new place'),
    // what the engine keeps beside the database was damaged
    Type.Literal('engine reset'),
  ]),
  /** The one that it goes on from, where the database knew of one. */
  from: Type.Union([Type.String(), Type.Null()]),
  /** False until the place has a first copy of both databases: until then the one before is the newest there is. */
  complete: Type.Optional(Type.Boolean()),
  /** Who began it: the name of the machine and the address under which people reach it. */
  host: Type.Optional(Type.String()),
  url: Type.Optional(Type.String()),
})
export type Lineage = Static<typeof Lineage>

/** A history at a place, and what proves that this installation named it. */
export type Found = Lineage & { proof: 'ours' | 'bare' | 'strange' }

const INDEX = 'lineages.json'
const CLAIMS = 'claims'
/** The claim of a history: an object of its own, which nobody but its maker writes. */
const claimName = (id: string): string => `${CLAIMS}/${id}.json`

/** The one list of all histories that versions before claims read; undefined where it is gone or cannot be read. */
export async function readIndex(store: Store): Promise<Lineage[] | undefined> {
  const bytes = await store.read(INDEX)
  if (!bytes) return undefined
  try {
    return Value.Decode(Type.Array(Lineage), JSON.parse(new TextDecoder().decode(bytes)))
  } catch {
    return undefined
  }
}

/** Names a history: its claim, read back, and its line in the list for versions before. */
export async function writeClaim(store: Store, notes: Notes, lineage: Lineage): Promise<void> {
  const name = claimName(lineage.id)
  await notes.write(name, lineage)
  if ((await notes.read(name, Lineage))?.proof !== 'ours') throw new Error(`the place did not keep ${name}`)
  const { host: _, url: __, ...line } = lineage
  const others = ((await readIndex(store)) ?? []).filter(({ id }) => id !== lineage.id)
  const index = [...others, line].toSorted((a, b) => (a.id < b.id ? -1 : 1))
  await store.write(INDEX, new TextEncoder().encode(`${JSON.stringify(index, null, 1)}\n`))
}

/** Whether the claim of a history is there as this installation wrote it. */
export const isClaimed = async (notes: Notes, id: string): Promise<boolean> =>
  (await notes.read(claimName(id), Lineage))?.proof === 'ours'

/** Takes back the claim of a history that came to nothing. */
export const removeClaim = (store: Store, id: string): Promise<void> => store.remove(claimName(id))

/** Reads claims again and again; one that says that it is complete says nothing else later, and is read once. */
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

/** What can be told of a history that nothing but its own files names. */
async function unnamed(store: Store, id: string): Promise<Found[]> {
  const { reach } = await readChain(store, id, 'brokerbase.db')
  if (reach === 0) return []
  const startedAt = toIso(readIdTime(id))
  return [{ id, startedAt, schema: 0, version: '', reason: 'new', from: null, complete: true, proof: 'bare' }]
}

/**
 * The histories of a place, the oldest first; empty where nothing was ever replicated there. Their claims name them,
 * the list of versions before claims does, and where neither is there each is found by its own files.
 */
export async function readHistories(store: Store, notes: Notes): Promise<Found[]> {
  const found = new Map<string, Found>()
  const index = await readIndex(store)
  for (const line of index ?? []) found.set(line.id, { ...line, proof: 'bare' })
  for (const claim of await createClaims(store, notes)()) {
    const complete = claim.complete !== false || (found.get(claim.id) ?? { complete: false }).complete !== false
    found.set(claim.id, { ...claim, complete })
  }
  if (index === undefined)
    for (const id of (await store.folders()).filter((name) => ID.test(name) && !found.has(name)))
      for (const one of await unnamed(store, id)) found.set(id, one)
  return [...found.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

/** The history that a moment belongs to: the last one that had begun by then and from which anything can be fetched. */
export const lineageAt = <L extends Lineage>(lineages: readonly L[], at: number | null): L | undefined =>
  lineages.findLast(({ startedAt, complete = true }) => complete && (at === null || Date.parse(startedAt) <= at))

/** The first history of the installation that one belongs to, as far as anything at the place tells. */
function findRoot(lineages: readonly Lineage[], id: string): string {
  const from = lineages.find((one) => one.id === id)?.from
  return from === undefined || from === null ? id : findRoot(lineages, from)
}

/** The newest history that went on from the same beginnings as this one, after it; undefined where none did. */
export const findSuccessor = <L extends Lineage>(lineages: readonly L[], own: string): L | undefined =>
  lineages.findLast(({ id }) => id > own && findRoot(lineages, id) === findRoot(lineages, own))

/**
 * The newest history that was there before the installation of this one began to replicate to the place: then two
 * installations did, and only their operator knows which of them is meant. Undefined as a rule.
 */
export function otherInstallation<L extends Lineage>(lineages: readonly L[], one: Lineage): L | undefined {
  const root = lineages.find(({ id }) => id === one.from)
  if (root) return otherInstallation(lineages, root)
  // what goes on from another place is no beginning
  if (one.from !== null) return undefined
  return lineages
    .slice(
      0,
      lineages.findIndex(({ id }) => id === one.id),
    )
    .findLast(({ complete = true }) => complete)
}
