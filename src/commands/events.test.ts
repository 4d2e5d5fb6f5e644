import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../config.ts'
import { systemCtx } from '../platform/access/ctx.ts'
import { readFact } from '../platform/db/box-facts.ts'
import { SINK_DIFFERENCES } from '../platform/event-sink.ts'
import { openNatsStream } from '../platform/events/sink/nats-stream.ts'
import { type Firm, foundFirm } from '../testing/app.ts'
import { type Nats, natsPath, readSettings, readStream, startNats } from '../testing/fakes/nats.ts'
import { enginePath } from '../testing/replica.ts'
import { until } from '../testing/until.ts'
import { examine } from './doctor/doctor.ts'
import { type Running, startServer } from './serve.ts'

setDefaultTimeout(180_000)

describe.skipIf(natsPath === null)('events to NATS', () => {
  let root: string
  let nats: Nats
  const servers = new Set<Running>()
  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'brokerbase-events-'))
    nats = await startNats(root)
  })
  afterEach(async () => {
    for (const server of servers) await server.stop()
    servers.clear()
    await nats.stop()
    rmSync(root, { recursive: true, force: true })
  })

  const env = (url = nats.url('EVENTS')) => ({ BROKERBASE_LOG_LEVEL: 'error', BROKERBASE_EVENTS_URL: url })
  const flags = (name = 'data') => ({ 'data-dir': join(root, name), port: '0' })
  async function start(name = 'data', url = nats.url('EVENTS')): Promise<Running> {
    const server = await startServer(loadConfig(flags(name), { env: env(url) }))
    servers.add(server)
    return server
  }
  async function stop(server: Running): Promise<void> {
    servers.delete(server)
    await server.stop()
  }
  const head = ({ platform }: Running, { tenantId }: Firm): number => platform.outbox.head(tenantId)
  /** Writes some events of a firm. */
  async function emit({ platform }: Running, { tenantId }: Firm, count = 1): Promise<void> {
    const ctx = systemCtx(platform, tenantId, 'test')
    await ctx.write('lead.create', (tx) => {
      for (let at = 0; at < count; at += 1)
        tx.emit('lead.created', { leadId: `led_${at}`, status: 'new', source: null })
    })
  }
  const seen = ({ platform }: Running) => platform.sink?.seen()
  /** Waits until the stream has everything of a firm; returns the ids of its messages. */
  async function sent(server: Running, firm: Firm): Promise<string[]> {
    await until('all is sent', () => seen(server)?.state === 'running' && seen(server)?.lag === 0)
    const ids = (await readStream(nats.url('EVENTS'))).map(({ id }) => id)
    expect(ids.at(-1)).toBe(`${firm.tenantId}:${head(server, firm)}`)
    return ids
  }
  const buildIds = ({ tenantId }: Firm, count: number) =>
    Array.from({ length: count }, (_, at) => `${tenantId}:${at + 1}`)

  test('each event is in the stream with the bytes that are stored, the doctor and the figures say how far it is', async () => {
    const server = await start()
    const firm = await foundFirm(server.platform, 'first')
    await emit(server, firm, 300)
    expect(await sent(server, firm)).toEqual(buildIds(firm, head(server, firm)))
    const bodies = server.platform.reader.all<{ body: string }>('SELECT body FROM events ORDER BY position')
    expect((await readStream(nats.url('EVENTS'))).map(({ body }) => body)).toEqual(bodies.map(({ body }) => body))
    const figures = await server.platform.metrics.text()
    expect(figures).toContain('brokerbase_sink_running 1')
    expect(figures).toContain('brokerbase_sink_lag_events 0')
    expect(figures).toContain(`brokerbase_sink_published_total ${bodies.length}`)
    const { lines } = await examine({ ...flags(), port: new URL(server.url).port }, { env: env() })
    const detail = `${nats.url('EVENTS')}, one copy, 0.0 s behind`
    expect(lines.filter(({ check }) => check === 'events')).toMatchObject([{ state: 'warn', detail }])
  })

  test('a server of NATS that is killed and comes back loses nothing and gets nothing twice', async () => {
    const server = await start()
    const firm = await foundFirm(server.platform, 'first')
    for (let round = 0; round < 3; round += 1) {
      await emit(server, firm, 100)
      await nats.kill(0)
      await until('it is noticed', () => seen(server)?.state === 'waiting')
      await emit(server, firm, 100)
      nats.start(0)
      expect(await sent(server, firm)).toEqual(buildIds(firm, head(server, firm)))
    }
  })

  test('a server without NATS starts, writes and stops, and the next one sends what it wrote', async () => {
    await nats.kill(0)
    const first = await start()
    const firm = await foundFirm(first.platform, 'first')
    await emit(first, firm)
    expect(seen(first)).toMatchObject({ state: 'waiting', published: 0, lag: null })
    await stop(first)
    nats.start(0)
    const second = await start()
    expect(await sent(second, firm)).toEqual(buildIds(firm, head(second, firm)))
  })

  test('after a restore to an earlier moment the numbers go on above those of the stream, which is told', async () => {
    const first = await start()
    const firm = await foundFirm(first.platform, 'first')
    await emit(first, firm, 2)
    await sent(first, firm)
    const kept = head(first, firm)
    await stop(first)
    cpSync(join(root, 'data'), join(root, 'before'), { recursive: true })
    const second = await start()
    await emit(second, firm, 3)
    await sent(second, firm)
    await stop(second)
    const restored = await start('before')
    await until('it is noticed', () => readFact(restored.platform.reader, SINK_DIFFERENCES) !== undefined)
    expect(readFact(restored.platform.reader, SINK_DIFFERENCES)?.value).toMatchObject([
      { tenantId: firm.tenantId, kind: 'restored', from: kept + 1, to: kept + 3, unsent: 0 },
    ])
    expect(head(restored, firm)).toBe(kept + 3)
    await emit(restored, firm)
    expect(await sent(restored, firm)).toEqual(buildIds(firm, kept + 4))
  })

  test('a stream with other subjects is refused, and left as it is', async () => {
    const make = async (): Promise<boolean> => {
      const stream = await openNatsStream(readSettings(nats.url('EVENTS')))
      await stream.look().finally(stream.close)
      return true
    }
    await until('there is a stream', () => make().catch(() => false))
    // another stream cannot have the same subjects
    const server = await start('data', nats.url('OTHER'))
    await until('it is refused', () => seen(server)?.refused !== null)
    expect(seen(server)?.refused).toBe('another stream there has the subjects brokerbase.*.>')
  })

  test.skipIf(enginePath === undefined)('with a replica an event goes out only once the replica has it', async () => {
    const settings = { BROKERBASE_REPLICA_URL: `file://${root}/replica`, BROKERBASE_LITESTREAM: enginePath ?? '' }
    const server = await startServer(loadConfig(flags(), { env: { ...env(), ...settings } }))
    servers.add(server)
    const firm = await foundFirm(server.platform, 'first')
    await emit(server, firm)
    const before = await sent(server, firm)
    const engine = server.platform.replication?.seen().engine?.pid ?? 0
    process.kill(engine, 'SIGSTOP')
    await emit(server, firm)
    const isBehind = (): boolean =>
      server.platform.replication?.seen().databases.some(({ lagMs }) => lagMs > 0) ?? false
    await until('the replica lacks it', () => isBehind() && seen(server)?.lag === 1)
    expect((await readStream(nats.url('EVENTS'))).map(({ id }) => id)).toEqual(before)
    process.kill(engine, 'SIGCONT')
    expect(await sent(server, firm)).toEqual([...before, `${firm.tenantId}:${before.length + 1}`])
  })
})
