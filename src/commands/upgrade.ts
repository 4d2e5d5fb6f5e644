import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { createApp } from '../app.ts'
import type { Config } from '../config.ts'
import { unpackSnapshot } from '../modules/box/backups/backups.archive.ts'
import {
  clearUnfinished,
  hasRoomForCopy,
  listSnapshots,
  snapshotId,
  snapshotPath,
  snapshotsDirectory,
} from '../modules/box/backups/backups.places.ts'
import { checkCopy } from '../modules/box/backups/check-copy.tasks.ts'
import { snapshotTask } from '../modules/box/backups/snapshot.tasks.ts'
import { type Clock, systemClock, toIso } from '../platform/clock.ts'
import { type BoxFact, noteFact } from '../platform/db/box-facts.ts'
import { proveKey } from '../platform/db/key-proof.ts'
import { findLacking, isUpgrade, type Lacking } from '../platform/db/migrate.ts'
import { type Migration, migrations } from '../platform/db/migrations.ts'
import { countRows, ledgerDigest } from '../platform/db/row-counts.ts'
import { statements } from '../platform/db/statement.ts'
import { scratchName } from '../platform/db/swap-data.ts'
import { build } from '../platform/embedded.ts'
import { createScheduler } from '../platform/jobs/scheduler.ts'
import { loadOrCreateKey } from '../platform/key-file.ts'
import type { Log } from '../platform/log.ts'
import { bringUp } from '../platform/migrate-and-seal.ts'
import { openPlatform } from '../platform/platform.ts'
import { checkSeal } from '../platform/seals/check-seal.ts'
import { createSecretBox } from '../platform/secrets.ts'
import { type Connection, openReader, openWriter } from '../platform/sqlite.ts'

/** The last upgrade of the data, as stored in the installation. */
const Upgrade = Type.Object({
  at: Type.String(),
  from: Type.Integer({ description: 'schema before it' }),
  to: Type.Integer(),
  version: Type.String({ description: 'of the program that did it' }),
  snapshot: Type.String({ description: 'the data as it was before' }),
})
export const LAST_UPGRADE: BoxFact<typeof Upgrade> = { name: 'last upgrade', shape: Upgrade }
type Upgrade = Static<typeof Upgrade>

/** Reports an upgrade that was not done because its rehearsal on a copy failed. The data is as it was. */
class FailedRehearsal extends Error {
  override name = 'FailedRehearsal'
  constructor(from: number, to: number, faults: readonly string[]) {
    super(
      `The upgrade from schema ${from} to ${to} failed on a copy, and the data was left as it was: ${faults.slice(0, 5).join('; ')}. Start the version that ran before, and report this.`,
    )
  }
}

/** Returns what the upgrade of a copy changed in its rows and books although it must not. */
function findLosses(copy: Connection, change: () => void, list: readonly Migration[]): string[] {
  const before = { counts: countRows(copy), ledger: ledgerDigest(copy) }
  change()
  const counts = countRows(copy)
  const mayShrink = new Set(list.flatMap(({ removesFrom = [] }) => removesFrom))
  const lost = [...before.counts].filter(([table, rows]) => !mayShrink.has(table) && (counts.get(table) ?? 0) < rows)
  return [
    ...lost.map(([table, rows]) => `${table} had ${rows} rows and has ${counts.get(table) ?? 0}`),
    ...(before.ledger === ledgerDigest(copy) ? [] : ['entries of the ledger were changed']),
  ]
}

/** Returns whether a text is a whole statement on one database; parts and the drill's on two databases are not. */
const isWhole = (text: string): boolean =>
  /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/.test(text) && !/\bcopy\./.test(text)

/** Upgrades a copy in a directory and proves it: rows, books, audit, and a program over it. */
async function rehearse(parts: {
  config: Config
  directory: string
  key: Uint8Array
  clock: Clock
  log: Log
  list: readonly Migration[]
}): Promise<string[]> {
  const { config, directory, key, clock, log, list } = parts
  const now = clock.now()
  const copy = openWriter(join(directory, 'brokerbase.db'))
  const faults: string[] = []
  try {
    const secrets = createSecretBox(key)
    proveKey(copy, secrets, directory)
    // an upgrade seals what it finds, so changes from outside must be found before
    faults.push(...checkSeal(copy, secrets).faults)
    const { pending } = findLacking(copy, list)
    if (faults.length === 0) faults.push(...findLosses(copy, () => void bringUp(copy, secrets, { now, list }), pending))
  } finally {
    copy.close()
  }
  if (faults.length > 0) return faults
  const secretKey = Buffer.from(key).toString('base64')
  const platform = openPlatform({
    config: { ...config, dataDir: directory, secretKey, replica: null },
    clock,
    log,
    list,
  })
  try {
    const app = createApp(platform, { setupToken: '', scheduler: createScheduler(platform, []) })
    const { status } = await app.handle(new Request('http://localhost/health'))
    if (status !== 200) faults.push(`the program over it answers ${status}`)
    // every statement of the program must find its tables and columns in the upgraded copy
    for (const text of statements()) if (isWhole(text)) platform.reader.raw.prepare(text).finalize()
  } finally {
    await platform.close()
  }
  return faults.length > 0 ? faults : (await checkCopy({ directory, key, now, list, papers: false })).faults
}

