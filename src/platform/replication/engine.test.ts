import { afterEach, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '../log.ts'
import { superviseEngine } from './engine.ts'
import { engineDirectory } from './engine-binary.ts'

const folder = mkdtempSync(join(tmpdir(), 'brokerbase-engine-'))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('the end of an engine is reported with the failure that it printed', async () => {
  mkdirSync(engineDirectory(folder), { recursive: true })
  const binary = join(folder, 'engine.sh')
  // it prints more than a pipe holds, and the failure without the end of a line
  writeFileSync(
    binary,
    '#!/bin/sh\nhead -c 200000 /dev/zero | tr "\\0" "x"\necho\nprintf "Error: host key mismatch" >&2\nexit 1\n',
  )
  chmodSync(binary, 0o700)
  const lines: string[] = []
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  const engine = superviseEngine({
    binary,
    dataDir: folder,
    place: { kind: 'file', directory: folder },
    keys: {},
    lineage: '01a',
    log: createLog({
      level: 'warn',
      write: (line) => {
        lines.push(line)
        resolve()
      },
    }),
    changed: () => {},
  })
  engine.start()
  await ended
  await engine.stop()
  expect(engine.lastEnd()).toBe('the engine ended with 1: host key mismatch')
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ code: 1, why: 'host key mismatch' })
})
