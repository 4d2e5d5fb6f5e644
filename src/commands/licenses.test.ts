import { afterEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readLicenses } from './licenses.ts'

const directory = mkdtempSync(join(tmpdir(), 'brokerbase-notices-'))
afterEach(() => rmSync(directory, { recursive: true, force: true }))

test('`licenses` prints the licences that the build packed', () => {
  const path = join(directory, 'notices.zst')
  writeFileSync(path, Bun.zstdCompressSync('a 1: MIT\n'))
  expect(readLicenses(path)).toBe('Brokerbase holds software of others, under their terms:\n\na 1: MIT\n')
})

test('`licenses` without a build says that nothing was built', () => {
  expect(() => readLicenses(null)).toThrow('bun run build')
})
