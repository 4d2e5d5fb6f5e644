import { constants, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createApp, jobs } from '../app.ts'
import { type Config, ConfigError, type Followed } from '../config.ts'
import { checkApart } from '../modules/box/backups/check.tasks.ts'
import { findTakeover, listLeftBehind } from '../modules/box/standby/left-behind.ts'
import { createPrimaryWatch, keepLooking } from '../modules/box/standby/primary-watch.ts'
import { type Clock, SECOND, systemClock, toIso } from '../platform/clock.ts'
import { readFact } from '../platform/db/box-facts.ts'
import { tenantIds } from '../platform/db/directory.ts'
import { lockDataDir } from '../platform/db/lock.ts'
import { countMigrations } from '../platform/db/migrate.ts'
import { migrations } from '../platform/db/migrations.ts'
import { clearUnfinishedCopies, DATA_FILES, finishSwap } from '../platform/db/swap-data.ts'
import { build, embedded } from '../platform/embedded.ts'
import { createIds, randomToken } from '../platform/ids.ts'
import { createScheduler } from '../platform/jobs/scheduler.ts'
import { createLog, type Log } from '../platform/log.ts'
import { openPlatform } from '../platform/platform.ts'
import { engineBinary } from '../platform/replication/engine-binary.ts'
import { DATABASES } from '../platform/replication/engine-config.ts'
import { findSuccessor, type Found as HistoryFound, readOwnHistories } from '../platform/replication/histories.ts'
import { MARK } from '../platform/replication/lineage.ts'
import { createNotes } from '../platform/replication/notes.ts'
import { openStore } from '../platform/replication/open-store.ts'
import { type Connection, openReader, openStill } from '../platform/sqlite.ts'
import type { Generation } from '../platform/standby/generations.ts'
import { createSight } from '../platform/standby/sight.ts'
import { createStandby, type Standby } from '../platform/standby/standby.ts'
import { forgetPromotion, isPromoted, takeOver, tellTakenOver } from './promote.ts'
import type { Dialogue } from './recovery-key.ts'
import { keysFor, type RestoreFlags } from './restore.ts'
import { buildServerUrl, openDoors, type Running, startServer, stopServer, stopWhenTold } from './serve.ts'
import { askStandby, openControl, orderTakeover } from './standby-control.ts'
import { followedDirectory, standbyDirectory, standbyIdPath } from './standby-directory.ts'

/** Whoever ordered a takeover is told its failure within this time. */
const TOLD_WITHIN = 5 * SECOND

/** The flags of `standby`, as typed. */
export type StandbyFlags = Pick<RestoreFlags, 'replace' | 'keyWords' | 'keyFile'>

type Around = { clock: Clock; log: Log }

/** What a standby needs to know of the data in its directory before that is moved aside. */
type There = { dataDir: string; followed: Followed; key: Uint8Array; now: number; log: Log }

/**
 * Throws a sentence unless a server has gone on with the data of a directory: it is the newest of its firms otherwise,
 * and may never be moved aside. A place that does not know it, such as one with a mistyped name, says nothing of that.
 */
function mustBeOlder(books: Connection, ours: readonly HistoryFound[], { dataDir }: There): void {
  const mark = readFact(books, MARK)?.value
  if (!mark && tenantIds(books).length === 0) return
  if (mark && findSuccessor(ours, mark.lineage)) return
  if (mark && ours.some(({ id }) => id === mark.lineage))
    throw new ConfigError(`Nobody has gone on with the data in ${dataDir}, which is the newest: brokerbase serve`)
  throw new ConfigError(
    `The place that BROKERBASE_STANDBY_FROM or BROKERBASE_REPLICA_URL names does not know the data in ${dataDir}, which may be the newest of its firms. Is it the right place, and secret.key that of the other machine? If nobody needs this data, move it away yourself.`,
  )
}

/**
 * Moves the data of a directory aside, with a list of what the server lacks that took over from it. Refuses to if that
 * was not asked for, or if nobody took over: the data here is then the newest of its firms.
 */
async function clearWay(there: There, replace: boolean): Promise<void> {
  const { dataDir, followed, key, now, log } = there
  if (!DATABASES.some((name) => existsSync(join(dataDir, name)))) return
  if (!replace)
    throw new ConfigError(`${dataDir} has data of its own. --replace keeps it beside, and makes this a standby.`)
  const store = openStore(followed.place, followed.keys)
  const notes = createNotes(store, [key])
  const kept = join(dataDir, `before-standby-${toIso(now).slice(0, 19).replaceAll(':', '-')}`)
  const main = join(dataDir, 'brokerbase.db')
  if (existsSync(main)) {
    const books = openReader(main)
    try {
      const ours = await readOwnHistories(store, notes)
      mustBeOlder(books, ours, there)
      const note = await findTakeover(books, ours, notes)
      mkdirSync(kept, { mode: 0o700 })
      if (note) writeFileSync(join(kept, 'left-behind.csv'), [...listLeftBehind(books, note)].join(''), { mode: 0o600 })
    } finally {
      books.close()
    }
  }
  mkdirSync(kept, { recursive: true, mode: 0o700 })
  // the key stays, since the standby has the same
  for (const name of DATA_FILES)
    if (name !== 'secret.key' && existsSync(join(dataDir, name))) renameSync(join(dataDir, name), join(kept, name))
  log.info({ kept }, 'the data that was here is kept')
}

