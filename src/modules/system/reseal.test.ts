import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { upgradeIfDue } from '../../commands/upgrade.ts'
import { loadConfig } from '../../config.ts'
import { systemClock } from '../../platform/clock.ts'
import { createLog } from '../../platform/log.ts'
import { openPlatform, type Platform } from '../../platform/platform.ts'
import { createSecretBox, isSealedForAll } from '../../platform/secrets.ts'
import { openWriter } from '../../platform/sqlite.ts'
import { FROZEN_KEY, frozenSchemas, thaw } from '../../testing/frozen.ts'
import { renewSeals, SEALED } from './reseal.jobs.ts'

let dataDir: string
let platform: Platform
const log = createLog({ level: 'silent' })
const run = () => renewSeals.run({ platform, signal: AbortSignal.timeout(20_000) })
const PAPER = new TextEncoder().encode('a paper of then')

/** Every value of the sealed columns, with its firm, row and context. */
const sealedValues = () =>
  SEALED.flatMap(({ name, context }) => {
    const [table, column] = name.split('.')
    return platform.reader
      .all<{ tenantId: string; id: string; sealed: Uint8Array }>(
        `SELECT tenant_id AS tenantId, id, ${column} AS sealed FROM ${table} WHERE ${column} IS NOT NULL`,
      )
      .map((row) => ({ ...row, name, where: `${context}:${row.tenantId}:${row.id}` }))
  })

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'brokerbase-reseal-'))
  const config = loadConfig({ 'data-dir': dataDir }, { env: { BROKERBASE_SECRET_KEY: FROZEN_KEY } })
  // the oldest program sealed everything with the installation's key
  thaw(frozenSchemas[0] ?? 0, dataDir)
  const box = createSecretBox(Buffer.from(FROZEN_KEY, 'base64'))
  const files = openWriter(join(dataDir, 'files.db'))
  for (const [key, bytes] of [
    ['fil_1', box.seal(PAPER, 'file:t:fil_1')],
    ['fil_2', box.seal(PAPER, 'file:t:another')],
    ['fil_3', box.seal(PAPER, 'file:t:fil_3')],
  ] as const)
    files.run('INSERT INTO blobs (tenant_id, key, sealed, created_at) VALUES (?, ?, ?, 1)', ['t', key, bytes])
  files.close()
  await upgradeIfDue({ config, log })
  platform = openPlatform({ config, clock: systemClock, log })
})
afterEach(async () => {
  await platform.close()
  rmSync(dataDir, { recursive: true, force: true })
})

test('every sealed column is known', () => {
  const modules = join(import.meta.dir, '..')
  const declared = readdirSync(modules, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.table.ts'))
    .flatMap((path) => readFileSync(join(modules, path), 'utf8').match(/: sealed\(\)/g) ?? [])
  expect(SEALED).toHaveLength(declared.length)
})

test('what earlier programs sealed with the installation’s key is sealed with each firm’s own, once', async () => {
  const before = sealedValues()
  const old = before.filter(({ sealed }) => isSealedForAll(sealed))
  expect(new Set(old.map(({ name }) => name)).size).toBeGreaterThanOrEqual(2)
  expect(await run()).toBe(`${old.length} seals renewed`)
  const after = sealedValues()
  expect(after.filter(({ sealed }) => isSealedForAll(sealed))).toEqual([])
  const open = ({ tenantId, sealed, where }: (typeof after)[number]) =>
    Buffer.from(platform.secrets.forFirm(tenantId).open(sealed, where)).toString()
  expect(after.map(open)).toEqual(before.map(open))
  expect(await run()).toBeNull()
})

test('papers too; one that does not open is left as it is, and those after it are not', async () => {
  await run()
  const files = openWriter(join(dataDir, 'files.db'))
  const versions = files
    .all<{ key: string; sealed: Uint8Array }>('SELECT key, sealed FROM blobs ORDER BY key')
    .map(({ key, sealed }) => [key, isSealedForAll(sealed)])
  files.close()
  expect(versions).toEqual([
    ['fil_1', false],
    ['fil_2', true],
    ['fil_3', false],
  ])
  expect(platform.blobs.get('t', 'fil_3')).toEqual(PAPER)
})
