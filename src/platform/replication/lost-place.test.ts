import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { restoreNow } from '../../commands/restore.ts'
import { type Running, startServer } from '../../commands/serve.ts'
import { accepted, enginePath, makePlace, type Place } from '../../testing/replica.ts'
import { until } from '../../testing/until.ts'
import { readFact } from '../db/box-facts.ts'
import { openReader } from '../sqlite.ts'
import { noteHeartbeat } from './heartbeat.ts'
import { LOSS } from './lineage.ts'
import type { Replication } from './replication.ts'

setDefaultTimeout(180_000)
const ALL = { BROKERBASE_REPLICA_WAIT: 'all' }

describe.skipIf(enginePath === undefined)('a place', () => {
  let place: Place
  let count = 0
  beforeEach(() => {
    place = makePlace()
  })
  afterEach(() => place.close())

  const replica = (...names: string[]): string => join(place.root, 'replica', ...names)
  const seen = ({ platform }: Running): ReturnType<Replication['seen']> => {
    if (!platform.replication) throw new Error('no replica is configured')
    return platform.replication.seen()
  }
  const write = ({ platform }: Running): Promise<unknown> => {
    count += 1
    return platform.writer.submit(() =>
      platform.connection.run(`INSERT INTO job_runs (id, name, started_at, status) VALUES (?, 'test', 1, 'done')`, [
        `run_${count}`,
      ]),
    )
  }
  const isRunning = (server: Running) => (): boolean => seen(server).state === 'running'
  const restored = async (name: string, from = 'a'): Promise<string> =>
    restoreNow(
      place.config(name),
      { keyFile: join(place.root, from, 'secret.key'), replace: true, json: true },
      () => ({
        ask: async () => '',
        tell: () => {},
      }),
    )
  const code = (answer: Response): Promise<unknown> => answer.json().then((body: { code?: string }) => body.code)

  // these are two of the twelve losses that `bun run lost-place` tries, which also measures what is promised
  const LOSSES: Readonly<Record<string, (history: string) => void>> = {
    'is gone': () => rmSync(replica(), { recursive: true }),
    'has lost the papers': (history) => rmSync(replica(history, 'files.db'), { recursive: true }),
  }
  for (const [how, lose] of Object.entries(LOSSES))
    test(`a place that ${how} is noticed, and answers that wait are refused until it has a new history`, async () => {
      const server = await place.start('a', ALL)
      await accepted(() => write(server))
      for (let more = 0; more < 3; more += 1) await accepted(() => write(server))
      const history = seen(server).lineage ?? ''
      // the place is checked after each renewal of the lease, so the second renewal shows that it was checked
      for (const _ of ['looked', 'looked through']) {
        const lease = readFileSync(replica('lease.json'), 'utf8')
        await until('the lease is renewed', () => readFileSync(replica('lease.json'), 'utf8') !== lease)
      }
      lose(history)
      await until('it is noticed', () => seen(server).lost !== null)
      await expect(write(server)).rejects.toThrow('out of reach')
      await until('it is whole again', () => isRunning(server)() && seen(server).lost === null)
      await accepted(() => write(server))
      expect(seen(server).lineage).not.toBe(history)
      expect(readFact(server.platform.reader, LOSS)?.value).toMatchObject({ isWhole: true })
      const COUNT = `SELECT count(*) AS n FROM job_runs WHERE name = 'test'`
      const there = server.platform.reader.get<{ n: number }>(COUNT)?.n ?? 0
      expect(there).toBeGreaterThan(0)
      await server.stop()
      expect(JSON.parse(await restored('b'))).toMatchObject({ done: true })
      const copy = openReader(join(place.root, 'b/brokerbase.db'))
      expect(copy.get(COUNT)).toEqual({ n: there })
      copy.close()
    })

  for (const name of ['lineages.json', 'begun.json'])
    test(`if only ${name} is removed or damaged at the place, it is written again, and the history continues`, async () => {
      const server = await place.start('a', ALL)
      await accepted(() => write(server))
      const history = seen(server).lineage ?? ''
      const one = name === 'begun.json' ? replica(history, name) : replica(name)
      for (const spoil of [() => rmSync(one), () => writeFileSync(one, '{"value": 1}')]) {
        spoil()
        await until('it is there again', () => {
          try {
            return readFileSync(one, 'utf8').length > '{"value": 1}'.length || name === 'begun.json'
          } catch {
            return false
          }
        })
        if (name === 'begun.json') await until('it counts', () => readFileSync(one, 'utf8') === '1')
      }
      await accepted(() => write(server))
      expect([seen(server).lineage, seen(server).losses]).toEqual([history, 0])
    })

  test('a server whose data another server continued takes no write, and answers with the address of the other', async () => {
    const first = await place.start('a')
    await accepted(() => write(first))
    await first.stop()
    await restored('b')
    const second = await place.start('b', { BROKERBASE_PUBLIC_URL: 'http://office-2.test' })
    await accepted(() => write(second))
    await until('it runs', isRunning(second))
    await second.stop()
    const back = await place.start('a', {}, false)
    expect(back.platform.roles.current()).toMatchObject({ name: 'replaced', by: { url: 'http://office-2.test' } })
    expect((await fetch(`${back.url}/health`)).status).toBe(200)
    for (const path of ['/ready', '/ready/primary', '/v1/auth/me', '/metrics', '/admin']) {
      const answer = await fetch(`${back.url}${path}`)
      expect([path, answer.status, await code(answer), answer.headers.get('x-crm-primary')]).toEqual([
        path,
        503,
        'replaced',
        'http://office-2.test',
      ])
    }
    const page = await fetch(`${back.url}/admin`, { headers: { accept: 'text/html' } })
    expect([page.status, await page.text()]).toEqual([503, expect.stringContaining('href="http://office-2.test"')])
    await expect(write(back)).rejects.toThrow('replaced')
    await back.stop()
    // this is so too if the place is out of reach
    rmSync(replica(), { recursive: true })
    writeFileSync(replica(), 'no directory')
    const alone = await place.start('a', {}, false)
    expect(alone.platform.roles.current().name).toBe('replaced')
    await alone.stop()
    rmSync(replica())
    // only a restore makes it a server again
    await (await place.start('b')).stop()
    expect(JSON.parse(await restored('a', 'b'))).toMatchObject({ done: true })
    const again = await place.start('a')
    await accepted(() => write(again))
  })

  test('a server that had a standby writes nothing while its place does not answer, unless its operator knows better', async () => {
    const first = await place.start('a')
    const { connection, writer, clock } = first.platform
    const beat = { at: clock.now(), history: 'h', url: '', schema: 1, version: '1', wait: 'off' } as const
    await accepted(() => writer.submit(() => noteHeartbeat(connection, beat)))
    await first.stop()
    rmSync(replica(), { recursive: true })
    writeFileSync(replica(), 'no directory')
    const unknown = await place.start('a', {}, false)
    const ready = await fetch(`${unknown.url}/ready/primary`)
    expect([ready.status, await code(ready)]).toEqual([503, 'place_unknown'])
    expect((await fetch(`${unknown.url}/v1/setup`)).status).toBe(200)
    await expect(write(unknown)).rejects.toThrow('starting')
    await unknown.stop()
    const alone = await startServer({ ...place.config('a'), alone: true })
    expect(alone.platform.roles.current().name).toBe('primary')
    await write(alone)
    await alone.stop()
  })

  test('a second server reads and writes nothing while another server holds the place, and names the other', async () => {
    const first = await place.start('a')
    await first.platform.replication?.reachedAt()
    await restored('b')
    const second = await place.start('b', {}, false)
    await until('it has looked', () => second.platform.roles.current().name === 'starting')
    await until('it waits', () => seen(second).state === 'waiting')
    const ready = await fetch(`${second.url}/ready/primary`)
    expect([ready.status, await code(ready)]).toEqual([503, 'place_taken'])
    expect((await fetch(`${second.url}/v1/setup`)).status).toBe(200)
    await expect(write(second)).rejects.toThrow('starting')
    await accepted(() => write(first))
    const primary = await fetch(`${first.url}/ready/primary`)
    expect(await primary.json()).toEqual({ role: 'primary', ageSeconds: null })
    await first.stop()
    await until('it took over', () => second.platform.roles.current().name === 'primary')
    await accepted(() => write(second))
  })
})
