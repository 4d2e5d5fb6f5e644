import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStill } from '../sqlite.ts'
import { copyFollowedTask } from './copy.task.ts'

test('a followed file is not copied while the engine applies a change to it', () => {
  const directory = mkdtempSync(join(tmpdir(), 'brokerbase-copy-'))
  const [from, to] = [join(directory, 'followed.db'), join(directory, 'copy.db')]
  try {
    const engine = new Database(from, { create: true, readwrite: true })
    engine.run('CREATE TABLE sums (amount)')
    engine.run('BEGIN EXCLUSIVE')
    engine.run('INSERT INTO sums VALUES (7)')
    expect(() => copyFollowedTask({ from, to, patience: 1 })).toThrow('locked')
    expect(existsSync(to)).toBe(false)
    engine.run('INSERT INTO sums VALUES (-7)')
    engine.run('COMMIT')
    engine.close()
    copyFollowedTask({ from, to, patience: 1 })
    const copy = openStill(to)
    expect(copy.all('SELECT amount FROM sums')).toEqual([{ amount: 7 }, { amount: -7 }])
    copy.close()
  } finally {
    rmSync(directory, { recursive: true })
  }
})
