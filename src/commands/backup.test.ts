import { afterEach, beforeEach, expect, test } from 'bun:test'
import {
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type Config, loadConfig } from '../config.ts'
import { createKey } from './api-key.ts'
import { backupNow, drillNow } from './backup.ts'
import { recoveryKey } from './recovery-key.ts'
import { restoreNow } from './restore.ts'
import { setup } from './setup.ts'

let root: string
let config: Config
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'brokerbase-backup-'))
  config = loadConfig({ 'data-dir': join(root, 'data') }, { env: {} })
})
afterEach(() => rmSync(root, { recursive: true }))

test('`backup` writes a snapshot where it says, and a drill proves it', async () => {
  await setup(config, { tenant: 'Firm', email: 'boss@firm.test', password: 'correct horse battery' })
  await expect(drillNow(config, { json: false }, () => {})).rejects.toThrow('There is no copy to restore')
  const [path = ''] = (await backupNow(config)).split(' ')
  expect(existsSync(path)).toBe(true)
  let said = ''
  await drillNow(config, { json: false }, (text) => {
    said += text
  })
  expect(said).toStartWith('replica : there is none\nsnapshot: good, ')
  writeFileSync(path, 'no archive')
  await expect(drillNow(config, { json: false }, () => {})).rejects.toThrow('Not every copy is good')
})

test('`backup` refuses a directory without data, since a copy of nothing would look like a backup', async () => {
  await expect(backupNow(config)).rejects.toThrow('--data-dir')
  await expect(drillNow(config, { json: false }, () => {})).rejects.toThrow('--data-dir')
  await expect(createKey(config, { tenant: 'firm', label: 'x', scopes: 'traders:read' })).rejects.toThrow('--data-dir')
  await expect(recoveryKey(config, { ask: async () => '', tell: () => {} })).rejects.toThrow('--data-dir')
  expect(readdirSync(root)).toEqual([])
})

test.skipIf(process.getuid?.() !== 0)('files that root makes for a service belong to the service', async () => {
  const SERVICE = 65_534
  await setup(config, { tenant: 'Firm', email: 'boss@firm.test', password: 'correct horse battery' })
  const { dataDir } = config
  for (const name of readdirSync(dataDir)) chownSync(join(dataDir, name), SERVICE, SERVICE)
  chownSync(dataDir, SERVICE, SERVICE)
  const foreign = () =>
    readdirSync(dataDir, { recursive: true })
      .map(String)
      .filter((name) => lstatSync(join(dataDir, name)).uid !== SERVICE)
  await backupNow(config)
  expect(foreign()).toEqual([])
  // files elsewhere keep their owner, even if a link leads to them
  const elsewhere = join(root, 'elsewhere')
  mkdirSync(elsewhere)
  writeFileSync(join(elsewhere, 'file'), '')
  const links = [elsewhere, join(elsewhere, 'file')].map(
    (to) => [to, join(dataDir, 'snapshots', `link-${basename(to)}`)] as const,
  )
  for (const [to, link] of links) symlinkSync(to, link)
  linkSync(join(elsewhere, 'file'), join(dataDir, 'snapshots/hard'))
  // other files in the same directory keep their owner too
  writeFileSync(join(dataDir, 'notes'), '')
  await restoreNow(config, { snapshot: true, replace: true }, () => ({ ask: async () => '', tell: () => {} }))
  for (const [to, link] of links) {
    expect(statSync(to).uid).toBe(0)
    rmSync(link)
  }
  expect(foreign().sort()).toEqual(['notes', 'snapshots/hard'])
})
