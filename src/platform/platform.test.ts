import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withPlatform } from '../commands/with-platform.ts'
import { loadConfig } from '../config.ts'
import { nextMigrations } from '../testing/frozen.ts'
import { systemClock } from './clock.ts'
import { lockDataDir } from './db/lock.ts'
import { createLog } from './log.ts'
import { openPlatform, type Platform } from './platform.ts'

const log = createLog({ level: 'silent' })
const directories: string[] = []
const fresh = () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'brokerbase-platform-'))
  directories.push(dataDir)
  const open = (secretKey?: string): Platform =>
    openPlatform({ config: { ...loadConfig({ 'data-dir': dataDir }), secretKey }, clock: systemClock, log })
  return { dataDir, key: join(dataDir, 'secret.key'), open }
}
afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true })
})

describe('the key and the database belong together', () => {
  test('a database without its key is refused, and no other key is made', async () => {
    const { key, open } = fresh()
    await open().close()
    rmSync(key)
    expect(() => open()).toThrow(/secret\.key is missing/)
    expect(existsSync(key)).toBe(false)
  })

  test('a data directory with only uploaded files is refused without its key', async () => {
    const { dataDir, key, open } = fresh()
    await open().close()
    rmSync(key)
    rmSync(join(dataDir, 'brokerbase.db'))
    expect(() => open()).toThrow(/files\.db is there/)
  })

  test('another key is refused, in the file and in the configuration; the right one opens the database again', async () => {
    const { key, open } = fresh()
    const first = open()
    const sealed = first.secrets.seal('passport', 'test')
    await first.close()
    const right = await Bun.file(key).text()
    const wrong = Buffer.alloc(32, 7).toString('base64')
    writeFileSync(key, wrong)
    expect(() => open()).toThrow(/not the one that the database/)
    rmSync(key)
    expect(() => open(wrong)).toThrow(/not the one that the database/)
    const again = open(right.trim())
    expect(again.secrets.openText(sealed, 'test')).toBe('passport')
    await again.close()
  })
})

describe('a command beside a server', () => {
  test('a newer program’s command does not upgrade the database under a running server', async () => {
    const { dataDir, open } = fresh()
    await open().close()
    const lock = lockDataDir(dataDir)
    const newer = withPlatform(loadConfig({ 'data-dir': dataDir }), async () => 'ran', { list: nextMigrations })
    await expect(newer).rejects.toThrow(/Another Brokerbase is serving/)
    lock.close()
    expect(existsSync(join(dataDir, 'snapshots'))).toBe(false)
  })

  test('a command of a program with the same schema runs beside a running server', async () => {
    const { dataDir, open } = fresh()
    await open().close()
    const lock = lockDataDir(dataDir)
    expect(await withPlatform(loadConfig({ 'data-dir': dataDir }), async () => 'ran')).toBe('ran')
    lock.close()
  })
})
