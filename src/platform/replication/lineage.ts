import { randomBytes } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { toIso } from '../clock.ts'
import type { BoxFact } from '../db/box-facts.ts'
import { readIdTime } from '../ids.ts'
import {
  type Found,
  findSuccessor,
  type Lineage,
  nextHistoryId,
  readHistories,
  removeClaim,
  writeClaim,
} from './histories.ts'
import type { Notes } from './notes.ts'
import type { Store } from './store.ts'

/** The mark that a database stores of its replication: its history, the number of server starts, and the place. */
const Mark = Type.Object({ lineage: Type.String(), begun: Type.Integer(), place: Type.String() })
export type Mark = Static<typeof Mark>
export const MARK: BoxFact<typeof Mark> = { name: 'replica lineage', shape: Mark }

/** The last loss at the place of the replica: its reason, and whether the place has a complete history again. */
const Loss = Type.Object({ why: Type.String(), isWhole: Type.Boolean() })
export type Loss = Static<typeof Loss>
export const LOSS: BoxFact<typeof Loss> = { name: 'replica lost', shape: Loss }

/** The mark as a file beside the database, with the server that continued the data of this directory elsewhere. */
const Beside = Type.Object({
  ...Mark.properties,
  replacedBy: Type.Optional(Type.Object({ host: Type.String(), url: Type.String() })),
})
type Beside = Static<typeof Beside>
/** The server that continued a history: the name of its machine, and its address (empty if unknown). */
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

/** Returns whether database and file agree; if not, an older copy of the database was put back in some way. */
const isWhole = (known: Mark | undefined, beside: Beside | undefined): known is Mark =>
  known !== undefined && beside?.lineage === known.lineage && beside.begun === known.begun

/** Returns the server that had continued the data of this directory when the place was last read. */
export const replacedBefore = (dataDir: string): Successor | undefined => readBeside(dataDir)?.replacedBy

/**
 * Returns the server that continued the data of this directory elsewhere, and stores it: then this server is out of
 * date for good. Undefined if the database was restored or put back here, since this directory then continues the data.
 */
export function replacedAt(
  histories: readonly Lineage[],
  { dataDir, place, known }: { dataDir: string; place: string; known: Mark | undefined },
): Successor | undefined {
  const beside = readBeside(dataDir)
  if (!isWhole(known, beside) || known.place !== place) return undefined
  const next = findSuccessor(histories, known.lineage)
  if (!next || (next.complete === false && !next.elsewhere)) return undefined
  const successor = { host: next.host ?? 'another machine', url: next.url ?? '' }
  writeBeside(dataDir, { ...known, replacedBy: successor })
  return successor
}

/** Returns the name of the count of server starts at the place, which shows if a copy of the directory was started. */
const begunName = (lineage: string): string => `${lineage}/begun.json`

/** Returns the count of starts at the place; undefined if it is missing or not a number. */
export async function readBegun(store: Store, lineage: string): Promise<number | undefined> {
  const text = new TextDecoder().decode((await store.read(begunName(lineage))) ?? new Uint8Array())
  return /^\d{1,15}$/.test(text.trim()) ? Number(text) : undefined
}

const writeBegun = (store: Store, { lineage, begun }: Mark): Promise<void> =>
  store.write(begunName(lineage), new TextEncoder().encode(String(begun)))

function pickReason(why: {
  isPromised: boolean
  isFirst: boolean
  isBroken: boolean
  isMoved: boolean
}): Lineage['reason'] {
  if (why.isPromised) return 'promoted'
  if (why.isFirst) return 'new'
  if (why.isBroken) return 'engine reset'
  return why.isMoved ? 'new place' : 'put back'
}

/** Returns a history as the place names it, or as it is named again if the place does not name it any more. */
function readNamed(found: Found | undefined, unnamed: Omit<Lineage, 'reason' | 'from'>): Lineage {
  if (!found) return { ...unnamed, startedAt: toIso(readIdTime(unnamed.id)), reason: 'new', from: null }
  const { proof: _, ...named } = found
  return named
}

/** The input of `beginLineage`. */
type BeginParts = {
  store: Store
  notes: Notes
  dataDir: string
  place: string
  known: Mark | undefined
  note: (mark: Mark) => Promise<void>
  /** Removes the state of the engine, which would otherwise continue the history before. */
  forget: () => void
  /** Begins another history whatever the counts are: the engine's state is damaged, or the place lost its files. */
  anew?: 'engine' | 'place' | undefined
  /** The id under which a takeover has claimed the history that begins now. */
  promised?: string | undefined
  now: number
  schema: number
  version: string
  host: string
  url: string
  /** Waits, after the claim is written, until no other server can hold the place; rejects if one does. */
  confirm: (lineage: Lineage) => Promise<void>
}

/**
 * Continues the history of the database, or begins another one. The database, the file beside it and the place count
 * the starts; if they do not agree, the database was put back or continued elsewhere, and another history begins.
 * Another one also begins at a new place, and if the newest history there is of another server, since a restore takes
 * the newest one. The caller has to hold the lease; `note` writes into the database. A new history is claimed before
 * anything refers to it, and its claim is removed if it cannot begin. Throws if the place is out of reach or `confirm`
 * rejects.
 */
export async function beginLineage(parts: BeginParts): Promise<{ lineage: Lineage; mark: Mark; isNew: boolean }> {
  const {
    store,
    notes,
    dataDir,
    place,
    known,
    note,
    forget,
    anew,
    promised,
    now,
    schema,
    version,
    host,
    url,
    confirm,
  } = parts
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
    const lineage = { ...readNamed(histories[index], { ...by, id: known.lineage }), host, url }
    const mark = { lineage: lineage.id, begun, place }
    await confirm(lineage)
    await note(mark)
    writeBeside(dataDir, mark)
    await writeBegun(store, mark)
    await writeClaim(store, notes, lineage)
    return { lineage, mark, isNew: false }
  }
  const isMoved = anew === 'place' || (isWhole(known, beside) && !isHere)
  const isPromised = promised !== undefined && histories.every(({ id }) => id <= promised)
  const reason = pickReason({ isPromised, isFirst: known === undefined, isBroken: anew === 'engine', isMoved })
  const id = isPromised ? promised : nextHistoryId(now, histories)
  const lineage = { ...by, id, reason, from: known?.lineage ?? null }
  const mark = { lineage: lineage.id, begun, place }
  try {
    await writeClaim(store, notes, lineage)
    await confirm(lineage)
    // this is done before the mark names the new history, so that a start that fails in between does it again
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

/** Writes the notes of a history at the place again, in case a rule of a bucket or a mistake has removed them. */
export async function nameAgain(store: Store, notes: Notes, lineage: Lineage, mark: Mark): Promise<void> {
  await writeBegun(store, mark)
  await writeClaim(store, notes, lineage)
}
