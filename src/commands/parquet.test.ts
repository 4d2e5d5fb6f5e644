import { afterEach, beforeEach, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Config, loadConfig } from '../config.ts'
import { type ParquetFlags, writeParquet } from './parquet.ts'
import { setup } from './setup.ts'

let root: string
let to: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'brokerbase-files-'))
  to = join(root, 'files')
})
afterEach(() => rmSync(root, { recursive: true }))

const configure = (flags: Readonly<Record<string, string>> = {}): Config =>
  loadConfig({ 'data-dir': join(root, 'data'), ...flags }, { env: {} })
const found = (tenant: string) =>
  setup(configure(), { tenant, email: `boss@${tenant}.test`, password: 'correct horse battery' })
const write = (flags: ParquetFlags, nightly: Config['parquet'] = null) =>
  writeParquet({ config: configure({ 'parquet-to': to }), nightly }, flags)
const findDay = (): string => readdirSync(to)[0] ?? ''
const listFirms = (): string[] => readdirSync(join(to, findDay(), 'users'))

test('`parquet` writes the files of a firm where it says, and replaces those of the same day', async () => {
  await found('acme')
  const said = await write({})
  const path = join(to, findDay())
  expect(said).toStartWith(`${path} (`)
  const manifest = () => JSON.parse(readFileSync(join(path, 'manifest.json'), 'utf8'))
  expect(manifest()).toMatchObject({ withPeople: false, firms: [{ slug: 'acme' }] })
  expect(await write({ firm: 'acme', withPeople: true })).toContain('Erasing a client does not reach them')
  expect(manifest().withPeople).toBe(true)
  expect(listFirms()).toEqual([`tenant=${manifest().firms[0].id}`])
  expect(existsSync(join(root, 'data/parquet'))).toBe(false)
})

test('`parquet` refuses a file where its directory is to be', async () => {
  await found('acme')
  writeFileSync(to, 'mine')
  await expect(write({})).rejects.toThrow(`${to} is a file, and no directory`)
  expect(readFileSync(to, 'utf8')).toBe('mine')
})

test('`parquet` refuses a firm that is not there, a directory without data, and the place of the server’s nights', async () => {
  await expect(write({})).rejects.toThrow('--data-dir')
  await found('acme')
  await expect(write({ firm: 'beta' })).rejects.toThrow('There is no firm “beta”')
  expect(() => write({}, configure({ 'parquet-to': `${to}/` }).parquet)).toThrow('has the nights of the server')
  expect(existsSync(to)).toBe(false)
})

test('the place of files for analysis is a directory, or a bucket that has keys', () => {
  const readPlace = (text: string, env: Readonly<Record<string, string>> = {}) =>
    loadConfig({ 'parquet-to': text }, { env }).parquet?.place
  expect(readPlace('')).toBeUndefined()
  expect(readPlace('/analysis/')).toEqual({ kind: 'file', directory: '/analysis' })
  for (const text of ['sftp://me@host/x', 'https://host/x', 'file:///x'])
    expect(() => readPlace(text)).toThrow('BROKERBASE_PARQUET_TO: must be a directory, or a bucket')
  expect(() => readPlace('s3://lake/office')).toThrow('BROKERBASE_REPLICA_ACCESS_KEY_ID')
  const keys = { BROKERBASE_REPLICA_ACCESS_KEY_ID: 'id', BROKERBASE_REPLICA_SECRET_ACCESS_KEY: 'key' }
  expect(readPlace('s3://lake/office', keys)).toMatchObject({ kind: 's3', bucket: 'lake', prefix: 'office' })
})
