import { randomBytes } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { toIso } from '../clock.ts'
import type { BoxFact } from '../db/box-facts.ts'
import { createIds, readIdTime } from '../ids.ts'
import { findSuccessor, type Lineage, readHistories, removeClaim, writeClaim } from './histories.ts'
import type { Notes } from './notes.ts'
import type { Store } from './store.ts'

/** What a database remembers of its replication: which history it is in, and how often a server has begun with it. */
const Mark = Type.Object({ lineage: Type.String(), begun: Type.Integer(), place: Type.String() })
export type Mark = Static<typeof Mark>
export const MARK: BoxFact<typeof Mark> = { name: 'replica lineage', shape: Mark }

/** That the place of the replica lost what it held, why, and whether another whole history stands there since. */
const Loss = Type.Object({ why: Type.String(), isWhole: Type.Boolean() })
export type Loss = Static<typeof Loss>
export const LOSS: BoxFact<typeof Loss> = { name: 'replica lost', shape: Loss }

/** The mark as a file beside the database; it says as well who went on elsewhere with what this directory holds. */
const Beside = Type.Object({
  ...Mark.properties,
  replacedBy: Type.Optional(Type.Object({ host: Type.String(), url: Type.String() })),
})
type Beside = Static<typeof Beside>
/** The server that went on from a history: the name of its machine, and its address where that is known. */
type Successor = { host: string; url: string }

const besidePath = (dataDir: string): string => join(dataDir, 'replica.json')

function readBeside(dataDir: string): Beside | undefined {
  try {
    const mark: unknown = JSON.parse(readFileSync(besidePath(dataDir), 'utf8'))
    return Value.Check(Beside, mark) ? mark : undefined
  } catch {
    return undefined
  }
}

function writeBeside(dataDir: string, mark: Beside): void {
  const partial = `${besidePath(dataDir)}.${randomBytes(4).toString('hex')}.partial`
  writeFileSync(partial, JSON.stringify(mark), { mode: 0o600 })
  renameSync(partial, besidePath(dataDir))
}

/** Whether database and file agree: where they do not, the database was put back by whatever means. */
const isWhole = (known: Mark | undefined, beside: Beside | undefined): known is Mark =>
  known !== undefined && beside?.lineage === known.lineage && beside.begun === known.begun

/** Who is known to have gone on with what this directory holds, when the place was last seen. */
export const replacedBefore = (dataDir: string): Successor | undefined => readBeside(dataDir)?.replacedBy

/**
 * Who went on with what this directory holds, on another machine or in another directory: then this one is out of date
 * for good. Nobody did where it was restored or put back, since that is how one goes on. Remembers who it was.
 */
export function replacedAt(
  histories: readonly Lineage[],
  { dataDir, place, known }: { dataDir: string; place: string; known: Mark | undefined },
): Successor | undefined {
  const beside = readBeside(dataDir)
  if (!isWhole(known, beside) || known.place !== place) return undefined
  const next = findSuccessor(histories, known.lineage)
  if (!next || next.complete === false) return undefined
  const successor = { host: next.host ?? 'another machine', url: next.url ?? '' }
  writeBeside(dataDir, { ...known, replacedBy: successor })
  return successor
}

/** How often a server has begun with a history, as the replica has it: a copy of the directory counts by itself. */
const begunName = (lineage: string): string => `${lineage}/begun.json`

/** The count of starts at the place; undefined where it is gone or no number. */
export async function readBegun(store: Store, lineage: string): Promise<number | undefined> {
  const text = new TextDecoder().decode((await store.read(begunName(lineage))) ?? new Uint8Array())
  return /^\d{1,15}$/.test(text.trim()) ? Number(text) : undefined
}

const writeBegun = (store: Store, { lineage, begun }: Mark): Promise<void> =>
  store.write(begunName(lineage), new TextEncoder().encode(String(begun)))

