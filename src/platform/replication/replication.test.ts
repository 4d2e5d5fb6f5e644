import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type Running, startServer } from '../../commands/serve.ts'
import { setup } from '../../commands/setup.ts'
import { ask } from '../../testing/executable.ts'
import { freePort } from '../../testing/pebble.ts'
import { accepted, enginePath, makePlace, type Place } from '../../testing/replica.ts'
import { until } from '../../testing/until.ts'
import { toIso } from '../clock.ts'
import { readFact } from '../db/box-facts.ts'
import { openReader } from '../sqlite.ts'
import { fetchReplica } from './fetch.ts'
import { readHeartbeat } from './heartbeat.ts'
import { readHistories } from './histories.ts'
import { MARK } from './lineage.ts'
import { createNotes } from './notes.ts'
import { openStore } from './open-store.ts'
import type { Replication } from './replication.ts'
import { type StandbyNote, standbyName } from './standby-notes.ts'

setDefaultTimeout(180_000)
const RUN = `INSERT INTO job_runs (id, name, started_at, status) VALUES (?, 'test', 1, 'done')`

describe.skipIf(enginePath === undefined)('replication', () => {
  let count = 0
  /** Runs a test with a separate place, concurrently with the others, since nearly all of its time is waiting. */
  const atPlace = (name: string, act: (place: Place) => Promise<void>): void =>
    test.concurrent(name, async () => {
      const place = makePlace()
      try {
        await act(place)
      } finally {
        await place.close()
      }
    })

  const of = ({ platform }: Running): Replication => {
    if (!platform.replication) throw new Error('no replica is configured')
    return platform.replication
  }
  const write = ({ platform }: Running): Promise<number> => {
    count += 1
    const id = `run_${count}`
    return platform.writer.submit(() => platform.connection.run(RUN, [id]))
  }
  const killEngine = (server: Running): void => {
    const pid = of(server).seen().engine?.pid
    if (!pid) throw new Error('no engine runs')
    process.kill(pid, 'SIGKILL')
  }
  const lineages = async (place: Place) => {
    const store = openStore({ kind: 'file', directory: `${place.root}/replica` }, {})
    return readHistories(store, createNotes(store, []))
  }
  /** Returns how many runs of jobs the newest history has at its place. */
  const runsAtPlace = async (place: Place): Promise<number> => {
    const into = join(place.root, 'fetched')
    mkdirSync(into)
    const lineage = (await lineages(place)).at(-1)?.id ?? ''
    const from = { kind: 'file', directory: join(place.root, 'replica') } as const
    await fetchReplica({ binary: enginePath ?? '', place: from, keys: {}, lineage, at: null, into })
    const copy = openReader(join(into, 'brokerbase.db'))
    try {
      return copy.get<{ n: number }>('SELECT count(*) AS n FROM job_runs')?.n ?? 0
    } finally {
      copy.close()
    }
  }
  const countPages = ({ platform }: Running): number => platform.writer.checkpoint.pages()

  atPlace('a server begins a history, and goes on with it after each stop', async (place) => {
    const first = await place.start('a')
    const { state, lineage, engine, databases } = of(first).seen()
    expect([state, engine?.restarts]).toEqual(['running', 0])
    expect(databases.map(({ name }) => name)).toEqual(['brokerbase.db', 'files.db'])
    await until('no lag', () =>
      of(first)
        .seen()
        .databases.every(({ lagMs }) => lagMs === 0),
    )
    expect(countPages(first)).toBe(0)
    await first.stop()
    expect(readFileSync(join(place.root, 'replica/lease.json'), 'utf8')).toContain('"givenUp": true')
    const again = await place.start('a')
    expect(of(again).seen().lineage).toBe(lineage)
    expect(await lineages(place)).toMatchObject([{ id: lineage, reason: 'new', from: null }])
  })

  atPlace(
    'only the owner can read the configuration and the socket of the engine, and no key is in them',
    async (place) => {
      await place.start('a')
      const config = readFileSync(join(place.root, 'a/engine/litestream.json'), 'utf8')
      expect(JSON.parse(config)).toMatchObject({
        'verify-compaction': true,
        snapshot: { interval: '24h', retention: '168h' },
      })
      const listed = Bun.spawnSync(['stat', '-c', '%a %n', 'litestream.json', 'control'], {
        cwd: join(place.root, 'a/engine'),
      })
      expect(listed.stdout.toString().trim().split('\n')).toEqual(['600 litestream.json', '600 control'])
    },
  )

  atPlace('a server writes heartbeats of its history while a standby shows itself, and none before', async (place) => {
    const store = openStore({ kind: 'file', directory: `${place.root}/replica` }, {})
    const first = await place.start('a', { BROKERBASE_REPLICA_WAIT: 'all' })
    expect(readHeartbeat(first.platform.reader)).toBeUndefined()
    await first.stop()
    const key = Buffer.from(readFileSync(join(place.root, 'a/secret.key'), 'utf8'), 'base64')
    const seenAt = toIso(first.platform.clock.now())
    const note: StandbyNote = { host: 'b', url: '', ageSeconds: null, history: 'h', seenAt }
    await createNotes(store, [key]).write(standbyName('b'), note)
    const second = await place.start('a', { BROKERBASE_REPLICA_WAIT: 'all' })
    await until('a heartbeat is there', () => readHeartbeat(second.platform.reader) !== undefined)
    const { at, ...facts } = readHeartbeat(second.platform.reader) ?? { at: 0 }
    expect(facts).toMatchObject({ history: of(second).seen().lineage, wait: 'all' })
    await until('another one follows', () => (readHeartbeat(second.platform.reader)?.at ?? 0) > at)
  })

  atPlace('an engine that is killed is started again, and the replica lacks nothing', async (place) => {
    const server = await place.start('a')
    for (let round = 1; round <= 3; round += 1) {
      killEngine(server)
      await write(server)
      await until(
        'it runs again',
        () => of(server).seen().engine?.restarts === round && of(server).seen().state === 'running',
      )
    }
    await until('no lag', () =>
      of(server)
        .seen()
        .databases.every(({ lagMs }) => lagMs === 0),
    )
    expect(countPages(server)).toBe(0)
  })

  atPlace('while no engine can run, the database makes the checkpoints', async (place) => {
    const server = await place.start('a')
    // no engine can start while its directory is missing
    const gone = join(place.root, 'a/engine')
    killEngine(server)
    renameSync(gone, `${gone}.away`)
    writeFileSync(gone, 'no directory')
    await until('own checkpoints', () => countPages(server) === 1000)
    expect(of(server).seen().state).toBe('down')
    await write(server)
    rmSync(gone)
    renameSync(`${gone}.away`, gone)
    await until('it runs again', () => of(server).seen().state === 'running')
    expect(countPages(server)).toBe(0)
  })

  atPlace(
    'a new history begins with another whole copy, even if the state of the engine has files of the former one',
    async (place) => {
      const first = await place.start('a')
      await write(first)
      await first.stop()
      // the engine removes changes that it has stored after a while
      rmSync(join(place.root, 'a/engine/brokerbase.db/ltx/0/0000000000000001-0000000000000001.ltx'))
      const elsewhere = `file://${join(place.root, 'elsewhere')}`
      const second = await place.start('a', { BROKERBASE_REPLICA_URL: elsewhere })
      await write(second)
      await until('no lag', () =>
        of(second)
          .seen()
          .databases.every(({ lagMs }) => lagMs === 0),
      )
      expect(of(second).seen().state).toBe('running')
    },
  )

  /** Damages a file of the engine's state while its place is missing, and gives the place back. */
  const spoil = async (
    place: Place,
    server: Running,
    which: -1 | -2,
    damage: (file: string) => void,
  ): Promise<void> => {
    const directory = join(place.root, 'a/engine/brokerbase.db/ltx/0')
    // a file that is still being written has another ending and is not counted
    const kept = (): string[] =>
      readdirSync(directory)
        .filter((name) => name.endsWith('.ltx'))
        .sort()
    const before = kept().length
    const replica = join(place.root, 'replica')
    renameSync(replica, `${replica}.away`)
    writeFileSync(replica, 'no directory')
    for (let more = 1; more <= 3; more += 1) {
      await write(server)
      await until('the engine keeps it', () => kept().length >= before + more)
    }
    killEngine(server)
    damage(join(directory, kept().at(which) ?? ''))
    rmSync(replica)
    renameSync(`${replica}.away`, replica)
  }
  /** Waits until the replica has everything, stops the server, and compares a restore with its database. */
  const hasAll = async (place: Place, server: Running): Promise<void> => {
    await until('it runs', () => of(server).seen().state === 'running')
    await write(server)
    await until('no lag', () =>
      of(server)
        .seen()
        .databases.every(({ lagMs }) => lagMs === 0),
    )
    const rows = server.platform.reader.get<{ n: number }>('SELECT count(*) AS n FROM job_runs')?.n
    await server.stop()
    expect(await runsAtPlace(place)).toBe(rows ?? -1)
  }

  const DAMAGES = {
    'cut off': (file: string) => truncateSync(file, 10),
    gone: (file: string) => rmSync(file),
    'full of zeros': (file: string) => writeFileSync(file, Buffer.alloc(statSync(file).size)),
  }
  for (const [how, damage] of Object.entries(DAMAGES))
    atPlace(`a change that the engine has not stored yet is ${how}, and another history begins`, async (place) => {
      const server = await place.start('a')
      const { lineage } = of(server).seen()
      await spoil(place, server, -2, damage)
      await until('another history', () => of(server).seen().lineage !== lineage)
      await hasAll(place, server)
      expect((await lineages(place)).map(({ reason, from, complete }) => [reason, from, complete])).toEqual([
        ['new', null, true],
        ['engine reset', lineage, true],
      ])
    })

  atPlace(
    'an engine whose state lost its newest change reads the log again, and the replica lacks nothing',
    async (place) => {
      const server = await place.start('a')
      const { lineage } = of(server).seen()
      await spoil(place, server, -1, (file) => rmSync(file))
      await hasAll(place, server)
      expect((await lineages(place)).map(({ id }) => id)).toEqual([lineage ?? ''])
    },
  )

  atPlace('an older copy of the database that was put back begins another history', async (place) => {
    const first = await place.start('a')
    const { lineage } = of(first).seen()
    await first.stop()
    cpSync(join(place.root, 'a'), join(place.root, 'copy'), { recursive: true })
    const second = await place.start('a')
    await write(second)
    await second.stop()
    for (const suffix of ['', '-wal', '-shm']) rmSync(join(place.root, `a/brokerbase.db${suffix}`), { force: true })
    for (const suffix of ['', '-wal', '-shm']) {
      const old = join(place.root, `copy/brokerbase.db${suffix}`)
      if (existsSync(old)) cpSync(old, join(place.root, `a/brokerbase.db${suffix}`))
    }
    const third = await place.start('a')
    expect(of(third).seen().lineage).not.toBe(lineage)
    expect((await lineages(place)).map(({ reason, from }) => [reason, from])).toEqual([
      ['new', null],
      ['put back', lineage],
    ])
  })

  atPlace('a copy of the directory that is served later, or elsewhere, begins another history', async (place) => {
    const first = await place.start('a')
    const { lineage } = of(first).seen()
    await first.stop()
    cpSync(join(place.root, 'a'), join(place.root, 'b'), { recursive: true })
    await (await place.start('a')).stop()
    const copy = await place.start('b')
    expect(of(copy).seen().lineage).not.toBe(lineage)
    await copy.stop()
    const moved = await place.start('a', { BROKERBASE_REPLICA_URL: `file://${place.root}/other` })
    expect(of(moved).seen().lineage).not.toBe(lineage)
    const mark = readFact(moved.platform.reader, MARK)
    expect(mark?.value.place).toEndWith('/other')
  })

  atPlace('a second server at a place waits, names the first, and takes over once it is gone', async (place) => {
    const first = await place.start('a')
    const second = await place.start('b', {}, false)
    await until('it waits', () => of(second).seen().state === 'waiting')
    expect(of(second).seen().why).toContain('another server on')
    expect(of(second).seen().engine?.pid ?? null).toBeNull()
    await first.stop()
    await until('it runs', () => of(second).seen().state === 'running')
    expect(await lineages(place)).toHaveLength(2)
  })

  atPlace('an engine that a killed server left behind is ended before another one begins', async (place) => {
    const first = await place.start('a')
    await first.stop()
    const config = join(place.root, 'a/engine/litestream.json')
    const left = Bun.spawn([enginePath ?? '', 'replicate', '-no-expand-env', '-config', config], {
      stdout: 'ignore',
      stderr: 'ignore',
    })
    await until('it listens', () => existsSync(join(place.root, 'a/engine/control')))
    const second = await place.start('a')
    await left.exited
    expect(left.signalCode).toBe('SIGKILL')
    expect(of(second).seen().state).toBe('running')
  })

  atPlace(
    'answers wait for the replica; while it is out of reach writes are refused, and later they succeed again',
    async (place) => {
      const server = await place.start('a', { BROKERBASE_REPLICA_WAIT: 'all' })
      await accepted(() => write(server))
      expect(
        of(server)
          .seen()
          .databases.map(({ lagMs }) => lagMs),
      ).toEqual([0, 0])
      const replica = join(place.root, 'replica')
      renameSync(replica, `${replica}.away`)
      writeFileSync(replica, 'no directory')
      // the first write only fails after it has waited
      await expect(write(server)).rejects.toThrow(/did not have it in time|out of reach/)
      await until('it is known', () => of(server).seen().state === 'down')
      await expect(write(server)).rejects.toThrow('the replica is out of reach')
      // jobs of the server store their runs in the same table
      expect(server.platform.reader.get('SELECT id FROM job_runs WHERE id = ?', [`run_${count}`])).toBeUndefined()
      const refused = await fetch(`${server.url}/v1/setup`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          token: server.setupToken,
          tenantName: 'Firm',
          email: 'boss@firm.test',
          displayName: 'Boss',
          password: 'correct horse battery',
        }),
      })
      expect([refused.status, await refused.json()]).toMatchObject([503, { code: 'replica_away' }])
      rmSync(replica)
      renameSync(`${replica}.away`, replica)
      // the server is sure of its place again once the lease is renewed, which is later than the engine runs
      await accepted(() => write(server))
    },
  )

  atPlace('a server that starts while its replica is out of reach acknowledges no write', async (place) => {
    const config = { ...place.config('a', { BROKERBASE_REPLICA_WAIT: 'all' }), port: freePort() }
    await setup(config, { tenant: 'Firm', email: 'boss@firm.test', password: 'correct horse battery' })
    writeFileSync(join(place.root, 'replica'), 'no directory')
    const starting = startServer(config)
    const url = `http://localhost:${config.port}`
    await until('it listens', () =>
      fetch(`${url}/health`)
        .then(({ ok }) => ok)
        .catch(() => false),
    )
    const answer = await ask(url, 'POST', '/v1/auth/login', {
      headers: { origin: url },
      body: { email: 'boss@firm.test', password: 'correct horse battery' },
    })
    expect([answer.status, answer.json.code]).toEqual([503, 'starting'])
    const server = await starting
    await expect(write(server)).rejects.toThrow('the replica is out of reach')
    await server.stop()
  })

  atPlace('with degrade, answers leave while the replica is out of reach', async (place) => {
    const settings = { BROKERBASE_REPLICA_WAIT: 'all', BROKERBASE_REPLICA_WAIT_FAILURE: 'degrade' }
    const server = await place.start('a', settings)
    const replica = join(place.root, 'replica')
    renameSync(replica, `${replica}.away`)
    writeFileSync(replica, 'no directory')
    await write(server)
    await until('it is known', () => of(server).seen().state === 'down')
    await write(server)
    expect(of(server).seen().databases[0]?.lagMs).toBeGreaterThan(0)
    rmSync(replica)
    renameSync(`${replica}.away`, replica)
    await until('no lag', () =>
      of(server)
        .seen()
        .databases.every(({ lagMs }) => lagMs === 0),
    )
  })
})
