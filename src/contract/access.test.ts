import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getRank, ROLES, SCOPES, type Scope } from '../platform/access/catalogue.ts'
import type { Answer, Caller, TestApp } from '../testing/app.ts'
import { HOW_TO_UPDATE, readSnapshot } from '../testing/snapshot.ts'
import { ALSO_NEEDS, CLOSED_TO_KEYS, type Route, withKeys } from './routes.ts'
import { buildSample, send } from './samples.ts'
import { fill, type Place } from './seed-firm.ts'
import { everyRoute, furnished } from './seeded-app.ts'

const routes = everyRoute()
const guarded = withKeys(routes.filter(({ role }) => role !== 'public'))
const ranked = withKeys(routes.filter(({ role }) => role !== 'public' && role !== 'any'))
const everyScope = Object.keys(SCOPES).filter((name): name is Scope => name in SCOPES)
const rankNeeded = ({ role }: Route): number => (role === 'public' || role === 'any' ? 0 : getRank(role))

let app: TestApp
let place: Place
let world: Awaited<ReturnType<typeof furnished>>
beforeAll(async () => {
  world = await furnished()
  app = world.app
  place = world.place
})
afterAll(() => world.close())

/** Sends a request about the firm's rows without a body: access is refused before anything else is checked. */
const knock = (route: Route, as?: Caller, headers: Record<string, string> = {}): Promise<Answer> =>
  app.call(route.method, fill(route.path, place.ids), { ...(as ? { as } : {}), headers })
/** Sends the sample of a route as a caller who may send it; it has to succeed. */
const succeed = async (route: Route, as: Caller, trader?: string): Promise<void> => {
  const acting = trader === undefined ? { as } : { as, trader }
  const sample = await buildSample(route, place, acting)
  const { status, text } = await send(route, place, sample, { as })
  const wanted = sample.status === undefined ? [...route.success.keys()] : [sample.status]
  if (!wanted.includes(status)) throw new Error(`${route.key} answered ${status}: ${text.slice(0, 500)}`)
}
const refused = (answer: Answer, status: 401 | 403, code: string): void => {
  expect([answer.status, answer.body?.code]).toEqual([status, code])
  expect(answer.headers.get('content-type')).toBe('application/problem+json')
}

describe('without a credential', () => {
  test.each(guarded)('%s without a credential answers 401', async (_, route) => {
    refused(await knock(route), 401, 'unauthorized')
    refused(await knock(route, { id: '', headers: { cookie: 'crm_session=nobody' } }), 401, 'unauthorized')
  })
  test.each(withKeys(routes.filter(({ role }) => role === 'public')))(
    '%s without a credential is public',
    async (_, route) => {
      // the operation itself requires a link, a signature or a password
      const { status, body } = await knock(route)
      expect([status, body?.code]).not.toContain('unauthorized')
      expect(body?.code).not.toBe('forbidden')
    },
  )
})

describe('each staff role', () => {
  test.each(ranked)('%s answers 403 to each role below its own, and is done from that role on', async (_, route) => {
    for (const role of ROLES) {
      if (getRank(role) < rankNeeded(route)) refused(await knock(route, place.firm.as[role]), 403, 'forbidden')
      else await succeed(route, await place.make.member(role))
    }
  })
  test.each(withKeys(routes.filter(({ role }) => role === 'any')))(
    '%s is done for every signed-in caller',
    async (_, route) => {
      await succeed(route, await place.make.member('viewer'))
      const trader = await place.make.trader()
      await succeed(route, await place.make.traderSession(trader), trader)
    },
  )
})

/** Any key may call these operations, whatever its scopes: they show no more than the scopes allow. */
const OPEN_TO_KEYS = ['GET /v1/auth/me']

/** These operations use POST and change nothing. */
const ASKED_BY_POST = ['POST /v1/admin/reports/sql', 'POST /v1/kept-records/:id/open']

