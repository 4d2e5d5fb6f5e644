import { constants, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createApp, jobs } from '../app.ts'
import { type Config, ConfigError } from '../config.ts'
import { checkApart } from '../modules/box/backups/check.tasks.ts'
import { type Clock, systemClock, toIso } from '../platform/clock.ts'
import { lockDataDir } from '../platform/db/lock.ts'
import { migrations } from '../platform/db/migrations.ts'
import { build, embedded } from '../platform/embedded.ts'
import { createIds, randomToken } from '../platform/ids.ts'
import { createScheduler } from '../platform/jobs/scheduler.ts'
import { createLog, type Log } from '../platform/log.ts'
import { openPlatform } from '../platform/platform.ts'
import { engineBinary } from '../platform/replication/engine-binary.ts'
import { DATABASES } from '../platform/replication/engine-config.ts'
import { openReader } from '../platform/sqlite.ts'
import type { Generation } from '../platform/standby/generations.ts'
import { createSight } from '../platform/standby/sight.ts'
import { createStandby } from '../platform/standby/standby.ts'
import type { Dialogue } from './recovery-key.ts'
import { keysFor, type RestoreFlags } from './restore.ts'
import { buildServerUrl, openDoors, type Running, stopServer, stopWhenTold } from './serve.ts'

/** The flags of `standby`, as typed. */
export type StandbyFlags = Pick<RestoreFlags, 'replace' | 'keyWords' | 'keyFile'>

const DIRECTORY = 'standby'
type Around = { clock: Clock; log: Log }

/** Moves the data of a directory aside; refuses to, unless that was asked for. Returns where it is kept, or null. */
function clearWay(dataDir: string, replace: boolean, now: number): string | null {
  const there = DATABASES.filter((name) => existsSync(join(dataDir, name)))
  if (there.length === 0) return null
  if (!replace)
    throw new ConfigError(`${dataDir} has data of its own. --replace keeps it beside, and makes this a standby.`)
  const kept = join(dataDir, `before-standby-${toIso(now).slice(0, 19).replaceAll(':', '-')}`)
  mkdirSync(kept, { mode: 0o700 })
  for (const name of [...there.flatMap((one) => [one, `${one}-wal`, `${one}-shm`]), 'engine'])
    if (existsSync(join(dataDir, name))) renameSync(join(dataDir, name), join(kept, name))
  return kept
}

/** Returns why a copy may not be read; null if it is proven as a restore proves it, but for the papers. */
async function findDoubt({ path }: Generation, scratch: string, key: Uint8Array, now: number): Promise<string | null> {
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
function readId(directory: string): string {
  const path = join(directory, 'id')
  if (!existsSync(path)) writeFileSync(path, createIds(systemClock).next('sby'), { mode: 0o600 })
  return readFileSync(path, 'utf8')
}

/**
 * Makes the directories of a standby: one for the followed files and the copies, and an empty one for what a server
 * needs beside the data that it reads.
 */
function makeDirectories(dataDir: string): { followed: string; scratch: string } {
  const followed = join(dataDir, DIRECTORY, 'followed')
  const scratch = join(dataDir, DIRECTORY, 'scratch')
  rmSync(scratch, { recursive: true, force: true })
  for (const directory of [followed, scratch]) mkdirSync(directory, { recursive: true, mode: 0o700 })
  return { followed, scratch }
}

/** Finds the key, clears the directory, and makes the follower of a standby, not yet started. */
async function prepare(config: Config, flags: StandbyFlags, dialogue: () => Dialogue, { clock, log }: Around) {
  const { dataDir, followed } = config
  if (!followed) throw new ConfigError('A standby needs BROKERBASE_STANDBY_FROM, or BROKERBASE_REPLICA_URL.')
  const { keys, keepKey } = await keysFor(flags, config, dataDir, dialogue)
  const [key] = keys
  if (!key) throw new Error('A standby needs the key of the installation.')
  const kept = clearWay(dataDir, flags.replace ?? false, clock.now())
  if (kept) log.info({ kept }, 'the data that was here is kept')
  const secretKey = Buffer.from(key).toString('base64')
  const keyPath = join(dataDir, 'secret.key')
  if (keepKey && !existsSync(keyPath)) writeFileSync(keyPath, `${secretKey}\n`, { mode: 0o600, flush: true })
  const { followed: directory, scratch } = makeDirectories(dataDir)
  const { path: binary } = await engineBinary(dataDir, { named: config.litestream, packed: embedded().litestream })
  const standby = createStandby({
    ...followed,
    directory,
    key,
    id: readId(join(dataDir, DIRECTORY)),
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
  return { standby, sight, config: { ...config, dataDir: scratch, replica: null, secretKey } }
}

/** Starts a standby, which answers reads from copies of the data at the place that it follows. */
export async function startStandby(
  config: Config,
  flags: StandbyFlags,
  dialogue: () => Dialogue,
  clock: Clock = systemClock,
): Promise<Running> {
  const log = createLog({ level: config.logLevel })
  const lock = lockDataDir(config.dataDir)
  try {
    const { standby, sight, config: own } = await prepare(config, flags, dialogue, { clock, log })
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
    doors.tls?.start(doors.listeners.swap)
    const url = buildServerUrl(config, doors)
    log.info({ url, dataDir: config.dataDir, ...build() }, 'listening as a standby')
    return {
      url,
      platform,
      setupToken,
      renewTls: async () => doors.tls?.lookNow(),
      httpPort: doors.plainDoor?.port ?? null,
      stop: async () => {
        await stopServer(platform, doors, scheduler)
        await standby.stop()
        lock.close()
        log.info('stopped')
      },
    }
  } catch (error) {
    lock.close()
    throw error
  }
}

/** Runs a standby until SIGTERM or SIGINT. */
export async function serveStandby(config: Config, flags: StandbyFlags, dialogue: () => Dialogue): Promise<void> {
  stopWhenTold(config, await startStandby(config, flags, dialogue))
}
