import { afterAll, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fetchReplica } from './fetch.ts'

const folder = mkdtempSync(join(tmpdir(), 'brokerbase-fetch-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Fetches by a program in place of the engine; `$out` is the file that it is to make. */
async function fetchBy(name: string, script: string): Promise<string> {
  const binary = join(folder, `${name}.sh`)
  writeFileSync(binary, `#!/bin/sh\nfor out; do :; done\n${script}\n`)
  chmodSync(binary, 0o700)
  const into = join(folder, name)
  mkdirSync(into)
  const place = { kind: 'file', directory: folder } as const
  await fetchReplica({ binary, place, keys: {}, lineage: '01a', at: null, into, patience: 500 })
  return into
}

test('a place from which nothing comes is given up', async () => {
  await expect(fetchBy('hanging', 'echo begun > "$out.tmp"; exec sleep 60')).rejects.toThrow('did not answer in time')
})

test('one that is slow is waited for as long as something comes', async () => {
  const slow = 'for n in 1 2 3 4 5; do sleep 0.2; echo $n >> "$out.tmp"; done; mv "$out.tmp" "$out"'
  const into = await fetchBy('slow', `${slow}; echo '{"txid":"1"}'`)
  expect(statSync(join(into, 'brokerbase.db')).size).toBe(10)
})