describe('a key', () => {
  const owner = async (route: Route) =>
    (await place.make.member(route.role === 'platform_admin' ? 'platform_admin' : 'owner')).id

  test.each(ranked.filter(([, { scope }]) => scope !== '-'))(
    '%s requires its scope of a key, and no other scope',
    async (_, route) => {
      const scope = everyScope.find((name) => name === route.scope)
      if (!scope) throw new Error(`${route.scope} is no scope of the catalogue`)
      const writes = route.mutates && !ASKED_BY_POST.includes(route.key)
      expect(scope.endsWith(writes ? ':write' : ':read')).toBe(true)
      const id = await owner(route)
      if (writes) {
        const readOnly = everyScope.filter((name) => name === scope.replace(':write', ':read'))
        refused(await knock(route, await place.make.key(id, readOnly)), 403, 'forbidden')
      }
      const others = everyScope.filter((name) => name !== scope)
      refused(await knock(route, await place.make.key(id, others)), 403, 'forbidden')
      const refusal = CLOSED_TO_KEYS[route.key]
      const extra = ALSO_NEEDS[route.key]
      const key = await place.make.key(id, extra ? [scope, extra] : [scope])
      if (refusal === undefined) await succeed(route, key)
      else
        refused(
          await send(route, place, await buildSample(route, place, { as: place.firm.as.owner }), { as: key }),
          403,
          refusal,
        )
    },
  )
  test.each(ranked.filter(([, route]) => rankNeeded(route) > 0))(
    '%s gives a key no more than the role that its maker has now',
    async (_, route) => {
      const below = ROLES[rankNeeded(route) - 1] ?? 'viewer'
      const { id } = await place.make.member(below)
      refused(await knock(route, await place.make.key(id, everyScope)), 403, 'forbidden')
    },
  )
  test.each(guarded.filter(([, { scope }]) => scope === '-'))(
    '%s requires the auth scope of a key, or is open to all keys',
    async (_, route) => {
      const id = await owner(route)
      const key = await place.make.key(id, ['traders:read'])
      if (OPEN_TO_KEYS.includes(route.key)) return succeed(route, key)
      refused(await knock(route, key), 403, 'forbidden')
      const extra = ALSO_NEEDS[route.key]
      const scopes = ['auth:read', 'auth:write'] as const
      if (extra) refused(await knock(route, await place.make.key(id, scopes)), 403, 'forbidden')
      const able = await place.make.key(id, extra ? [...scopes, extra] : scopes)
      const refusal = CLOSED_TO_KEYS[route.key]
      if (refusal === undefined) return succeed(route, able)
      refused(await send(route, place, await buildSample(route, place, { as: able }), { as: able }), 403, refusal)
    },
  )
})

describe('what ends a credential ends it everywhere at once', () => {
  /** Callers whose credential is well-formed and no longer valid, by the reason. */
  const ended: Record<string, Caller> = {}
  beforeAll(async () => {
    const { make } = place
    const member = await make.member('platform_admin')
    ended.revokedKey = await make.key(member.id, everyScope, { revokedAt: app.clock.now() })
    ended.expiredKey = await make.key(member.id, everyScope, { expiresAt: app.clock.now() })
    const disabled = await make.member('platform_admin')
    ended.disabledSession = disabled
    ended.disabledKey = await make.key(disabled.id, everyScope)
    await app.platform.writer.submit(() =>
      app.platform.connection.run(`UPDATE users SET status = 'disabled' WHERE id = ?`, [disabled.id]),
    )
    const deleted = await make.member('platform_admin')
    ended.deletedSession = deleted
    ended.deletedKey = await make.key(deleted.id, everyScope)
    await app.platform.writer.submit(() =>
      app.platform.connection.run('UPDATE users SET deleted_at = 1 WHERE id = ?', [deleted.id]),
    )
    const suspended = await furnishSuspended()
    ended.suspendedSession = suspended.session
    ended.suspendedKey = suspended.key
    const closed = await make.trader()
    ended.closedTrader = await make.traderSession(closed)
    await app.platform.writer.submit(() =>
      app.platform.connection.run(`UPDATE traders SET status = 'closed' WHERE id = ?`, [closed]),
    )
  })
  async function furnishSuspended() {
    const firm = await app.firm('suspended')
    const key = await firm.key(everyScope, 'platform_admin')
    await app.platform.writer.submit(() =>
      app.platform.connection.run(`UPDATE tenants SET status = 'suspended' WHERE id = ?`, [firm.tenantId]),
    )
    return { session: firm.as.platform_admin, key }
  }
  test.each(guarded)('%s refuses a credential that has ended', async (_, route) => {
    for (const as of Object.values(ended)) refused(await knock(route, as), 401, 'unauthorized')
    expect(Object.keys(ended)).toHaveLength(9)
  })
})

describe('a trader', () => {
  test.each(guarded.filter(([, { role, audience }]) => role !== 'any' && !audience.includes('trader')))(
    '%s refuses a trader: it is for staff',
    async (_, route) => {
      refused(await knock(route, await place.firm.traderSession(place.client)), 403, 'forbidden')
    },
  )
  test.each(withKeys(routes.filter(({ audience }) => audience.includes('trader'))))(
    '%s is done for a trader',
    async (_, route) => {
      // a read is tried on the firm's rows, which belong to the firm's first client
      const trader = route.mutates ? await place.make.client() : place.client
      await succeed(route, await place.make.traderSession(trader), trader)
    },
  )
})

