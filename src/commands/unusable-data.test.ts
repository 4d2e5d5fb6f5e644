import { afterEach, beforeEach, expect, test } from 'bun:test'
import { accessSync, constants, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../config.ts'
import { rights } from '../platform/file-rights.ts'
import { backupNow } from './backup.ts'
import { doctor } from './doctor/doctor.ts'
import { restoreNow } from './restore.ts'
import { startServer } from './serve.ts'
import { setup } from './setup.ts'

const READ_ONLY_DISK = 'EROFS'
let root: string
let dataDir: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'unusable-'))
  dataDir = join(root, 'data')
  mkdirSync(dataDir)
  writeFileSync(join(dataDir, 'secret.key'), `${Buffer.alloc(32, 7).toString('base64')}\n`, { mode: 0o600 })
})
afterEach(() => {
  rights.ask = accessSync
  rmSync(root, { recursive: true, force: true })
})

/** Refuses a right to a path, as the system does to a user who is not root. */
function refuse(path: string, mode: number, code = 'EACCES'): void {
  rights.ask = (asked, wanted) => {
    if (asked === path && wanted === mode) throw Object.assign(new Error(`${code}: refused`), { code })
  }
}

const flags = () => ({ 'data-dir': dataDir, port: '0' })
const config = () => loadConfig(flags(), { env: {} })
const never = () => Promise.reject(new Error('nobody is asked'))
const commands: [string, () => Promise<unknown>][] = [
  ['serve', () => startServer(config())],
  ['setup', () => setup(config(), { tenant: 'F', email: 'o@f.example', password: 'a long password for the owner' })],
  ['backup', () => backupNow(config())],
  ['restore', () => restoreNow(config(), { snapshot: true }, () => ({ ask: never, tell: () => {} }))],
]
/** Returns what doctor says about the data directory. */
async function askDoctor(): Promise<string> {
  let said = ''
  await doctor(flags(), { json: false }, (text) => {
    said += text
  }).catch(() => {})
  return said
}

test.each(commands)('%s says which path may not be written, and what to do', async (_, run) => {
  refuse(dataDir, constants.W_OK)
  const user = process.getuid?.()
  await expect(run()).rejects.toThrow(
    `${dataDir} may not be written by this user. Give it to them (chown -R ${user} ${dataDir}), or name another`,
  )
  refuse(dataDir, constants.W_OK, READ_ONLY_DISK)
  await expect(run()).rejects.toThrow(`${dataDir} cannot be written: its file system is mounted for reading only.`)
})

test.each(commands.filter(([name]) => name !== 'restore'))('%s says what is wrong with a database', async (_, run) => {
  const path = join(dataDir, 'brokerbase.db')
  writeFileSync(path, '')
  refuse(path, constants.R_OK)
  await expect(run()).rejects.toThrow(`${path} may not be read by this user`)
  refuse(path, constants.W_OK)
  await expect(run()).rejects.toThrow(`${path} may not be written by this user`)
  rights.ask = accessSync
  rmSync(path)
  mkdirSync(path)
  await expect(run()).rejects.toThrow(`${path} is a directory, where there has to be a file`)
})

test('doctor says which right to a path is missing', async () => {
  const path = join(dataDir, 'files.db')
  writeFileSync(path, '')
  refuse(path, constants.W_OK)
  expect(await askDoctor()).toContain(`${path} may not be written by this user`)
  refuse(dataDir, constants.X_OK)
  expect(await askDoctor()).toContain(`${dataDir} may not be entered by this user`)
})

test('the refusal of a data directory that cannot be made names it', async () => {
  rmSync(dataDir, { recursive: true })
  writeFileSync(dataDir, 'a file')
  await expect(startServer(config())).rejects.toThrow(`${dataDir} is no directory. Name one by --data-dir.`)
})
