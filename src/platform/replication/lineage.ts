import { randomBytes } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { toIso } from '../clock.ts'
import type { BoxFact } from '../db/box-facts.ts'
import { createIds } from '../ids.ts'
import type { Store } from './store.ts'

/**
 * One unbroken history of the two databases: what is restored, put back or new begins another one, since nothing that
 * came after the moment it goes back to belongs to it.
 */
export const Lineage = Type.Object({
  id: Type.String({ pattern: '^[0-9a-z]{26}$' }),
  startedAt: Type.String(),
  /** Migrations that its database had when it began, and the program that began it. */
  schema: Type.Integer(),
  version: Type.String(),
  reason: Type.Union([
    Type.Literal('new'),
    Type.Literal('put back'),
    Type.Literal('new place'),
    // what the engine keeps beside the database was damaged
    Type.Literal('engine reset'),
  ]),
  /** The one that it goes on from, where the database knew of one. */
  from: Type.Union([Type.String(), Type.Null()]),
  /** False until the place has a first copy of both databases: until then the one before is the newest there is. */
  complete: Type.Optional(Type.Boolean()),
})
export type Lineage = Static<typeof Lineage>

const INDEX = 'lineages.json'

/** What a database remembers of its replication: which lineage it is in, and how often a server has begun with it. */
const Mark = Type.Object({ lineage: Type.String(), begun: Type.Integer(), place: Type.String() })
export type Mark = Static<typeof Mark>
export const MARK: BoxFact<typeof Mark> = { name: 'replica lineage', shape: Mark }

/** The lineages of a place, the oldest first; empty where nothing was ever replicated there. */
export async function readLineages(store: Store): Promise<Lineage[]> {
  const bytes = await store.read(INDEX)
  return bytes ? Value.Decode(Type.Array(Lineage), JSON.parse(new TextDecoder().decode(bytes))) : []
}

const writeLineages = (store: Store, lineages: readonly Lineage[]): Promise<void> =>
  store.write(INDEX, new TextEncoder().encode(`${JSON.stringify(lineages, null, 1)}\n`))

/** Names a new lineage in the index. */
async function nameLineage(store: Store, lineage: Lineage): Promise<void> {
  const known = await readLineages(store)
  if (!known.some(({ id }) => id === lineage.id)) await writeLineages(store, [...known, lineage])
}

/** Notes in the index that a lineage has a first copy of both databases. To be called by the holder of the lease. */
export async function completeLineage(store: Store, lineage: string): Promise<void> {
  const known = await readLineages(store)
  if (known.every(({ id }) => id !== lineage))
    throw new Error(`the place no longer names the history ${lineage}, so that nobody would find it; start again`)
  if (!known.some(({ id, complete }) => id === lineage && complete === false)) return
  const now = known.map((one) => (one.id === lineage ? { ...one, complete: true } : one))
  await writeLineages(store, now)
}

/** The lineage that a moment belongs to: the last one that had begun by then and from which anything can be fetched. */
export const lineageAt = (lineages: readonly Lineage[], at: number | null): Lineage | undefined =>
  lineages.findLast(({ startedAt, complete = true }) => complete && (at === null || Date.parse(startedAt) <= at))

/**
 * The newest lineage that was there before the installation of this one began to replicate to the place: then two
 * installations did, and only their operator knows which of them is meant. Undefined as a rule.
 */
export function otherInstallation(lineages: readonly Lineage[], one: Lineage): Lineage | undefined {
  const root = lineages.find(({ id }) => id === one.from)
  if (root) return otherInstallation(lineages, root)
  // what goes on from another place is no beginning
  if (one.from !== null) return undefined
  return lineages.slice(0, lineages.indexOf(one)).findLast(({ complete = true }) => complete)
}

const markPath = (dataDir: string): string => join(dataDir, 'replica.json')

function readMark(dataDir: string): Mark | undefined {
  try {
    const mark: unknown = JSON.parse(readFileSync(markPath(dataDir), 'utf8'))
    return Value.Check(Mark, mark) ? mark : undefined
  } catch {
    return undefined
  }
}

/** How often a server has begun with a lineage, as the replica has it: a copy of the directory counts by itself. */
const headName = (lineage: string): string => `${lineage}/begun.json`

async function readBegun(store: Store, lineage: string): Promise<number | undefined> {
  const bytes = await store.read(headName(lineage))
  return bytes && Value.Decode(Type.Integer(), JSON.parse(new TextDecoder().decode(bytes)))
}

/** Why a lineage began. */
function reasonOf(why: { isFirst: boolean; isBroken: boolean; isMoved: boolean }): Lineage['reason'] {
  if (why.isFirst) return 'new'
  if (why.isBroken) return 'engine reset'
  return why.isMoved ? 'new place' : 'put back'
}

/**
 * Which lineage a start goes on with. The database, the file beside it and the replica count the starts; where they do
 * not agree a database was put back, by whatever means, or went on elsewhere, and another lineage begins, as it does at
 * a new place, and after another server's there, since a restore takes the last one that is named. To be called by the
 * holder of the lease; `note` writes into the database.
 */
export async function beginLineage(parts: {
  store: Store
  dataDir: string
  place: string
  known: Mark | undefined
  note: (mark: Mark) => Promise<void>
  /** Forgets what the engine keeps of the history before: it would go on from there, where nothing of it is. */
  forget: () => void
  /** What the engine keeps is damaged: another history begins, whatever the counts say. */
  isBroken?: boolean
  now: number
  schema: number
  version: string
}): Promise<{ id: string; isNew: boolean }> {
  const { store, dataDir, place, known, note, forget, isBroken = false, now, schema, version } = parts
  const beside = readMark(dataDir)
  const isWhole = known !== undefined && beside?.lineage === known.lineage && beside.begun === known.begun
  const isHere = known?.place === place
  const named = await readLineages(store)
  const index = named.findIndex(({ id }) => id === known?.lineage)
  // a start that ended before it could name its history does so now
  const isNamed = index !== -1
  const isLast = !isNamed || named.slice(index + 1).every(({ complete = true }) => !complete)
  const goesOn = !isBroken && isWhole && isHere && isLast && (await readBegun(store, known.lineage)) === known.begun
  const id = goesOn
    ? known.lineage
    : createIds({ now: () => now })
        .next('lin')
        .slice('lin_'.length)
  const mark = { lineage: id, begun: (known?.begun ?? 0) + 1, place }
  // before anything names the new one: a start that ends in between does it again
  if (!goesOn) forget()
  await note(mark)
  const partial = `${markPath(dataDir)}.${randomBytes(4).toString('hex')}.partial`
  writeFileSync(partial, JSON.stringify(mark), { mode: 0o600 })
  renameSync(partial, markPath(dataDir))
  await store.write(headName(id), new TextEncoder().encode(String(mark.begun)))
  if (!goesOn || !isNamed) {
    const reason = reasonOf({ isFirst: known === undefined || goesOn, isBroken, isMoved: isWhole && !isHere })
    const from = goesOn ? null : (known?.lineage ?? null)
    await nameLineage(store, { id, startedAt: toIso(now), schema, version, reason, from, complete: false })
  }
  return { id, isNew: !goesOn }
}
