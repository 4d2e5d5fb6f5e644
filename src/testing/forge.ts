import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRandom } from '../commands/demo/people.ts'
import { BadCopy, restore } from '../commands/restore-data.ts'
import { upgradeIfDue } from '../commands/upgrade.ts'
import { loadConfig } from '../config.ts'
import { packSnapshot, unpackSnapshot } from '../modules/box/backups/backups.archive.ts'
import { backupsBy } from '../modules/box/backups/backups.jobs.ts'
import { snapshotPath } from '../modules/box/backups/backups.places.ts'
import { checkCopy } from '../modules/box/backups/check-copy.tasks.ts'
import { systemClock } from '../platform/clock.ts'
import { migrations } from '../platform/db/migrations.ts'
import { createLog } from '../platform/log.ts'
import { openPlatform } from '../platform/platform.ts'
import { checkSeal } from '../platform/seals/check-seal.ts'
import { strangeObjects } from '../platform/seals/schema-objects.ts'
import { createSecretBox } from '../platform/secrets.ts'
import { type Connection, openWriter } from '../platform/sqlite.ts'
import { foundFirm } from './app.ts'
import { EDITS } from './forge/edits.ts'
import { FROZEN_KEY, frozenSchemas, thaw } from './frozen.ts'
import { numberOption } from './options.ts'

/**
 * Edits copies at random, like an attacker who can write to the replica or to snapshots and has no key. Each edit must
 * be refused and named. Every round checks one copy as restore and drill do; every `--sample`th one also goes through
 * the restore, the proof of a replica, and the drill beside the live data. Usage: bun run forge -- [--rounds 1000]
 */
const ROUNDS = numberOption('rounds', 1000)
const SAMPLE = numberOption('sample', 50)
const SEED = numberOption('seed', 20_261_126)

const root = mkdtempSync(join(tmpdir(), 'brokerbase-forge-'))
const key = new Uint8Array(Buffer.from(FROZEN_KEY, 'base64'))
const secrets = createSecretBox(key)
const log = createLog({ level: 'silent' })
const dataDir = join(root, 'data')
const config = loadConfig({ 'data-dir': dataDir }, { env: { BROKERBASE_SECRET_KEY: FROZEN_KEY } })
const counts = new Map<string, { tried: number; found: number }>()
const missed: string[] = []

/** Records one edit that changed a copy: whether a check named it, and which one. */
function note(what: string, faults: readonly string[]): void {
  const count = counts.get(what) ?? { tried: 0, found: 0 }
  counts.set(what, { tried: count.tried + 1, found: count.found + (faults.length > 0 ? 1 : 0) })
  if (faults.length === 0) missed.push(what)
}

/** Returns the faults that restore and drill find in rows and schema. */
function findFaults(db: Connection): string[] {
  const strange = strangeObjects(db, migrations)
  if (strange.length > 0) return strange
  return checkSeal(db, secrets).faults
}

/** Applies a random edit to a copy and returns its name; null if it changed nothing or the schema refused it. */
function edit(db: Connection, seed: number): string | null {
  const random = createRandom(seed)
  const { name, apply } = random.pick(EDITS)
  const triggers = db.all<{ name: string; sql: string }>(
    `SELECT name, sql FROM main.sqlite_schema WHERE type = 'trigger'`,
  )
  try {
    // triggers that would refuse the edit, or change other rows with it, are removed for it and put back
    if (!/schema/.test(name)) for (const trigger of triggers) db.exec(`DROP TRIGGER main.${trigger.name}`)
    const isChanged = apply(db, random)
    if (!/schema/.test(name)) for (const trigger of triggers) db.exec(trigger.sql)
    return isChanged ? name : null
  } catch {
    return null
  }
}

/** Opens a copy without the restrictions of the product's own connection. */
function openForged(path: string, old: string): Connection {
  const db = openWriter(path)
  db.exec('PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON; PRAGMA trusted_schema = ON')
  db.raw.run('ATTACH ? AS old', [old])
  return db
}

