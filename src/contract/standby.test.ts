import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrations } from '../platform/db/migrations.ts'
import { openReader } from '../platform/sqlite.ts'
import type { Generation } from '../platform/standby/generations.ts'
import { createSight } from '../platform/standby/sight.ts'
import { type Caller, createTestApp, type TestApp } from '../testing/app.ts'
import { withKeys } from './routes.ts'
import { buildSample, send } from './samples.ts'
import { everyRoute, furnished } from './seeded-app.ts'

/** These reads write an entry of the audit, or need a paper; a standby refuses them, as it does all lists as files. */
const REFUSED = [
  'GET /v1/admin/traders/:id/pii-export',
  'GET /v1/files/:key',
  'GET /v1/kyc/documents/:id/file',
  'GET /v1/mails/:id',
  'GET /v1/stream',
  'GET /v1/traders/import/:id/balances.csv',
]
const isRefused = (key: string): boolean => key.endsWith('/export.csv') || REFUSED.includes(key)
/** These reads are about the machine that answers. */
const OF_THE_MACHINE = ['GET /v1/system/status', 'GET /v1/system/backups/:id/download']

const directory = mkdtempSync(join(tmpdir(), 'brokerbase-standby-'))
let world: Awaited<ReturnType<typeof furnished>>
let standby: TestApp
let boss: Caller
let newest: Generation | undefined

/** Makes a copy of the primary's present moment, which the standby reads from its next request on. */
function copyNow(): Generation {
  const { connection } = world.app.platform
  const path = join(directory, `generation-${Bun.randomUUIDv7()}.db`)
  connection.raw.run('VACUUM INTO ?', [path])
  const facts = {
    history: 'h',
    url: 'https://primary.test',
    schema: migrations.length,
    version: '1',
    wait: 'off',
  } as const
  newest = { path, heartbeat: { at: world.app.clock.now(), ...facts } }
  return newest
}

/** Makes the standby read the primary's present moment, at the same time of the clock. */
function readNow(): void {
  copyNow()
  standby.clock.set(world.app.clock.now())
}

beforeAll(async () => {
  world = await furnished()
  boss = await world.place.make.member('platform_admin')
  const first = copyNow()
  standby = createTestApp({
    sight: createSight({
      standby: {
        take: async () => ({ generation: newest ?? first, release: () => {} }),
        seen: () => ({
          history: 'h',
          heartbeat: newest?.heartbeat ?? null,
          ageSeconds: 0,
          isStale: false,
          silentMs: 0,
          clockAheadMs: null,
          doubt: null,
          failure: null,
        }),
      },
      empty: () => openReader(first.path),
      schema: migrations.length,
      maxAgeSeconds: 60,
      now: () => world.app.clock.now(),
    }),
  })
})
afterAll(async () => {
  await standby.close()
  await world.close()
  rmSync(directory, { recursive: true, force: true })
})

describe('a standby', () => {
  test.each(withKeys(everyRoute().filter(({ mutates }) => mutates)))(
    '%s is refused with the primary’s address',
    async (_, route) => {
      const sample = await buildSample(route, world.place, { as: boss })
      readNow()
      const { status, body, headers } = await send(route, { ...world.place, app: standby }, sample, { as: boss })
      expect([status, body.code, headers.get('x-crm-primary')]).toEqual([503, 'standby', 'https://primary.test'])
    },
  )

  test.each(withKeys(everyRoute().filter(({ mutates }) => !mutates)))(
    '%s is answered as by the primary, or refused',
    async (key, route) => {
      const sample = await buildSample(route, world.place, { as: boss })
      readNow()
      const there = await send(route, { ...world.place, app: standby }, sample, { as: boss })
      if (isRefused(key)) {
        expect([there.status, there.body.code]).toEqual([503, 'standby'])
        return
      }
      if (OF_THE_MACHINE.includes(key)) return
      const here = await send(route, world.place, sample, { as: boss })
      expect([there.status, there.text]).toEqual([here.status, here.text])
    },
  )
})
