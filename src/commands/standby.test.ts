import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256Hex } from '../platform/secrets.ts'
import { ask, PASSWORD, signIn } from '../testing/executable.ts'
import { enginePath, makePlace, type Place } from '../testing/replica.ts'
import { until } from '../testing/until.ts'
import type { Running } from './serve.ts'
import { setup } from './setup.ts'
import { startStandby } from './standby.ts'

setDefaultTimeout(180_000)
const EMAIL = 'owner@pair.test'
const never = (): never => {
  throw new Error('nothing is asked')
}

describe.skipIf(enginePath === undefined)('a standby', () => {
  /** Runs a test over a primary with a firm, whose owner is signed in, and a standby of it. */
  async function atPair(
    act: (pair: { place: Place; primary: Running; standby: Running; cookie: string }) => Promise<void>,
    settings: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const place = makePlace()
    try {
      await setup(place.config('a'), { tenant: 'Pair', email: EMAIL, password: PASSWORD })
      const primary = await place.start('a', { BROKERBASE_PUBLIC_URL: 'https://a.test' })
      const cookie = await signIn(primary.url, EMAIL, PASSWORD)
      mkdirSync(join(place.root, 'b'))
      copyFileSync(join(place.root, 'a/secret.key'), join(place.root, 'b/secret.key'))
      const standby = await startStandby(place.config('b', settings), {}, never)
      try {
        await act({ place, primary, standby, cookie })
      } finally {
        await standby.stop()
      }
    } finally {
      await place.close()
    }
  }
  const read = ({ url }: Running, path: string, cookie = '') => ask(url, 'GET', path, { headers: { cookie } })
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
        expect(Number(sent.get('x-crm-age'))).toBeLessThan(30)
        return JSON.stringify(json).includes('a@clients.test')
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

  test.concurrent('refuses every change with the address of the primary, and reads that leave a trace', async () => {
    await atPair(async ({ standby, cookie }) => {
      await readable(standby)
      const headers = { cookie, origin: standby.url }
      const asked = await Promise.all([
        ask(standby.url, 'POST', '/v1/traders', { headers, body: { email: 'b@clients.test' } }),
        ask(standby.url, 'POST', '/v1/auth/login', { headers, body: { email: EMAIL, password: PASSWORD } }),
        ask(standby.url, 'DELETE', '/v1/traders/trd_1', { headers }),
        read(standby, '/v1/traders/export.csv', cookie),
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

  test.concurrent('a directory that has data is refused, and kept beside with --replace', async () => {
    await atPair(async ({ place, primary }) => {
      await primary.stop()
      const config = place.config('a')
      await expect(startStandby(config, {}, never)).rejects.toThrow('--replace')
      const before = sha256Hex(readFileSync(join(config.dataDir, 'brokerbase.db')))
      const again = await startStandby(config, { replace: true }, never)
      await again.stop()
      const [kept = ''] = readdirSync(config.dataDir).filter((name) => name.startsWith('before-standby-'))
      expect(sha256Hex(readFileSync(join(config.dataDir, kept, 'brokerbase.db')))).toBe(before)
    })
  })
})
