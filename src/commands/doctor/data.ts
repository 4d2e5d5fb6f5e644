import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { LAST_DRILL, LAST_PROOF } from '../../modules/box/backups/backups.parts.ts'
import { newestSnapshot, snapshotIds, takenAt } from '../../modules/box/backups/backups.places.ts'
import { PROOF_LASTS } from '../../modules/box/system/status.service.ts'
import { isAnyBroken } from '../../platform/audit/audit.ts'
import { GIB, MIB } from '../../platform/bytes.ts'
import { DAY, HOUR, MINUTE, toIso } from '../../platform/clock.ts'
import { readFact } from '../../platform/db/box-facts.ts'
import { tenantIds } from '../../platform/db/directory.ts'
import { isSealedWith } from '../../platform/db/key-proof.ts'
import { findLacking, isUpgrade } from '../../platform/db/migrate.ts'
import { decodeKey, readKeyFile } from '../../platform/key-file.ts'
import { KEY_KEPT } from '../../platform/recovery-key.ts'
import { checkSeal } from '../../platform/seals/check-seal.ts'
import { strangeObjects } from '../../platform/seals/schema-objects.ts'
import { createSecretBox } from '../../platform/secrets.ts'
import { isOfStandby } from '../standby-directory.ts'
import { LAST_UPGRADE } from '../upgrade.ts'
import { ask } from './ask.ts'
import { type Check, fail, ok, type Patient, warn } from './finding.ts'

/** Above this size checking every page would take too long; a drill does it each night. */
const MOST_TO_CHECK = 512 * MIB

const RESTORE = 'restore the newest copy: brokerbase restore --replace'

const database: Check = {
  name: 'database',
  look: ({ config: { dataDir }, list }) => {
    const path = join(dataDir, 'brokerbase.db')
    // a standby has none of its own
    if (isOfStandby(dataDir)) return []
    if (!existsSync(path)) return [warn('database', `there is none in ${dataDir}`, 'brokerbase serve, or setup')]
    return ask(dataDir, (db) => {
      const size = statSync(path).size
      if (size <= MOST_TO_CHECK) {
        const [line] = db.all<{ quick_check: string }>('PRAGMA quick_check(1)')
        if (line?.quick_check !== 'ok') return [fail('database', `it is damaged: ${line?.quick_check}`, RESTORE)]
      }
      const { version } = db.get<{ version: string }>('SELECT sqlite_version() AS version') ?? { version: '' }
      const lacking = findLacking(db, list)
      const detail = `${(size / MIB).toFixed(1)} MiB, schema ${lacking.from}, SQLite ${version}`
      return isUpgrade(lacking)
        ? [warn('database', `${detail}; this program has ${lacking.to}`, 'the next start upgrades it, rehearsed first')]
        : [ok('database', detail)]
    })
  },
}

const log: Check = {
  name: 'log',
  look: ({ config: { dataDir } }) => {
    const bytes = statSync(join(dataDir, 'brokerbase.db-wal'), { throwIfNoEntry: false })?.size ?? 0
    const text = `${(bytes / MIB).toFixed(1)} MiB`
    return bytes < GIB
      ? [ok('log', text)]
      : [fail('log', `${text}: something reads without an end, or the replica is away`, 'see to the replica; restart')]
  },
}

const key: Check = {
  name: 'key',
  look: ({ config: { dataDir, secretKey } }) => {
    const bytes = secretKey === undefined ? readKeyFile(join(dataDir, 'secret.key')) : decodeKey(secretKey, 'the key')
    return ask(dataDir, (db) => {
      if (!bytes)
        return [fail('key', 'secret.key is missing', 'put it back, or brokerbase restore --key-words --replace')]
      if (!isSealedWith(db, createSecretBox(bytes)))
        return [fail('key', 'it is not the one that the data is sealed with', 'put the right secret.key back')]
      const kept = readFact(db, KEY_KEPT)
      return kept
        ? [ok('key', `fits, and is kept elsewhere (${kept.value.how}, ${toIso(kept.at).slice(0, 10)})`)]
        : [warn('key', 'it is kept nowhere else: without it no copy can be read', 'brokerbase recovery-key')]
    })
  },
}

