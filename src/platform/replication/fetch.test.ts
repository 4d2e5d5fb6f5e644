import { afterAll, expect, jest, test } from 'bun:test'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../../testing/until.ts'
import { DATABASES } from './engine-config.ts'
import { fetchReplica } from './fetch.ts'

const PATIENCE = 500
const folder = mkdtempSync(join(tmpdir(), 'brokerbase-fetch-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Fetches by a program in place of the engine; it has to make the file `$out`. */
async function fetchBy(name: string, script: string): Promise<string> {
  const binary = join(folder, `${name}.sh`)
  writeFileSync(binary, `#!/bin/sh\nfor out; do :; done\n${script}\n`)
  chmodSync(binary, 0o700)
  const into = join(folder, name)
  mkdirSync(into)
  const place = { kind: 'file', directory: folder } as const
  await fetchReplica({ binary, place, keys: {}, lineage: '01a', at: null, into, patience: PATIENCE })
  return into
}

test('a fetch from a place that sends nothing is given up', async () => {
  await expect(fetchBy('hanging', 'echo begun > "$out.tmp"; exec sleep 60')).rejects.toThrow('did not answer in time')
})

test('a fetch from a slow place is waited for as long as data comes', async () => {
  jest.useFakeTimers()
  const wait = 'while [ ! -e "$out.$n" ]; do sleep 0.05; done'
  const slow = `for n in 1 2 3 4 5; do ${wait}; echo $n >> "$out.tmp"; done; mv "$out.tmp" "$out"`
  const fetched = fetchBy('slow', `${slow}; echo '{"txid":"1"}'`)
  for (const name of DATABASES)
    for (const piece of [1, 2, 3, 4, 5]) {
      const path = join(folder, 'slow', name)
      const size = () => [`${path}.tmp`, path].map((one) => statSync(one, { throwIfNoEntry: false })?.size ?? 0)
      writeFileSync(`${path}.${piece}`, '')
      await until('the piece is there', () => Math.max(...size()) === 2 * piece)
      jest.advanceTimersByTime(PATIENCE - 50)
    }
  jest.useRealTimers()
  expect(statSync(join(await fetched, 'brokerbase.db')).size).toBe(10)
})
