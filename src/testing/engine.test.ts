import { afterEach, expect, test } from 'bun:test'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { engineAt, findEngine } from '../../litestream.ts'

const made: string[] = []
afterEach(() => {
  delete process.env.LITESTREAM_BINARY
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true })
})

/** Makes an executable that answers `version`, and has the text by which the SQLite of an engine is recognised. */
function fake(version: string, sqlite: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'brokerbase-engine-'))
  made.push(directory)
  const path = join(directory, 'litestream')
  writeFileSync(path, `#!/bin/sh\necho '${version}'\nexit 0\n\0${sqlite}\0`)
  chmodSync(path, 0o755)
  return path
}

test('the replication engine’s version, SQLite and digest are read from it', () => {
  const path = fake('v0.5.18', '3.53.0')
  expect(engineAt(path)).toMatchObject({ path, version: '0.5.18', sqlite: '3.53.0' })
  expect(engineAt(path).sha256).toMatch(/^[0-9a-f]{64}$/)
  expect(engineAt(fake('v0.6.0', '3.51.3')).version).toBe('0.6.0')
})

test.each([
  ['one whose snapshots may lack frames', 'v0.5.17', '3.53.0', /Litestream 0\.5\.17; 0\.5\.18 or later/],
  ['the one of npm', 'v0.3.13', '3.42.0', /0\.3\.13/],
  ['one with a SQLite that may corrupt a log', 'v0.5.18', '3.51.2', /SQLite 3\.51\.2; 3\.51\.3 or later/],
  ['one that says nothing of its SQLite', 'v0.5.18', 'none', /no known version/],
  ['another program', 'hello', '3.53.0', /no Litestream/],
])('an engine is refused with an explanation: %s', (_, version, sqlite, said) => {
  expect(() => engineAt(fake(version, sqlite))).toThrow(said)
})

test('LITESTREAM_BINARY names an engine, or “none”; a path that does not exist is refused', () => {
  process.env.LITESTREAM_BINARY = fake('v0.5.18', '3.53.0')
  expect(findEngine()?.version).toBe('0.5.18')
  process.env.LITESTREAM_BINARY = 'none'
  expect(findEngine()).toBeNull()
  process.env.LITESTREAM_BINARY = '/nowhere/litestream'
  expect(findEngine).toThrow(/no Litestream/)
})