/** Returns why a copy may not be read; null if it is proven as a restore proves it, but for the papers. */
async function findDoubt({ path }: Generation, scratch: string, key: Uint8Array, now: number): Promise<string | null> {
  const copy = openStill(path)
  const schema = countMigrations(copy)
  copy.close()
  // nobody reads a copy of a newer program, which this one cannot prove
  if (schema > migrations.length) return null
  const directory = join(scratch, 'proof')
  mkdirSync(directory, { mode: 0o700 })
  try {
    await copyFile(path, join(directory, 'brokerbase.db'), constants.COPYFILE_FICLONE)
    const { faults } = await checkApart({ directory, key, now, manifest: null, papers: false }, undefined)
    return faults[0] ?? null
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** The name of this standby's note at the place, which stays the same. */
function readId(dataDir: string): string {
  const path = standbyIdPath(dataDir)
  if (!existsSync(path)) writeFileSync(path, createIds(systemClock).next('sby'), { mode: 0o600 })
  return readFileSync(path, 'utf8')
}

/**
 * Makes the directories of a standby: one for the followed files and the copies, and an empty one for what a server
 * needs beside the data that it reads.
 */
function makeDirectories(dataDir: string): { followed: string; scratch: string } {
  const followed = followedDirectory(dataDir)
  const scratch = join(standbyDirectory(dataDir), 'scratch')
  rmSync(scratch, { recursive: true, force: true })
  for (const directory of [followed, scratch]) mkdirSync(directory, { recursive: true, mode: 0o700 })
  return { followed, scratch }
}

/** A standby that answers, and what a takeover needs of it. */
type Standing = Running & { standby: Standby }

/** What is known before a standby begins: the place that it follows, its key, and the engine. */
type Found = { followed: Followed; key: Uint8Array; keepKey: boolean; binary: string }

/** Finds the key and clears the directory of a standby. */
async function findParts(
  config: Config,
  flags: StandbyFlags,
  dialogue: () => Dialogue,
  { clock, log }: Around,
): Promise<Found> {
  const { dataDir, followed } = config
  if (!followed) throw new ConfigError('A standby needs BROKERBASE_STANDBY_FROM, or BROKERBASE_REPLICA_URL.')
  const { keys, keepKey } = await keysFor(flags, config, dataDir, dialogue)
  const [key] = keys
  if (!key) throw new Error('A standby needs the key of the installation.')
  await clearWay({ dataDir, followed, key, now: clock.now(), log }, flags.replace ?? false)
  const keyPath = join(dataDir, 'secret.key')
  if (keepKey && !existsSync(keyPath))
    writeFileSync(keyPath, `${Buffer.from(key).toString('base64')}\n`, { mode: 0o600, flush: true })
  const { path: binary } = await engineBinary(dataDir, { named: config.litestream, packed: embedded().litestream })
  return { followed, key, keepKey, binary }
}

/** Makes the follower of a standby, not yet started, and what its requests read. */
function prepare(config: Config, { followed, key, binary }: Found, { clock, log }: Around) {
  const { dataDir } = config
  const { followed: directory, scratch } = makeDirectories(dataDir)
  const standby = createStandby({
    ...followed,
    directory,
    key,
    id: readId(dataDir),
    binary,
    url: config.publicUrl,
    prove: (generation) => findDoubt(generation, scratch, key, clock.now()),
    clock,
    log,
  })
  const sight = createSight({
    standby,
    empty: () => openReader(join(scratch, 'brokerbase.db')),
    schema: migrations.length,
    maxAgeSeconds: followed.maxAgeSeconds,
    now: clock.now,
  })
  const secretKey = Buffer.from(key).toString('base64')
  return { standby, sight, config: { ...config, dataDir: scratch, replica: null, secretKey } }
}

/** Starts a server that answers reads from copies of the data that it follows. */
async function stand(config: Config, found: Found, { clock, log }: Around): Promise<Standing> {
  const { standby, sight, config: own } = prepare(config, found, { clock, log })
  const platform = openPlatform({ config: own, clock, log, sight })
  // the address of the primary is in its heartbeats, and may change
  const by = {
    host: '',
    get url() {
      return standby.seen().heartbeat?.url ?? ''
    },
  }
  platform.roles.become({ name: 'standby', by })
  const scheduler = createScheduler(platform, jobs)
  const setupToken = randomToken(18)
  const doors = await openDoors(platform, createApp(platform, { setupToken, scheduler }))
  standby.start()
  scheduler.start()
  const ending = new AbortController()
  const watch = createPrimaryWatch({ standby, reader: platform.reader, relay: platform.mailRelay, clock, log })
  const watching = keepLooking(watch, log, ending.signal)
  doors.tls?.start(doors.listeners.swap)
  const url = buildServerUrl(config, doors)
  log.info({ url, dataDir: config.dataDir, ...build() }, 'listening as a standby')
  return {
    standby,
    url,
    platform,
    setupToken,
    renewTls: async () => doors.tls?.lookNow(),
    httpPort: doors.plainDoor?.port ?? null,
    stop: async () => {
      ending.abort()
      await watching
      await stopServer(platform, doors, scheduler)
      await standby.stop()
      log.info('stopped')
    },
  }
}

/** A standby, or the server that it has become. */
export type StandbyRunning = {
  current(): Running
  /** Rejects if it took over and could not start as a server; the next start of the program does that. */
  readonly broken: Promise<never>
  stop(): Promise<void>
}

/** Starts the server of a directory in which a standby took over. */
async function startPromoted(config: Config, clock: Clock): Promise<StandbyRunning> {
  const running = await startServer(config, undefined, clock)
  return { current: () => running, broken: new Promise(() => {}), stop: running.stop }
}

/** Makes a standby that can take over; the caller has the lock of the directory. */
async function standReady(
  config: Config,
  found: Found,
  around: Around & { lock: { close(): void } },
): Promise<StandbyRunning> {
  const { clock, lock } = around
  let standing = await stand(config, found, around)
  let server: Running | undefined
  const broken = Promise.withResolvers<never>()
  const control = openControl(
    config.dataDir,
    async (isOff, tell) => {
      const { standby } = standing
      const ready = await takeOver({ config, ...found, standby, clock, isOff, tell }).catch(async (error: unknown) => {
        // engines that were ended follow again
        if (standby.isFrozen()) {
          await standing.stop()
          standing = await stand(config, found, around)
        }
        throw error
      })
      try {
        tell('starting as the server')
        await standing.stop()
        ready.putInPlace()
        await ready.takeover.handOver(ready.isElsewhere)
        lock.close()
        server = await startServer(config, undefined, clock)
      } catch (error) {
        // the process ends with this, but whoever gave the order is told why before
        void Promise.race([control.close(), Bun.sleep(TOLD_WITHIN)]).then(() => broken.reject(error))
        throw error
      }
      tell(`serving at ${server.url}, ${server.platform.roles.current().name}`)
      tell(ready.missing)
    },
    () => standing.standby.seen(),
  )
  return {
    current: () => server ?? standing,
    broken: broken.promise,
    stop: async () => {
      void control.close()
      await (server ?? standing).stop()
      if (!server) lock.close()
    },
  }
}

/**
 * Starts a standby, which answers reads from copies of the data at the place that it follows, and takes over when
 * `promote` tells it to. In a directory in which a standby took over before, it starts a server.
 */
export async function startStandby(
  config: Config,
  flags: StandbyFlags,
  dialogue: () => Dialogue,
  clock: Clock = systemClock,
): Promise<StandbyRunning> {
  const log = createLog({ level: config.logLevel })
  const lock = lockDataDir(config.dataDir)
  try {
    finishSwap(config.dataDir)
    if (isPromoted(config.dataDir) && !flags.replace) {
      lock.close()
      return await startPromoted(config, clock)
    }
    clearUnfinishedCopies(config.dataDir)
    const found = await findParts(config, flags, dialogue, { clock, log })
    forgetPromotion(config.dataDir)
    return await standReady(config, found, { clock, log, lock })
  } catch (error) {
    lock.close()
    throw error
  }
}

/** Runs a standby until SIGTERM or SIGINT. */
export async function serveStandby(config: Config, flags: StandbyFlags, dialogue: () => Dialogue): Promise<void> {
  const running = await startStandby(config, flags, dialogue)
  running.broken.catch((error: unknown) => {
    process.stderr.write(`took over, and could not start: ${error instanceof Error ? error.message : error}\n`)
    process.exit(1)
  })
  stopWhenTold(config, { stop: running.stop, renewTls: () => running.current().renewTls() })
}

/**
 * Tells the standby on this machine to take over, and prints its steps. One that took over and was started again since
 * is a server, and says so. Throws a sentence if it stays a standby.
 */
export async function promote({ dataDir }: Config, isOff: boolean, tell: (step: string) => void): Promise<void> {
  // the process that took over still tells its steps
  const missing = (await askStandby(dataDir)) ? undefined : tellTakenOver(dataDir)
  if (missing === undefined) return orderTakeover(dataDir, isOff, tell)
  tell('the standby here took over before, and is the server since')
  tell(missing)
}
