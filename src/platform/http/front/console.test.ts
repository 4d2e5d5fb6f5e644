import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { unpacked } from './console.ts'

const directory = mkdtempSync(join(tmpdir(), 'brokerbase-assets-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

test.each([
  ['br', brotliCompressSync],
  ['gzip', gzipSync],
] as const)('a file stored as %s is unpacked once for all clients without compression', async (encoding, pack) => {
  const path = join(directory, encoding)
  writeFileSync(path, pack('the whole file'))
  const asset = { type: 'text/plain', etag: `once-${encoding}`, immutable: true, bodies: { [encoding]: path } }
  const [first, second] = await Promise.all([unpacked(asset), unpacked(asset)])
  expect(await first?.text()).toBe('the whole file')
  expect(second).toBe(first)
  // nothing is read again
  rmSync(path)
  expect(await unpacked(asset)).toBe(first)
})