/** Why a history begins: what is first, then what forces it, then what changed since the last start. */
function pickReason(why: { isFirst: boolean; isBroken: boolean; isMoved: boolean }): Lineage['reason'] {
  if (why.isFirst) return 'new'
  if (why.isBroken) return 'engine reset'
  return why.isMoved ? 'new place' : 'put back'
}

/** What a start with a place is told; see `beginLineage`. */
type BeginParts = {
  store: Store
  notes: Notes
  dataDir: string
  place: string
  known: Mark | undefined
  note: (mark: Mark) => Promise<void>
  /** Forgets what the engine keeps of the history before: it would go on from there, where nothing of it is. */
  forget: () => void
  /** Another history begins, whatever the counts say: what the engine keeps is damaged, or the place lost its part. */
  anew?: 'engine' | 'place' | undefined
  now: number
  schema: number
  version: string
  host: string
  url: string
  /** Waits, once the claim stands, until nobody else can hold the place; rejects where somebody does. */
  confirm: (lineage: Lineage) => Promise<void>
}

/** The next id, later than each that the place knows: a clock that is behind must not make a history an earlier one. */
function nextId(now: number, histories: readonly Lineage[]): string {
  const latest = Math.max(now, ...histories.map(({ id }) => readIdTime(id) + 1))
  return createIds({ now: () => latest })
    .next('lin')
    .slice('lin_'.length)
}

/**
 * Which history a start goes on with. The database, the file beside it and the replica count the starts; where they do
 * not agree a database was put back, by whatever means, or went on elsewhere, and another history begins, as it does at
 * a new place, and after another server's there, since a restore takes the last one that is named. To be called by the
 * holder of the lease; `note` writes into the database. A history that begins is claimed before anything goes over to
 * it, and a claim that comes to nothing is taken back.
 */
export async function beginLineage(parts: BeginParts): Promise<{ lineage: Lineage; mark: Mark; isNew: boolean }> {
  const { store, notes, dataDir, place, known, note, forget, anew, now, schema, version, host, url, confirm } = parts
  const beside = readBeside(dataDir)
  const isHere = known?.place === place
  const histories = await readHistories(store, notes)
  const index = histories.findIndex(({ id }) => id === known?.lineage)
  const isLast = index === -1 || index === histories.length - 1
  const goesOn =
    !anew && isWhole(known, beside) && isHere && isLast && (await readBegun(store, known.lineage)) === known.begun
  const begun = (known?.begun ?? 0) + 1
  const by = { startedAt: toIso(now), schema, version, complete: false, host, url }
  if (goesOn) {
    // one whose name was lost is named again
    const { proof: _, ...named } = histories[index] ?? {
      ...by,
      id: known.lineage,
      startedAt: toIso(readIdTime(known.lineage)),
      reason: 'new' as const,
      from: null,
      proof: 'bare',
    }
    const lineage = { ...named, host, url }
    const mark = { lineage: lineage.id, begun, place }
    await confirm(lineage)
    await note(mark)
    writeBeside(dataDir, mark)
    await writeBegun(store, mark)
    await writeClaim(store, notes, lineage)
    return { lineage, mark, isNew: false }
  }
  const isMoved = anew === 'place' || (isWhole(known, beside) && !isHere)
  const reason = pickReason({ isFirst: known === undefined, isBroken: anew === 'engine', isMoved })
  const lineage = { ...by, id: nextId(now, histories), reason, from: known?.lineage ?? null }
  const mark = { lineage: lineage.id, begun, place }
  try {
    await writeClaim(store, notes, lineage)
    await confirm(lineage)
    // before anything names the new one: a start that ends in between does it again
    forget()
    await note(mark)
    writeBeside(dataDir, mark)
    await writeBegun(store, mark)
  } catch (error) {
    await removeClaim(store, lineage.id).catch(() => {})
    throw error
  }
  return { lineage, mark, isNew: true }
}

/** Writes what the place has to know of a history once more: a rule of a bucket or a slip may have removed it. */
export async function nameAgain(store: Store, notes: Notes, lineage: Lineage, mark: Mark): Promise<void> {
  await writeBegun(store, mark)
  await writeClaim(store, notes, lineage)
}