const rows: Check = {
  name: 'rows',
  look: ({ config: { dataDir, secretKey }, list }) => {
    const bytes = secretKey === undefined ? readKeyFile(join(dataDir, 'secret.key')) : decodeKey(secretKey, 'the key')
    return ask(dataDir, (db) => {
      if (!bytes || isUpgrade(findLacking(db, list))) return []
      if (isAnyBroken(db))
        return [fail('rows', 'entries at the end of an audit log were removed; verify says of which firm', RESTORE)]
      const strange = strangeObjects(db, list)
      if (strange.length > 0) return [fail('rows', strange.join('; '), RESTORE)]
      if (statSync(join(dataDir, 'brokerbase.db')).size > MOST_TO_CHECK)
        return [ok('rows', 'too many to count here; the drill counts them each night')]
      // a server may write meanwhile, so all is read in one transaction
      db.raw.run('BEGIN')
      const { faults } = checkSeal(db, createSecretBox(bytes))
      return faults.length > 0
        ? [fail('rows', faults.join('; '), RESTORE)]
        : [ok('rows', 'all are as this program wrote them')]
    })
  },
}

const NEWEST = 'SELECT at FROM audit WHERE tenant_id = ? ORDER BY seq DESC LIMIT 1'

const clock: Check = {
  name: 'clock',
  look: ({ config: { dataDir }, now }) =>
    ask(dataDir, (db) => {
      const newest = Math.max(0, ...tenantIds(db).map((id) => db.get<{ at: number }>(NEWEST, [id])?.at ?? 0))
      return newest > now + MINUTE
        ? [fail('clock', `it stands before the newest entry of the audit, ${toIso(newest)}`, 'set it: timedatectl')]
        : [ok('clock', toIso(now))]
    }),
}

const hours = (ms: number): string => `${Math.round(ms / HOUR)} h ago`

const snapshots: Check = {
  name: 'snapshots',
  look: async ({ config: { dataDir }, now }) => {
    if (isOfStandby(dataDir)) return []
    const ids = snapshotIds(dataDir)
    const newest = await newestSnapshot(dataDir)
    if (!newest) return [warn('snapshots', 'there are none', 'brokerbase backup; the server takes one each night')]
    const age = now - takenAt(newest.id)
    const detail = `${ids.length}, the newest ${hours(age)}`
    return age < PROOF_LASTS
      ? [ok('snapshots', detail)]
      : [warn('snapshots', detail, 'the server takes one each night: see the job backups.snapshot and the log')]
  },
}

const drill: Check = {
  name: 'drill',
  look: ({ config: { dataDir }, now }: Patient) =>
    ask(dataDir, (db) => {
      const last = readFact(db, LAST_DRILL)?.value
      const proof = readFact(db, LAST_PROOF)?.value
      const faults = [last?.replica, last?.snapshot].flatMap((one) => one?.faults ?? [])
      if (last && !last.ok)
        return [
          fail(
            'drill',
            `the last one found a copy that is no good: ${faults[0] ?? 'no copy at all'}`,
            'see the log; brokerbase drill',
          ),
        ]
      if (!proof) return [warn('drill', 'no copy was ever proven to restore', 'brokerbase drill')]
      const age = now - Date.parse(proof.at)
      return age < PROOF_LASTS
        ? [ok('drill', `restore proven ${hours(age)}`)]
        : [warn('drill', `restore proven ${hours(age)}`, 'brokerbase drill')]
    }),
}

const upgrade: Check = {
  name: 'upgrade',
  look: ({ config: { dataDir }, now }) =>
    ask(dataDir, (db) => {
      const last = readFact(db, LAST_UPGRADE)
      if (!last || now - last.at > 28 * DAY) return []
      return [
        ok('upgrade', `schema ${last.value.from} to ${last.value.to}, ${hours(now - last.at)}; rollback goes back`),
      ]
    }),
}

/** Checks of the data: intact, readable by its key, copied and proven. */
export const DATA: readonly Check[] = [database, log, key, rows, clock, snapshots, drill, upgrade]
