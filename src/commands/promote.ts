import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Config, Followed } from '../config.ts'
import { type Prepared, prepareApart } from '../modules/box/standby/prepare.tasks.ts'
import { type Clock, SECOND } from '../platform/clock.ts'
import { readFact } from '../platform/db/box-facts.ts'
import { lockDataDir } from '../platform/db/lock.ts'
import { migrations } from '../platform/db/migrations.ts'
import { scratchName } from '../platform/db/swap-data.ts'
import { build } from '../platform/embedded.ts'
import { DATABASES } from '../platform/replication/engine-config.ts'
import { meIn } from '../platform/replication/lease.ts'
import { createNotes, type Notes } from '../platform/replication/notes.ts'
import { openStore } from '../platform/replication/open-store.ts'
import { openReader } from '../platform/sqlite.ts'
import { PROMOTION, type PromotedNote, type Promotion, promotedName } from '../platform/standby/promotion.ts'
import type { Standby } from '../platform/standby/standby.ts'
import { beginTakeover, type Takeover } from '../platform/standby/takeover.ts'
import { exchange } from './restore-data.ts'
import { followedDirectory, standbyDirectory } from './standby-directory.ts'

/** The whole proof is made before serving if the last one took no longer than this, else a quick one. */
const PROVES_FOR = 20 * SECOND
const SCRATCH = scratchName('promote')

/** The standby that takes over, and what it needs to. */
type Promoting = {
  /** The configuration of the standby, with the directory that a server serves after the takeover. */
  config: Config
  /** The place that it follows. */
  followed: Followed
  standby: Standby
  key: Uint8Array
  /** Whether the key is written beside the data, since no setting has it. */
  keepKey: boolean
  clock: Clock
  /** An operator says that the server before does not run. */
  isOff: boolean
  /** Called with each step, in words. */
  tell: (step: string) => void
}

/** The file by which a directory is known as that of a standby that took over. */
const markPath = (dataDir: string): string => join(standbyDirectory(dataDir), 'promoted')

/** Returns whether a standby took over in this directory, so that it is a server's from then on. */
export const isPromoted = (dataDir: string): boolean =>
  existsSync(markPath(dataDir)) && DATABASES.some((name) => existsSync(join(dataDir, name)))

/** Forgets that a standby took over in this directory, which becomes a standby's again. */
export const forgetPromotion = (dataDir: string): void => rmSync(markPath(dataDir), { force: true })

/** Returns what may be missing after a takeover, in words. */
const tellMissing = ({ isWhole, until }: Promotion): string => {
  if (isWhole) return 'missing: nothing, since every answer waited for the replica'
  const since = until === null ? '' : ` after ${until}`
  return `missing: what was answered${since} and had not arrived; on the old machine, brokerbase left-behind lists it`
}

/** Returns whether a server has the lock of a directory. */
function isServed(dataDir: string): boolean {
  try {
    lockDataDir(dataDir).close()
    return false
  } catch {
    return true
  }
}

/**
 * Returns what may be missing since the standby of this directory took over, in words; undefined if it did not. Throws
 * a sentence if its server does not run, and has yet to end the takeover.
 */
export function tellTakenOver(dataDir: string): string | undefined {
  if (!isPromoted(dataDir)) return undefined
  if (!isServed(dataDir))
    throw new Error(`The standby of ${dataDir} took over before, and does not run. Start it with: brokerbase standby`)
  const books = openReader(join(dataDir, 'brokerbase.db'))
  try {
    const promotion = readFact(books, PROMOTION)?.value
    return promotion && tellMissing(promotion)
  } finally {
    books.close()
  }
}

/** A takeover whose data is ready: nothing else writes, and the copy is proven. */
type Ready = {
  takeover: Takeover
  /** Puts the data in place, whose server must not run. */
  putInPlace(): void
  isElsewhere: boolean
  missing: string
}

/** Copies and proves what is followed, and leaves a note for the server before. */
async function prepare(promoting: Promoting, takeover: Takeover, notes: Notes): Promise<Ready> {
  const { config, followed, standby, key, keepKey, clock, tell } = promoting
  const { dataDir, replica, publicUrl } = config
  const before = standby.seen().history ?? ''
  tell('following what arrived last')
  await standby.catchUp()
  const { directory, provedIn } = await standby.freeze()
  const into = join(dataDir, SCRATCH)
  rmSync(into, { recursive: true, force: true })
  mkdirSync(into, { mode: 0o700 })
  const isQuick = provedIn === null || provedIn > PROVES_FOR
  tell(isQuick ? 'proving the copy quickly; the whole proof follows within an hour' : 'proving the copy')
  const parts = { from: directory, into, key, keepKey, isQuick, now: clock.now(), history: takeover.history, before }
  const { check, promotion, heads }: Prepared = await prepareApart(parts)
  takeover.demandHeld()
  tell(
    `proven: schema ${check.schema}, ${check.firms} firms${isQuick ? '' : `, ${check.entries} entries that balance`}`,
  )
  const note: PromotedNote = { by: hostname(), url: publicUrl, at: promotion.at, until: promotion.until, heads }
  await notes.write(promotedName(takeover.history), note)
  return {
    takeover,
    putInPlace: () => {
      writeFileSync(markPath(dataDir), `${takeover.history}\n`, { mode: 0o600 })
      exchange(dataDir, { from: SCRATCH, keep: 'before-promotion', isTaken: false })
      rmSync(followedDirectory(dataDir), { recursive: true, force: true })
    },
    isElsewhere: JSON.stringify(followed.place) !== JSON.stringify(replica?.place),
    missing: tellMissing(promotion),
  }
}

/**
 * Takes the place over and makes the data of a server from what a standby follows. Rejects with a sentence, and then
 * has given the place up again; a standby whose engines were ended has to be started anew.
 */
export async function takeOver(promoting: Promoting): Promise<Ready> {
  const { config, followed, standby, key, clock, isOff, tell } = promoting
  const { dataDir, publicUrl } = config
  const from = standby.seen().history
  if (from === null) throw new Error('No copy of the data is complete and proven yet.')
  if (isOff) tell('as you say, the old machine is off: what it answered in its last 30 seconds is not waited for')
  const store = openStore(followed.place, followed.keys)
  const notes = createNotes(store, [key])
  const takeover = await beginTakeover({
    store,
    notes,
    me: meIn(dataDir, publicUrl),
    from,
    isOff,
    schema: migrations.length,
    version: build().version,
    clock,
    tell,
  })
  try {
    return await prepare(promoting, takeover, notes)
  } catch (error) {
    rmSync(join(dataDir, SCRATCH), { recursive: true, force: true })
    await takeover.giveUp().catch(() => {})
    throw error
  }
}