/** Returns the faults that a restore names; none if the restore would accept the copy. */
async function restoredFaults(archive: string): Promise<string[]> {
  const target = mkdtempSync(join(root, 'to-'))
  const source = { kind: 'snapshot', name: archive } as const
  const parts = { config, source, target, keys: [key], keepKey: true, replace: false, dryRun: true }
  try {
    await restore({ ...parts, now: Date.now, tell: () => {} })
    return []
  } catch (error) {
    return error instanceof BadCopy ? error.check.faults : [String(error)]
  } finally {
    rmSync(target, { recursive: true, force: true })
  }
}

thaw(Math.max(...frozenSchemas), dataDir)
await upgradeIfDue({ config, log })
const platform = openPlatform({ config, clock: systemClock, log })
const backups = backupsBy(platform, null)
try {
  const first = await backups.take('manual')
  const old = join(root, 'old')
  mkdirSync(old)
  await unpackSnapshot(snapshotPath(dataDir, first.id), old)
  const firm = await foundFirm(platform, 'second')
  for (let nth = 0; nth < 20; nth += 1) await firm.trader({ firstName: `Client ${nth}` })
  await Bun.sleep(1100)
  const newest = await backups.take('nightly')
  const archive = snapshotPath(dataDir, newest.id)
  const whole = join(root, 'whole')
  mkdirSync(whole)
  await unpackSnapshot(archive, whole)

  const work = openForged(join(whole, 'brokerbase.db'), join(old, 'brokerbase.db'))
  let seed = SEED
  for (let round = 0; round < ROUNDS; ) {
    seed += 1
    work.exec('BEGIN')
    const name = edit(work, seed)
    if (name !== null) {
      round += 1
      note(name, findFaults(work))
    }
    work.exec('ROLLBACK')
    if (name === null || round % SAMPLE !== 0) continue
    const forged = mkdtempSync(join(root, 'forged-'))
    for (const file of ['brokerbase.db', 'files.db']) copyFileSync(join(whole, file), join(forged, file))
    const db = openForged(join(forged, 'brokerbase.db'), join(old, 'brokerbase.db'))
    edit(db, seed)
    db.exec('PRAGMA main.wal_checkpoint(TRUNCATE)')
    db.close()
    const { format: _, parts: __, packedBytes: ___, mac, ...facts } = newest
    const packed = join(root, 'forged.tar')
    await packSnapshot(forged, packed, facts, new Uint8Array(32).fill(1))
    note(`restore of a snapshot: ${name}`, await restoredFaults(packed))
    const asReplica = await checkCopy({ directory: forged, key, now: Date.now() }).catch((error) => ({
      faults: [String(error)],
    }))
    note(`proof of a replica: ${name}`, asReplica.faults)
    copyFileSync(archive, join(root, 'kept.tar'))
    copyFileSync(packed, archive)
    note(`drill of a snapshot: ${name}`, (await backups.drill()).snapshot?.faults ?? [])
    copyFileSync(join(root, 'kept.tar'), archive)
    rmSync(forged, { recursive: true })
  }
  const clean = [
    ...findFaults(work),
    ...(await restoredFaults(archive)),
    ...((await backups.drill()).snapshot?.faults ?? ['no drill']),
  ]
  if (clean.length > 0) missed.push(`an unchanged copy is refused: ${clean.join('; ')}`)
  work.close()
} finally {
  await platform.close()
  rmSync(root, { recursive: true, force: true })
}
for (const [what, { tried, found }] of [...counts].sort())
  process.stdout.write(`${String(found).padStart(5)} of ${String(tried).padStart(5)}  ${what}\n`)
process.stdout.write(
  missed.length === 0
    ? 'every edit was named, and an unchanged copy was not\n'
    : `NOT NAMED: ${[...new Set(missed)].join(', ')}\n`,
)
process.exitCode = missed.length === 0 ? 0 : 1
