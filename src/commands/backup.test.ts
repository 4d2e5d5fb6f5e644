import { afterEach, beforeEach, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Config, loadConfig } from '../config.ts'
import { createKey } from './api-key.ts'
import { backupNow, drillNow } from './backup.ts'
import { recoveryKey } from './recovery-key.ts'
import { setup } from './setup.ts'

let root: string
let config: Config
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'brokerbase-backup-'))
  config = loadConfig({ 'data-dir': join(root, 'data') }, { env: {} })
})
afterEach(() => rmSync(root, { recursive: true }))

test('a snapshot is where the command says, and a drill proves it', async () => {
  await setup(config, { tenant: 'Firm', email: 'boss@firm.test', password: 'correct horse battery' })
  const [path = ''] = (await backupNow(config)).split(' ')
  expect(existsSync(path)).toBe(true)
  let said = ''
  await drillNow(config, { json: false }, (text) => {
    said += text
  })
  expect(said).toStartWith('replica : there is none\nsnapshot: good, ')
})

test('a directory without data is refused and left as it is: a copy of nothing would look like one', async () => {
  await expect(backupNow(config)).rejects.toThrow('--data-dir')
  await expect(drillNow(config, { json: false }, () => {})).rejects.toThrow('--data-dir')
  await expect(createKey(config, { tenant: 'firm', label: 'x', scopes: 'traders:read' })).rejects.toThrow('--data-dir')
  await expect(recoveryKey(config, { ask: async () => '', tell: () => {} })).rejects.toThrow('--data-dir')
  expect(readdirSync(root)).toEqual([])
})
