import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mintApiKey } from '../platform/access/api-key.ts'
import { createAuditTrail } from '../platform/audit/audit.ts'
import { DAY } from '../platform/clock.ts'
import { tenantIds } from '../platform/db/directory.ts'
import { proveKey } from '../platform/db/key-proof.ts'
import { migrate } from '../platform/db/migrate.ts'
import { migrations } from '../platform/db/migrations.ts'
import { SEARCH_INDEXES } from '../platform/db/search-index.ts'
import { writeStatistics } from '../platform/db/statistics.ts'
import { randomToken } from '../platform/ids.ts'
import { loadOrCreateKey, readKeyFile } from '../platform/key-file.ts'
import { sealAnew } from '../platform/seals/seal.ts'
import { createSecretBox, type MasterBox, sha256Hex } from '../platform/secrets.ts'
import { type Connection, openWriter } from '../platform/sqlite.ts'
import { seeded } from './load-job.ts'
import { fillTenant } from './rows.ts'
import { createChance } from './rows-chance.ts'
import { type DeskShape, fillDesk } from './rows-desk.ts'

/** Raise this number when the rows below change, so that an old data set is not used. */
const EDITION = 6
/** The data set does not depend on the day when it is made, except for credentials, which must still be valid. */
const END = Date.UTC(2026, 0, 1)
const SPAN = 548 * DAY

/** The numbers of rows of a data set; `desk` has more rows of the first tenant. */
export type Shape = { tenants: number; traders: number; accounts: number; deposits: number; desk: DeskShape }

/** The daily work of the first tenant; with its half of the deposits this is 500,000 rows about money. */
const DESK: DeskShape = {
  withdrawals: 250_000,
  transfers: 10_000,
  openPositions: 50_000,
  closedPositions: 150_000,
  tickets: 20_000,
  leads: 20_000,
  submissions: 20_000,
  audits: 50_000,
}
const NO_DESK: DeskShape = {
  withdrawals: 0,
  transfers: 0,
  openPositions: 0,
  closedPositions: 0,
  tickets: 0,
  leads: 0,
  submissions: 0,
  audits: 0,
}

/** The fixed data set of src/README “Benchmarks”: the first tenant has half of everything. */
export const FULL: Shape = { tenants: 10, traders: 100_000, accounts: 300_000, deposits: 500_000, desk: DESK }
/** A firm as large as all of `FULL` together, to measure lists: 500,000 deposits and withdrawals, 200,000 positions. */
export const LARGE: Shape = { tenants: 1, traders: 100_000, accounts: 300_000, deposits: 250_000, desk: DESK }
/** A firm of 1,000,000 rows of traders, deposits and withdrawals together, to measure its reports. */
export const HUGE: Shape = {
  tenants: 1,
  traders: 360_000,
  accounts: 360_000,
  deposits: 400_000,
  desk: { ...DESK, withdrawals: 240_000 },
}
/** A firm of 1 GB that can be proven, since the audit entries of the others are no chain. */
export const GIGABYTE: Shape = {
  tenants: 1,
  traders: 30_000,
  accounts: 60_000,
  deposits: 100_000,
  desk: { ...DESK, withdrawals: 60_000, openPositions: 10_000, closedPositions: 30_000, audits: 0 },
}
/** A firm of 1,000,000 clients, to measure its search and its counts. */
export const MILLION: Shape = {
  tenants: 1,
  traders: 1_000_000,
  accounts: 300_000,
  deposits: 250_000,
  desk: { ...DESK, leads: 100_000 },
}
/**
 * The fewest rows that every measurement needs. Its results show whether the benchmark works, and nothing about speed.
 */
export const TINY: Shape = {
  tenants: 2,
  traders: 11_000,
  accounts: 2000,
  deposits: 2000,
  desk: {
    withdrawals: 200,
    transfers: 100,
    openPositions: 10_000,
    closedPositions: 100,
    tickets: 100,
    leads: 100,
    submissions: 100,
    audits: 100,
  },
}
/** A brokerage in its first week, to measure start-up. */
export const SMALL: Shape = { tenants: 1, traders: 200, accounts: 400, deposits: 600, desk: NO_DESK }

