import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { enginePath, makePlace, type Place } from '../../testing/replica.ts'
import { until } from '../../testing/until.ts'
import { systemClock } from '../clock.ts'
import { createLog } from '../log.ts'
import { openStill } from '../sqlite.ts'
import { createStandby, type Standby, type StandbyParts } from './standby.ts'

setDefaultTimeout(180_000)
const ROW = `INSERT INTO box_facts (name, value, noted_at) VALUES (?, '0', 0)`

describe.skipIf(enginePath === undefined)('a standby', () => {
  const atPlace = (name: string, act: (place: Place) => Promise<void>): void =>
    test.concurrent(name, async () => {
      const place = makePlace()
      try {
        await act(place)
      } finally {
        await place.close()
      }
    })
  const readKey = (place: Place): Uint8Array =>
    Buffer.from(readFileSync(join(place.root, 'a/secret.key'), 'utf8'), 'base64')
  const start = (place: Place, more: Partial<StandbyParts> = {}): Standby => {
    const directory = join(place.root, 'standby')
    mkdirSync(directory, { recursive: true })
    const standby = createStandby({
      directory,
      place: { kind: 'file', directory: join(place.root, 'replica') },
      keys: {},
      key: readKey(place),
      id: 'b',
      binary: enginePath ?? '',
      url: 'https://b.test',
      prove: async () => null,
      clock: systemClock,
      log: createLog({ level: 'error' }),
      ...more,
    })
    standby.start()
    return standby
  }
  /** Returns how many rows of the test a fresh copy has; undefined if there is none to read. */
  const countRows = async (standby: Standby): Promise<number | undefined> => {
    const taken = await standby.take()
    if (!taken) return undefined
    const copy = openStill(taken.generation.path)
    const found = copy.get<{ n: number }>(`SELECT count(*) AS n FROM box_facts WHERE name LIKE 'row-%'`)
    copy.close()
    taken.release()
    return found?.n
  }
  const serves = (standby: Standby, rows: number) =>
    until(`${rows} rows are served`, async () => (await countRows(standby)) === rows)

  atPlace('shows itself, is told the age of what it has, and leaves no note behind', async (place) => {
    const primary = await place.start('a', { BROKERBASE_PUBLIC_URL: 'https://a.test' })
    const standby = start(place)
    const first = { history: null, heartbeat: null, ageSeconds: null, isStale: true, clockAheadMs: null, failure: null }
    expect(standby.seen()).toMatchObject(first)
    await until('it is fresh', () => !standby.seen().isStale)
    const { history, heartbeat, ageSeconds } = standby.seen()
    expect(history).toBe(primary.platform.replication?.seen().lineage ?? '')
    expect(heartbeat).toMatchObject({ history, url: 'https://a.test', wait: 'off' })
    expect(ageSeconds).toBeLessThanOrEqual(30)
    // the lease is renewed each five seconds, and a heartbeat comes each two
    expect(standby.seen().silentMs).toBeLessThan(30_000)
    const note = join(place.root, 'replica/standbys/b.json')
    expect(readFileSync(note, 'utf8')).toContain('https://b.test')
    await standby.stop()
    expect(existsSync(note)).toBe(false)
  })

  atPlace('serves a newer history after it is proven, and the one before until then', async (place) => {
    const before = await place.start('a')
    await before.platform.writer.submit(() => before.platform.connection.run(ROW, ['row-1']))
    await before.stop()
    cpSync(join(place.root, 'a'), join(place.root, 'kept'), { recursive: true })
    const doubts: (string | null)[] = [null, 'the books do not balance', null]
    let asked = 0
    const standby = start(place, { prove: async () => doubts[asked++] ?? null })
    await serves(standby, 1)
    const again = await place.start('a')
    await again.platform.writer.submit(() => again.platform.connection.run(ROW, ['row-2']))
    await serves(standby, 2)
    await again.stop()
    const old = standby.seen().history
    // the directory of the first moment is served again, so that what came after it belongs to another history
    cpSync(join(place.root, 'kept'), join(place.root, 'b'), { recursive: true })
    await place.start('b')
    await until('the new history is in doubt', () => standby.seen().failure?.includes('do not balance') === true)
    expect([standby.seen().history, await countRows(standby)]).toEqual([old, 2])
    await until('it is served', () => standby.seen().history !== old)
    await serves(standby, 1)
    await until('the files of the old one are gone', () => readdirSync(join(place.root, 'standby')).length === 1)
    await standby.stop()
  })

  atPlace('goes on with its files after a stop, and removes those of other histories', async (place) => {
    const primary = await place.start('a')
    const first = start(place)
    await serves(first, 0)
    await first.stop()
    const [kept = ''] = readdirSync(join(place.root, 'standby'))
    mkdirSync(join(place.root, 'standby', 'left-0'))
    const applied = readFileSync(join(place.root, 'standby', kept, 'brokerbase.db-txid'), 'utf8')
    await primary.platform.writer.submit(() => primary.platform.connection.run(ROW, ['row-1']))
    // a killed standby leaves its engines behind, whose numbers are in files
    const config = join(place.root, 'standby', kept, 'engine/files.db.json')
    const database = join(place.root, 'standby', kept, 'files.db')
    const flags = ['-no-expand-env', '-config', config, '-f', '-o', database, database]
    const left = Bun.spawn([enginePath ?? '', 'restore', ...flags], { stdout: 'ignore', stderr: 'ignore' })
    writeFileSync(join(place.root, 'standby', kept, 'engine/files.db.pid'), String(left.pid))
    const readCommand = (): string => readFileSync(`/proc/${left.pid}/cmdline`, 'utf8')
    await until('the engine has begun', () => readCommand().includes(config))
    const second = start(place)
    await left.exited
    expect(left.signalCode).toBe('SIGKILL')
    await serves(second, 1)
    expect(readdirSync(join(place.root, 'standby'))).toEqual([kept])
    expect(readFileSync(join(place.root, 'standby', kept, 'brokerbase.db-txid'), 'utf8') > applied).toBe(true)
    await second.stop()
  })
})
