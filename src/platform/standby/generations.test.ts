import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Running } from '../../commands/serve.ts'
import { enginePath, makePlace } from '../../testing/replica.ts'
import { until } from '../../testing/until.ts'
import { systemClock } from '../clock.ts'
import { createLog } from '../log.ts'
import { readChain } from '../replication/chain.ts'
import { noteHeartbeat } from '../replication/heartbeat.ts'
import { openStore } from '../replication/open-store.ts'
import { openStill } from '../sqlite.ts'
import { createFollower, type Follower } from './follower.ts'
import { createGenerations, type Generations } from './generations.ts'

setDefaultTimeout(180_000)
const ROWS = 300
const log = createLog({ level: 'error' })

/** Fills the primary with rows whose values always sum to nothing. */
const fill = ({ platform: { writer, connection } }: Running): Promise<unknown> =>
  writer.submit(() => {
    for (let row = 0; row < ROWS; row += 1)
      connection.run(`INSERT INTO box_facts (name, value, noted_at) VALUES (?, '0', 0)`, [`balance-${row}`])
  })

/** Moves amounts between two of the rows, with a heartbeat, again and again until it is stopped. */
function moveAmounts({ platform: { writer, connection, clock } }: Running): () => Promise<void> {
  let isOn = true
  const add = (amount: number): number =>
    connection.run('UPDATE box_facts SET value = CAST(CAST(value AS INTEGER) + ?1 AS TEXT) WHERE name = ?2', [
      amount,
      `balance-${Math.floor(Math.random() * ROWS)}`,
    ])
  const moving = (async () => {
    while (isOn) {
      await writer.submit(() => {
        add(7)
        add(-7)
        const facts = { history: 'h', url: '', schema: 1, version: '1', wait: 'off' } as const
        noteHeartbeat(connection, { at: clock.now(), ...facts })
      })
      await clock.sleep(5)
    }
  })()
  return () => {
    isOn = false
    return moving
  }
}

const sum = (path: string): number => {
  const copy = openStill(path)
  try {
    const rows = copy.all<{ value: string }>(`SELECT value FROM box_facts WHERE name LIKE 'balance-%'`)
    expect(rows).toHaveLength(ROWS)
    return rows.reduce((total, { value }) => total + Number(value), 0)
  } finally {
    copy.close()
  }
}

describe.skipIf(enginePath === undefined)('copies to read from', () => {
  /** Runs a test over a primary with a replica, and a follower of it. */
  async function atPair(
    act: (pair: { primary: Running; follower: Follower; generations: Generations; directory: string }) => Promise<void>,
  ): Promise<void> {
    const place = makePlace()
    const directory = join(place.root, 'followed')
    mkdirSync(directory)
    const primary = await place.start('a')
    await fill(primary)
    await primary.platform.replication?.reachedAt()
    const from = { kind: 'file', directory: join(place.root, 'replica') } as const
    const lineage = primary.platform.replication?.seen().lineage ?? ''
    const follower = createFollower({
      binary: enginePath ?? '',
      directory,
      database: 'brokerbase.db',
      place: from,
      keys: {},
      lineage,
      readReach: async () => (await readChain(openStore(from, {}), lineage, 'brokerbase.db')).reach,
      log,
    })
    const generations = createGenerations({ follower, directory, steady: systemClock.now, log })
    try {
      follower.start()
      await until('the follower follows', () => follower.process() !== null)
      await act({ primary, follower, generations, directory })
    } finally {
      await generations.close()
      await follower.stop()
      await place.close()
    }
  }

  test('each copy is one moment of the database while the primary writes, and a newer one comes', async () => {
    await atPair(async ({ primary, generations, directory }) => {
      const stop = moveAmounts(primary)
      const moments = new Set<number>()
      await until('three moments were read', async () => {
        const taken = await generations.take()
        if (taken) {
          expect(sum(taken.generation.path)).toBe(0)
          const at = taken.generation.heartbeat?.at
          if (at !== undefined) moments.add(at)
          taken.release()
        }
        return moments.size >= 3
      })
      await stop()
      expect([...moments]).toEqual([...moments].toSorted((a, b) => a - b))
      expect(readdirSync(directory).filter((name) => name.startsWith('generation'))).toHaveLength(1)
    })
  })

  test('a copy stays until its last reader has left, though a newer one is there', async () => {
    await atPair(async ({ primary, generations }) => {
      const first = await generations.take()
      if (!first) throw new Error(generations.failure() ?? 'no copy was made')
      const stop = moveAmounts(primary)
      let path = first.generation.path
      await until('a newer copy is there', async () => {
        const taken = await generations.take()
        path = taken?.generation.path ?? path
        taken?.release()
        return path !== first.generation.path
      })
      await stop()
      expect(existsSync(first.generation.path)).toBe(true)
      first.release()
      first.release()
      expect([existsSync(first.generation.path), existsSync(path)]).toEqual([false, true])
    })
  })

  test('a follower that was killed goes on by itself, and its file is read again only when it is whole', async () => {
    await atPair(async ({ primary, follower, generations }) => {
      const stop = moveAmounts(primary)
      for (let round = 0; round < 5; round += 1) {
        const pid = follower.process()
        if (pid !== null) process.kill(pid, 'SIGKILL')
        await until('the process is gone', () => follower.process() !== pid)
        expect(follower.lastEnd()).toContain('SIGKILL')
        await until('another one follows', () => follower.process() !== null)
      }
      await stop()
      const last = primary.platform.clock.now()
      await primary.platform.writer.submit(() =>
        noteHeartbeat(primary.platform.connection, {
          at: last,
          history: 'h',
          url: '',
          schema: 1,
          version: '1',
          wait: 'off',
        }),
      )
      await until('the last write arrived', async () => {
        const taken = await generations.take()
        if (taken) expect(sum(taken.generation.path)).toBe(0)
        taken?.release()
        return taken?.generation.heartbeat?.at === last
      })
    })
  })

  test('a restored file is marked as one without a log, and ends whole between two changes', async () => {
    await atPair(async ({ primary, follower }) => {
      const stop = moveAmounts(primary)
      expect([...readFileSync(follower.path).subarray(18, 20)]).toEqual([1, 1])
      await until('some changes were applied', () => follower.applied() > 3)
      expect(await follower.stop()).toBe(true)
      expect(sum(follower.path)).toBe(0)
      expect(follower.process()).toBeNull()
      await stop()
    })
  })
})