describe('an introducing broker', () => {
  const theirs = routes.filter(({ audience }) => audience.includes('ib'))
  const session = () => place.make.traderSession(place.ib.trader)
  const ended = async (status: 'pending' | 'suspended' | 'closed') => {
    const trader = await place.make.trader()
    const affiliate = await place.make.affiliate(trader)
    const as = await place.make.traderSession(trader)
    await app.platform.writer.submit(() =>
      app.platform.connection.run('UPDATE affiliates SET status = ? WHERE id = ?', [status, affiliate]),
    )
    return as
  }

  test.each(withKeys(theirs))('%s is done for an introducing broker', async (_, route) => {
    // an earlier request may change what is allowed, so each request has a new broker
    const trader = route.mutates ? await place.make.trader() : place.ib.trader
    if (route.mutates) await place.make.affiliate(trader)
    await succeed(route, await place.make.traderSession(trader), trader)
  })
  test.each(guarded.filter(([, { role, audience }]) => role !== 'any' && audience.length === 0))(
    '%s refuses an introducing broker: it is for staff',
    async (_, route) => {
      refused(await knock(route, await session()), 403, 'forbidden')
    },
  )
  test.each(withKeys(theirs))(
    '%s refuses an introducing broker who is not active yet, or no longer',
    async (_, route) => {
      for (const status of ['pending', 'closed'] as const)
        refused(await knock(route, await ended(status)), 403, 'forbidden')
      // a suspended broker still reads the same rows, but may request nothing
      const suspended = await knock(route, await ended('suspended'))
      if (route.mutates) refused(suspended, 403, 'forbidden')
      else expect([200, 404]).toContain(suspended.status)
    },
  )
})

describe('a cookie from another site', () => {
  test.each(guarded.filter(([, { mutates }]) => mutates))(
    '%s refuses a cookie that another site sends',
    async (_, route) => {
      const { cookie = '' } = place.firm.as.platform_admin.headers
      const from = (headers: Record<string, string>) => knock(route, { id: '', headers: { cookie } }, headers)
      refused(await from({}), 403, 'cross_site')
      refused(await from({ origin: 'https://evil.test' }), 403, 'cross_site')
      refused(await from({ origin: 'null' }), 403, 'cross_site')
      refused(await from({ 'sec-fetch-site': 'cross-site', origin: 'http://localhost' }), 403, 'cross_site')
      refused(await from({ 'sec-fetch-site': 'same-site' }), 403, 'cross_site')
    },
  )
})

describe('what the routes declare', () => {
  const declared = Object.fromEntries(
    routes
      .map(({ method, path, role, audience, scope }): [string, string] => [
        `${method} ${path.replace(/:(\w+)/g, '{$1}')}`,
        `${[role, ...audience].join('+')} ${scope}`,
      ])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
  test('the access that routes declare equals the committed table', () => {
    const committed = readSnapshot(join(import.meta.dir, 'access.snapshot.json'), declared)
    expect<unknown>(declared, HOW_TO_UPDATE).toEqual(committed)
  })

  /** The path of a table of operations that was agreed on elsewhere; if set, the routes are compared with it. */
  const specification = process.env.BROKERBASE_OPERATIONS_TABLE ?? ''
  /** Decisions now have their own scopes (RULES “API keys”); the table still names the former scopes of these alone. */
  const OWN_SCOPES: Readonly<Record<string, RegExp>> = {
    'kyc:write': /^(kyc|sanctions)-decisions:write$/,
    'affiliates:write': /^affiliate-decisions:write$/,
    'traders:write': /^merges:write$/,
    'wallets:write': /^bridge:write$/,
  }
  test.skipIf(specification === '')(
    'the access that routes declare equals the table in BROKERBASE_OPERATIONS_TABLE (skipped without one)',
    () => {
      const wanted = readFileSync(specification, 'utf8')
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('#') && !line.startsWith('part\t'))
        .map((line) => line.split('\t'))
      const differing: string[] = []
      for (const [, , method, path, scope, role] of wanted) {
        const is = declared[`${method} ${path}`]
        // the table may lack new operations
        const isOwn = is?.startsWith(`${role} `) && OWN_SCOPES[scope ?? '']?.test(is.slice(`${role} `.length))
        if (is !== undefined && is !== `${role} ${scope}` && !isOwn)
          differing.push(`${method} ${path}: ${is}, wanted ${role} ${scope}`)
      }
      expect(differing).toEqual([])
    },
  )
})