/** Returns the migrations that the data of a directory lacks; null if there is no data. */
function lackingIn(dataDir: string, list: readonly Migration[]): Lacking | null {
  const path = join(dataDir, 'brokerbase.db')
  if (!existsSync(path)) return null
  const live = openReader(path)
  try {
    return findLacking(live, list)
  } finally {
    live.close()
  }
}

/** Returns whether the data of a directory has an older schema than this program. A newer one throws a sentence. */
export function isUpgradeDue(dataDir: string, list: readonly Migration[] = migrations): boolean {
  const lacking = lackingIn(dataDir, list)
  return lacking !== null && isUpgrade(lacking)
}

/**
 * Migrates the data of a directory to this program's schema, if it is older: takes a snapshot, rehearses on a copy of
 * it, then does all steps on the data in one transaction. The caller has the lock of the directory, and has not opened
 * the platform. Resolves with what was done, or null. If there is no room or the rehearsal fails, throws a sentence and
 * leaves the data as it was.
 */
export async function upgradeIfDue(parts: {
  config: Config
  log: Log
  clock?: Clock
  /** For tests: the migrations of another program than this one. */
  list?: readonly Migration[]
}): Promise<Upgrade | null> {
  const { config, log, clock = systemClock, list = migrations } = parts
  const { dataDir } = config
  const path = join(dataDir, 'brokerbase.db')
  const lacking = lackingIn(dataDir, list)
  if (!lacking || !isUpgrade(lacking)) return null
  const { from, to } = lacking
  const key = loadOrCreateKey(join(dataDir, 'secret.key'), { configuredBase64: config.secretKey, sealed: [path] })
  const began = performance.now()
  const now = clock.now()
  if (!hasRoomForCopy(dataDir))
    throw new Error(`There is not enough room in ${dataDir} to copy the data before its upgrade. Nothing was changed.`)
  mkdirSync(snapshotsDirectory(dataDir), { recursive: true, mode: 0o700 })
  clearUnfinished(dataDir)
  const { version } = build()
  const id = snapshotId(now, 'upgrade')
  const target = snapshotPath(dataDir, id)
  const scratch = join(dataDir, scratchName('upgrade'))
  log.info({ from, to, snapshot: id }, 'the data is of an older schema: taking a snapshot before its upgrade')
  const facts = { id, createdAt: toIso(now), reason: 'upgrade', version }
  await snapshotTask({ dataDir, target, key: Buffer.from(key).toString('base64'), facts })
  try {
    rmSync(scratch, { recursive: true, force: true })
    mkdirSync(scratch, { mode: 0o700 })
    await unpackSnapshot(target, scratch)
    log.info({ from, to }, 'rehearsing the upgrade on the snapshot')
    const faults = await rehearse({ config, directory: scratch, key, clock, log, list }).catch((error: unknown) => [
      error instanceof Error ? error.message : String(error),
    ])
    if (faults.length > 0) throw new FailedRehearsal(from, to, faults)
  } catch (error) {
    // a server that is restarted again and again would fill the disk with snapshots
    rmSync(target, { force: true })
    throw error
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
  const upgrade: Upgrade = { at: toIso(now), from, to, version, snapshot: id }
  const connection = openWriter(path)
  try {
    const secrets = createSecretBox(key)
    proveKey(connection, secrets, dataDir)
    bringUp(connection, secrets, { now, list, atEnd: () => noteFact(connection, LAST_UPGRADE, upgrade, now) })
  } finally {
    connection.close()
  }
  // one snapshot for a schema is enough: restoring the newest loses the least
  for (const older of await listSnapshots(dataDir))
    if (older.reason === 'upgrade' && older.schema === from && older.id !== id)
      rmSync(snapshotPath(dataDir, older.id), { force: true })
  const seconds = Math.round((performance.now() - began) / 10) / 100
  log.info({ ...upgrade, seconds }, 'the data was upgraded; `brokerbase rollback` goes back to the snapshot')
  return upgrade
}
