import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { sha256Hex } from '../platform/secrets.ts'
import { openWriter } from '../platform/sqlite.ts'
import { ask, PASSWORD, signIn } from '../testing/executable.ts'
import { enginePath, makePlace, type Place } from '../testing/replica.ts'
import { until } from '../testing/until.ts'
import { leftBehind } from './left-behind.ts'
import { migrateNow } from './migrate.ts'
import type { Running } from './serve.ts'
import { setup } from './setup.ts'
import { promote, type StandbyRunning, startStandby } from './standby.ts'
import { askStandby } from './standby-control.ts'

setDefaultTimeout(180_000)
const EMAIL = 'owner@pair.test'
type Pair = {
  place: Place
  primary: Running
  running: StandbyRunning
  standby: Running
  config: Config
  cookie: string
}
const never = (): never => {
  throw new Error('nothing is asked')
}

describe.skipIf(enginePath === undefined)('a standby', () => {
  /** Runs a test over a primary with a firm, whose owner is signed in, and a standby of it. */
  async function atPair(
    act: (pair: Pair) => Promise<void>,
    settings: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const place = makePlace()
    try {
      await setup(place.config('a'), { tenant: 'Pair', email: EMAIL, password: PASSWORD })
      const primary = await place.start('a', { BROKERBASE_PUBLIC_URL: 'https://a.test' })
      const cookie = await signIn(primary.url, EMAIL, PASSWORD)
      mkdirSync(join(place.root, 'b'))
      copyFileSync(join(place.root, 'a/secret.key'), join(place.root, 'b/secret.key'))
      const from = `file://${place.root}/replica`
      const config = place.config('b', Object.assign({ BROKERBASE_STANDBY_FROM: from }, settings))
      const running = await startStandby(config, {}, never)
      try {
        await act({ place, primary, running, standby: running.current(), config, cookie })
      } finally {
        await running.stop()
      }
    } finally {
      await place.close()
    }
  }
  const read = ({ url }: Running, path: string, cookie = '') => ask(url, 'GET', path, { headers: { cookie } })
  const addClient = async ({ url }: Running, cookie: string, email: string): Promise<string> => {
    const made = await ask(url, 'POST', '/v1/traders', { headers: { cookie, origin: url }, body: { email } })
    expect(made.status).toBe(201)
    return String(made.json.id)
  }
  const listClients = async (one: Running, cookie: string): Promise<string[]> => {
    const { text } = await read(one, '/v1/traders', cookie)
    return [...text.matchAll(/"email":"([^"]+)"/g)].map(([, email = '']) => email).toSorted()
  }
  const readable = (standby: Running) =>
    until('the standby may be read', async () => (await read(standby, '/ready/read')).status === 200)

  test.concurrent('answers reads of whoever is signed in, with the age of its copy, and sees what was written since', async () => {
    await atPair(async ({ primary, standby, cookie }) => {
      expect((await read(standby, '/health')).status).toBe(200)
      expect(await read(standby, '/v1/traders', cookie)).toMatchObject({ status: 503, json: { code: 'standby_stale' } })
      await readable(standby)
      expect((await read(standby, '/ready/read')).json).toMatchObject({ role: 'standby' })
      const ready = await read(standby, '/ready/primary')
      expect([ready.status, ready.json.code, ready.headers.get('x-crm-primary')]).toEqual([
        503,
        'standby',
        'https://a.test',
      ])
      const headers = { cookie, origin: primary.url }
      const made = await ask(primary.url, 'POST', '/v1/traders', { headers, body: { email: 'a@clients.test' } })
      expect(made.status).toBe(201)
      await until('the client is seen', async () => {
        const { status, json, headers: sent } = await read(standby, '/v1/traders', cookie)
        expect([status, sent.get('x-crm-role')]).toEqual([200, 'standby'])
        expect(sent.get('x-crm-age')).toMatch(/^\d+$/)
        // a busy machine may serve an older copy at first
        return JSON.stringify(json).includes('a@clients.test') && Number(sent.get('x-crm-age')) < 30
      })
      const [here, there] = await Promise.all(
        [primary, standby].map(async (one) => (await read(one, `/v1/traders/${made.json.id}`, cookie)).text),
      )
      expect(here).toBe(there)
      expect((await read(standby, '/v1/traders')).status).toBe(401)
      // a report is made by a child that opens the copy by itself
      const report = await read(standby, '/v1/admin/reporting/dashboard', cookie)
      expect(report.status).toBe(200)
    })
  })

  test.concurrent('a standby’s directory gets no database by a command, and one of another key says so', async () => {
    await atPair(async ({ place, running, config }) => {
      for (const command of [migrateNow(config), setup(config, { tenant: 'More', email: EMAIL, password: PASSWORD })])
        await expect(command).rejects.toThrow('is that of a standby')
      await running.stop()
      expect(existsSync(join(config.dataDir, 'brokerbase.db'))).toBe(false)
      mkdirSync(join(place.root, 'c'))
      writeFileSync(join(place.root, 'c/secret.key'), `${Buffer.alloc(32, 7).toString('base64')}\n`, { mode: 0o600 })
      const from = { BROKERBASE_STANDBY_FROM: `file://${place.root}/replica` }
      const other = await startStandby(place.config('c', from), {}, never)
      await until(
        'it says that the key is another one',
        async () => (await askStandby(join(place.root, 'c')))?.failure?.includes('none of this key') ?? false,
      )
      await other.stop()
    })
  })

  test.concurrent('refuses every change with the address of the primary, and reads that leave a trace', async () => {
    await atPair(async ({ standby, cookie }) => {
      await readable(standby)
      const headers = { cookie, origin: standby.url }
      const asked = await Promise.all([
        ask(standby.url, 'POST', '/v1/traders', { headers, body: { email: 'b@clients.test' } }),
        ask(standby.url, 'POST', '/v1/auth/login', { headers, body: { email: EMAIL, password: PASSWORD } }),
        ask(standby.url, 'DELETE', '/v1/traders/trd_1', { headers }),
        read(standby, '/v1/traders/export.csv', cookie),
        read(standby, '/v1/stream', cookie),
        read(standby, '/v1/stream?since=1', cookie),
      ])
      for (const { status, json, headers: sent } of asked)
        expect([status, json.code, sent.get('x-crm-primary'), sent.get('retry-after')]).toEqual([
          503,
          'standby',
          'https://a.test',
          '5',
        ])
    })
  })

  test.concurrent('takes over after the primary has stopped, and that one comes back as its standby', async () => {
    await atPair(async ({ place, primary, running, config, cookie }) => {
      await readable(running.current())
      await expect(promote(config, false, () => {})).rejects.toThrow('Stop it first')
      await addClient(primary, cookie, 'first@clients.test')
      await primary.stop()
      const steps: string[] = []
      await promote(config, false, (step) => void steps.push(step))
      expect(steps.at(-1)).toContain('missing: what was answered after 20')
      const server = running.current()
      const again = await signIn(server.url, EMAIL, PASSWORD)
      expect((await read(server, '/v1/traders', cookie)).status).toBe(401)
      await addClient(server, again, 'second@clients.test')
      expect(await listClients(server, again)).toEqual(['first@clients.test', 'second@clients.test'])
      expect((await read(server, '/ready/primary')).status).toBe(200)

      const old = await place.start('a', {}, false)
      await until('the old server is replaced', () => old.platform.roles.current().name === 'replaced')
      await old.stop()
      const oldConfig = place.config('a')
      await expect(startStandby(oldConfig, {}, never)).rejects.toThrow('--replace')
      const before = sha256Hex(readFileSync(join(oldConfig.dataDir, 'brokerbase.db')))
      const back = await startStandby(oldConfig, { replace: true }, never)
      await readable(back.current())
      expect(await listClients(back.current(), again)).toEqual(['first@clients.test', 'second@clients.test'])
      await back.stop()
      const [kept = ''] = readdirSync(oldConfig.dataDir).filter((name) => name.startsWith('before-standby-'))
      expect(sha256Hex(readFileSync(join(oldConfig.dataDir, kept, 'brokerbase.db')))).toBe(before)
      expect(readFileSync(join(oldConfig.dataDir, kept, 'left-behind.csv'), 'utf8').split('\n')).toHaveLength(2)

      // a place that does not know the data cannot tell that anybody went on with it
      await running.stop()
      const files = () =>
        readdirSync(config.dataDir)
          .filter((name) => !name.includes('lock'))
          .toSorted()
      const there = files()
      const empty = {
        ...config,
        followed: place.config('b', { BROKERBASE_REPLICA_URL: `file://${place.root}/typo` }).followed,
      }
      await expect(startStandby(empty, { replace: true }, never)).rejects.toThrow('does not know the data')
      expect(files()).toEqual(there)

      // the same command is a server from now on, and is none that a standby may replace
      await expect(startStandby(config, { replace: true }, never)).rejects.toThrow('the newest')
      const served = await startStandby(config, {}, never)
      expect(served.current().platform.roles.current().name).toBe('primary')
      const told: string[] = []
      await promote(config, false, (step) => void told.push(step))
      expect(told).toEqual(['the standby here took over before, and is the server since', steps.at(-1) ?? ''])
      await served.stop()
      await expect(promote(config, false, () => {})).rejects.toThrow('does not run')
    })
  })

  test.concurrent('what the primary answered and had not sent stands in the list that is left behind', async () => {
    await atPair(async ({ place, primary, running, config, cookie }) => {
      await addClient(primary, cookie, 'sent@clients.test')
      await readable(running.current())
      await until('the copy has it', async () => (await listClients(running.current(), cookie)).length === 1)
      // an engine that stands still sends nothing more, as on a machine that is cut off
      const engine = primary.platform.replication?.seen().engine?.pid ?? 0
      process.kill(engine, 'SIGSTOP')
      const lost = await addClient(primary, cookie, 'lost@clients.test')
      await promote(config, true, () => {})
      await until('the primary is replaced', () => primary.platform.roles.current().name === 'replaced')
      const server = running.current()
      expect(await listClients(server, await signIn(server.url, EMAIL, PASSWORD))).toEqual(['sent@clients.test'])
      await primary.stop()
      let csv = ''
      await leftBehind(place.config('a'), undefined, (text) => {
        csv += text
      })
      const lines = csv.trim().split('\n')
      expect(lines).toHaveLength(2)
      expect(lines[1]).toContain(lost)
      expect(lines[1]).toContain('trader.create')
    })
  })

  test.concurrent('a standby that replicates elsewhere takes over, and the old server is replaced all the same', async () => {
    const root = mkdtempSync(join(tmpdir(), 'brokerbase-elsewhere-'))
    const elsewhere = { BROKERBASE_REPLICA_URL: `file://${root}/replica` }
    await atPair(async ({ place, primary, running, config, cookie }) => {
      await readable(running.current())
      await addClient(primary, cookie, 'first@clients.test')
      await primary.stop()
      await promote(config, false, () => {})
      const server = running.current()
      const again = await signIn(server.url, EMAIL, PASSWORD)
      expect(await listClients(server, again)).toEqual(['first@clients.test'])
      await until('it replicates', () => server.platform.replication?.seen().state === 'running')
      expect(readdirSync(join(root, 'replica/claims'))).toHaveLength(1)
      const old = await place.start('a', {}, false)
      expect(old.platform.roles.current()).toMatchObject({ name: 'replaced' })
      await old.stop()
      let csv = ''
      await leftBehind(place.config('a'), undefined, (text) => {
        csv += text
      })
      expect(csv.trim().split('\n')).toHaveLength(1)
    }, elsewhere)
    rmSync(root, { recursive: true, force: true })
  })

  test.concurrent('a takeover that fails leaves a standby, and the place to the primary', async () => {
    await atPair(async ({ place, primary, running, config, cookie }) => {
      await addClient(primary, cookie, 'a@clients.test')
      await readable(running.current())
      // whoever changes a row without the key leaves a copy that is not good
      const stranger = openWriter(join(place.root, 'a/brokerbase.db'))
      stranger.run(`UPDATE traders SET email = 'b@clients.test'`)
      stranger.close()
      await primary.stop()
      await expect(promote(config, false, () => {})).rejects.toThrow('rows of traders are not those')
      expect(readdirSync(join(place.root, 'replica/claims'))).toHaveLength(1)
      expect(readFileSync(join(place.root, 'replica/lease.json'), 'utf8')).toContain('"givenUp": true')
      expect(running.current().platform.roles.current().name).toBe('standby')
      expect((await read(running.current(), '/health')).status).toBe(200)
      expect(readdirSync(config.dataDir).filter((name) => name.includes('scratch'))).toEqual([])
    })
  })
})