/** The directory of a data set, and how to sign in to its largest tenant. */
export type Dataset = {
  directory: string
  tenantId: string
  userId: string
  token: string
  apiKey: string
  /** Some traders of that tenant, at even distances. */
  traderIds: string[]
}

const ALL_SCOPES = ['traders', 'accounts', 'wallets', 'deposits', 'webhooks'].flatMap((name) => [
  `${name}:read`,
  `${name}:write`,
])

const INDEXES = `SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL`

function build(directory: string, shape: Shape): void {
  const path = join(directory, 'brokerbase.db')
  const connection = openWriter(path)
  migrate(connection, { now: END })
  const { raw } = connection
  // a data set that a power cut destroys can simply be built again
  raw.run('PRAGMA synchronous = OFF')
  raw.run('PRAGMA journal_mode = OFF')
  raw.run('PRAGMA foreign_keys = OFF')
  // an index that is made after the rows is written in its own order instead of all over the file
  const indexes = connection.all<{ name: string; sql: string }>(INDEXES)
  for (const { name } of indexes) raw.run(`DROP INDEX ${name}`)
  raw.run('PRAGMA cache_size = -1048576')
  const chance = createChance(seeded(20260101))
  let traderIds: string[] = []
  const owners: { tenantId: string; userId: string }[] = []
  for (let index = 0; index < shape.tenants; index += 1) {
    const share = shape.tenants === 1 ? 1 : index === 0 ? 0.5 : 0.5 / (shape.tenants - 1)
    const part = (total: number): number => Math.round(total * share)
    const filled = fillTenant(connection, chance, {
      index,
      end: END,
      span: SPAN,
      traders: part(shape.traders),
      accounts: part(shape.accounts),
      deposits: part(shape.deposits),
    })
    owners.push(filled)
    if (index !== 0) continue
    traderIds = filled.traderIds
    fillDesk(connection, chance, { ...shape.desk, start: END - SPAN, span: SPAN }, filled)
  }
  const [owner] = owners
  if (!owner) throw new Error('a data set needs a tenant')
  const { tenantId, userId } = owner
  const token = randomToken(32)
  const minted = mintApiKey()
  const now = Date.now()
  raw.run(
    `INSERT INTO sessions (tenant_id, id, token_hash, user_id, ip, created_at, last_seen_at, proven_at, expires_at)
     VALUES (?,?,?,?,?,?,?,?,?)`,
    // a password with a time in the future counts as fresh as long as the data set is used
    [tenantId, 'ses_bench', sha256Hex(token), userId, '127.0.0.1', now, now, now + 3650 * DAY, now + 3650 * DAY],
  )
  raw.run(
    `INSERT INTO api_keys (tenant_id, id, public_id, user_id, label, secret_hash, scopes, created_at, updated_at)
     VALUES (?,?,?,?,?,?,?,?,?)`,
    [tenantId, 'key_bench', minted.publicId, userId, 'bench', minted.secretHash, JSON.stringify(ALL_SCOPES), now, now],
  )
  for (const index of SEARCH_INDEXES) raw.run(`INSERT INTO ${index} (${index}) VALUES ('optimize')`)
  for (const { sql } of indexes) raw.run(sql)
  // both servers have the statistics that a server writes at its start
  writeStatistics(connection)
  raw.run('PRAGMA journal_mode = WAL')
  raw.run('PRAGMA wal_checkpoint(TRUNCATE)')
  connection.close()
  const step = Math.max(1, Math.floor(traderIds.length / 5000))
  const facts: Dataset = {
    directory,
    tenantId,
    userId,
    token,
    apiKey: minted.key,
    traderIds: traderIds.filter((_, position) => position % step === 0),
  }
  writeFileSync(join(directory, 'bench.json'), JSON.stringify(facts))
}

/**
 * Returns the data set of a shape from the system's temporary directory, if there is one of this schema. Otherwise
 * builds it; the full one takes a minute or two.
 */
export async function dataset(name: string, shape: Shape, note: (text: string) => void): Promise<Dataset> {
  const key = sha256Hex(JSON.stringify([EDITION, shape, migrations])).slice(0, 16)
  const directory = join(tmpdir(), `brokerbase-bench-${name}-${key}`)
  if (!existsSync(directory)) {
    note(`Building the ${name} data set in ${directory} …`)
    // data sets of other schemas are of no use any more, and large
    for (const old of readdirSync(tmpdir()).filter((entry) => entry.startsWith(`brokerbase-bench-${name}-`))) {
      rmSync(join(tmpdir(), old), { recursive: true, force: true })
    }
    const started = performance.now()
    const draft = `${directory}.${process.pid}`
    mkdirSync(draft, { recursive: true, mode: 0o700 })
    try {
      build(draft, shape)
      renameSync(draft, directory)
    } finally {
      rmSync(draft, { recursive: true, force: true })
    }
    note(`Built in ${((performance.now() - started) / 1000).toFixed(0)} s.`)
  }
  const facts: Dataset = await Bun.file(join(directory, 'bench.json')).json()
  return { ...facts, directory }
}

/** Begins the audit of filled firms, since a server would report it as missing, and seals all rows. */
function beginAudit(connection: Connection, secrets: MasterBox, tenants: readonly string[]): void {
  const audit = createAuditTrail(connection, secrets)
  const nobody = { actorId: null, apiKeyId: null, impersonatorId: null, ip: null, requestId: null, traderId: null }
  connection.exec('BEGIN IMMEDIATE')
  for (const tenantId of tenants) {
    const made = { tenantId, id: `aud_${tenantId}`, at: END, actorKind: 'system' as const, ...nobody }
    const entry = { ...made, action: 'bench.made', entity: 'bench', entityId: null, before: null, after: null }
    audit.promote(tenantId, audit.append(audit.head(tenantId), entry))
  }
  audit.sealHeads()
  sealAnew(connection, secrets)
  connection.exec('COMMIT')
  connection.exec('PRAGMA wal_checkpoint(TRUNCATE)')
}

function sealDataset(target: string, key: Uint8Array): void {
  const connection = openWriter(join(target, 'brokerbase.db'))
  const secrets = createSecretBox(key)
  proveKey(connection, secrets, target)
  beginAudit(connection, secrets, tenantIds(connection))
  connection.close()
}

/** Adds a firm to the database of a stopped server, as the first one of a data set with a single firm. */
export function addFirm(dataDir: string, shape: Shape): void {
  const key = readKeyFile(join(dataDir, 'secret.key'))
  if (!key) throw new Error(`${dataDir} has no key`)
  const connection = openWriter(join(dataDir, 'brokerbase.db'))
  // nobody reads the rows of a draft, and an index in the cache is written once
  connection.raw.run('PRAGMA cache_size = -1048576')
  const chance = createChance(seeded(20260101))
  const filled = fillTenant(connection, chance, { index: 1, end: END, span: SPAN, ...shape })
  fillDesk(connection, chance, { ...shape.desk, start: END - SPAN, span: SPAN }, filled)
  beginAudit(connection, createSecretBox(key), [filled.tenantId])
  connection.close()
}

/** Copies a data set's database to `target`, with a key, since a server makes no key beside a database. */
export function copyDataset(source: Dataset, target: string): string {
  mkdirSync(target, { recursive: true, mode: 0o700 })
  const key = loadOrCreateKey(join(target, 'secret.key'))
  const copied = Bun.spawnSync(['cp', join(source.directory, 'brokerbase.db'), join(target, 'brokerbase.db')])
  if (!copied.success) throw new Error(`cannot copy the data set: ${copied.stderr.toString()}`)
  sealDataset(target, key)
  // without this, the first commits would wait until the copy is on the disk
  Bun.spawnSync(['sync', join(target, 'brokerbase.db')])
  return target
}
