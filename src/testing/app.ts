import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp, jobs } from '../app.ts'
import { type Config, loadConfig } from '../config.ts'
import { traders } from '../modules/clients/traders/traders.table.ts'
import { sessions } from '../modules/firm/auth/auth.table.ts'
import { foundTenant } from '../modules/firm/tenants/tenants.service.ts'
import { users } from '../modules/firm/users/users.table.ts'
import { mintApiKey } from '../platform/access/api-key.ts'
import type { ROLES, Role, Scope } from '../platform/access/catalogue.ts'
import { foundingCtx, systemCtx } from '../platform/access/ctx.ts'
import type { Clock } from '../platform/clock.ts'
import { randomToken } from '../platform/ids.ts'
import { createScheduler } from '../platform/jobs/scheduler.ts'
import { createLog } from '../platform/log.ts'
import { openPlatform, type Platform } from '../platform/platform.ts'
import { sha256Hex } from '../platform/secrets.ts'
import type { Sight } from '../platform/standby/sight.ts'

/** A clock that stops until a test moves it, in milliseconds UTC. A pause ends at once and is noted in `pauses`. */
function fakeClock(
  start = Date.UTC(2026, 0, 15, 12),
): Clock & { advance(ms: number): void; set(ms: number): void; pauses: number[] } {
  let now = start
  const pauses: number[] = []
  return {
    now: () => now,
    sleep: async (ms) => void pauses.push(ms),
    pauses,
    advance: (ms) => {
      now += ms
    },
    set: (ms) => {
      now = ms
    },
  }
}

/** The session cookie or key that sends a request. */
export type Caller = { headers: Readonly<Record<string, string>>; id: string }
export type Answer = { status: number; body: Json; headers: Headers; text: string }
// biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape; assertions are its types
type Json = any

export type Firm = {
  tenantId: string
  slug: string
  /** One signed-in user of each role. */
  as: Readonly<Record<Role, Caller>>
  /** A key made by the user of a role. */
  key(scopes: readonly Scope[], role?: Role): Promise<Caller & { key: string }>
  trader(
    values?: Partial<{
      email: string
      firstName: string
      lastName: string
      phone: string
      status: 'active' | 'suspended' | 'closed'
      kycLevel: number
    }>,
  ): Promise<string>
  /** A signed-in trader. */
  traderSession(traderId: string): Promise<Caller>
  /** Names of events and audit actions since the last call. */
  effects(): { events: string[]; actions: string[] }
}

export type TestApp = {
  platform: Platform
  clock: ReturnType<typeof fakeClock>
  routes: readonly { method: string; path: string; hooks: { detail?: Record<string, unknown> } }[]
  call(
    method: string,
    path: string,
    options?: { as?: Caller; body?: unknown; raw?: BodyInit; headers?: Record<string, string> },
  ): Promise<Answer>
  /** Any request, for bodies that arrive slowly. */
  send(request: Request): Promise<Response>
  /** The raw response, for streams. */
  handle(path: string, as: Caller): Promise<Response>
  firm(slug: string): Promise<Firm>
  close(): Promise<void>
}

export const SETUP_TOKEN = 'setup-token-of-the-tests'

/** The files of an empty installation after its first start, kept in memory; made at the first use. */
let template: readonly (readonly [name: string, bytes: Uint8Array])[] | undefined

const buildConfig = (dataDir: string): Config => ({
  ...loadConfig({ 'data-dir': dataDir, 'rate-short': '0', 'rate-medium': '0', 'rate-long': '0' }, { env: {} }),
  // the clocks of tests jump by weeks; other tests are about sessions that end
  sessionHours: 24 * 3650,
  // no server listens on this port, and calls to its network are refused, so no test calls the real platform
  graph: { url: 'http://127.0.0.1:9', version: 'v24.0' },
})

const temporary = (): string => mkdtempSync(join(tmpdir(), 'brokerbase-test-'))

function makeTemplate(): NonNullable<typeof template> {
  const dataDir = temporary()
  const log = createLog({ level: 'error', write: () => {} })
  const platform = openPlatform({ config: buildConfig(dataDir), clock: fakeClock(), log })
  platform.connection.raw.run('PRAGMA wal_checkpoint(TRUNCATE)')
  const made = ['brokerbase.db', 'secret.key'].map((name) => [name, readFileSync(join(dataDir, name))] as const)
  void platform.close().then(() => rmSync(dataDir, { recursive: true, force: true }))
  return made
}

/** Makes a new directory with a copy of an empty installation, which is twice as fast as migrating one. */
function copyTemplate(): string {
  template ??= makeTemplate()
  const dataDir = temporary()
  for (const [name, bytes] of template) writeFileSync(join(dataDir, name), bytes, { mode: 0o600 })
  return dataDir
}

/** Makes the real application over a temporary directory, with real migrations and a fake clock; it opens no port. */
export function createTestApp(
  options: {
    config?: Partial<Config>
    resolve?: (host: string) => Promise<string[]>
    dataDir?: string
    /** Makes it a standby, which reads this and writes nothing. */
    sight?: Sight
    /** Takes the log's lines, all levels. */
    log?: (line: string) => void
  } = {},
): TestApp {
  const dataDir = options.dataDir ?? copyTemplate()
  const clock = fakeClock()
  const config: Config = { ...buildConfig(dataDir), ...options.config }
  const log = createLog({ level: options.log ? 'debug' : 'error', write: options.log ?? (() => {}) })
  const { resolve, sight } = options
  const platform = openPlatform({ config, clock, log, ...(resolve && { resolve }), ...(sight && { sight }) })
  if (sight) platform.roles.become({ name: 'standby', by: { host: '', url: 'https://primary.test' } })
  const app = createApp(platform, { setupToken: SETUP_TOKEN, scheduler: createScheduler(platform, jobs) })

  const call: TestApp['call'] = async (method, path, { as, body, raw, headers = {} } = {}) => {
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const request = new Request(`http://localhost${path}`, {
      method,
      headers: {
        host: 'localhost',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        // every client declares the length of a text that it has as a whole
        ...(typeof sent === 'string' ? { 'content-length': String(Buffer.byteLength(sent)) } : {}),
        ...as?.headers,
        ...headers,
      },
      ...(sent === undefined ? {} : { body: sent }),
    })
    const response = await app.handle(request)
    const text = await readText(response)
    const isJson = response.headers.get('content-type')?.includes('json') && text !== ''
    return { status: response.status, body: isJson ? JSON.parse(text) : null, headers: response.headers, text }
  }

  return {
    platform,
    clock,
    routes: app.routes,
    call,
    send: async (request) => app.handle(request),
    handle: async (path, as) =>
      app.handle(new Request(`http://localhost${path}`, { headers: { host: 'localhost', ...as.headers } })),
    firm: (slug) => foundFirm(platform, slug),
    close: async () => {
      await platform.close()
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Returns a body as text; of an endless stream, its first chunk. */
async function readText(response: Response): Promise<string> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response.text()
  const reader = response.body?.getReader()
  const first = await reader?.read()
  await reader?.cancel()
  return new TextDecoder().decode(first?.value)
}

const sessionCaller = (id: string, token: string): Caller => ({
  id,
  headers: { cookie: `crm_session=${token}`, origin: 'http://localhost', 'sec-fetch-site': 'same-origin' },
})

/** Makes a firm with one signed-in user of each role directly in the database. */
export async function foundFirm(platform: Platform, slug: string): Promise<Firm> {
  const owner = {
    email: `founder@${slug}.test`,
    displayName: 'Founder',
    passwordHash: null,
    roles: ['owner'] as Role[],
  }
  const { id: tenantId } = await foundTenant(foundingCtx(platform), {
    name: slug,
    slug,
    owner,
    settings: { currency: 'EUR' },
  })
  const ctx = systemCtx(platform, tenantId, 'test')
  const openSession = async (owner: { userId: string } | { traderId: string }): Promise<string> => {
    const token = randomToken(32)
    await ctx.write('test.session', (tx) => {
      tx.insert(sessions, {
        ...owner,
        tokenHash: sha256Hex(token),
        ip: '127.0.0.1',
        lastSeenAt: tx.now,
        // the clocks of tests jump by weeks; other tests are about old passwords
        provenAt: tx.now + 1e12,
        createdAt: tx.now + 1e12,
        expiresAt: tx.now + 1e12,
      })
      return null
    })
    return token
  }
  const staff = async (role: Role): Promise<Caller> => {
    const user = await ctx.write('test.user', (tx) =>
      tx.insert(users, {
        email: `${role}@${slug}.test`,
        displayName: `${role} of ${slug}`,
        roles: [role],
        status: 'active',
      }),
    )
    return sessionCaller(user.id, await openSession({ userId: user.id }))
  }
  const callers = {
    viewer: await staff('viewer'),
    operator: await staff('operator'),
    manager: await staff('manager'),
    admin: await staff('admin'),
    owner: await staff('owner'),
    platform_admin: await staff('platform_admin'),
  } satisfies Record<(typeof ROLES)[number], Caller>
  let seenEvent = 0
  let seenAudit = 0
  const effects = () => {
    const { reader } = platform
    const events = reader.all<{ event: string; sequence: number }>(
      'SELECT event, sequence FROM events WHERE tenant_id = ? AND sequence > ? ORDER BY sequence',
      [tenantId, seenEvent],
    )
    const actions = reader.all<{ action: string; seq: number }>(
      'SELECT action, seq FROM audit WHERE tenant_id = ? AND seq > ? ORDER BY seq',
      [tenantId, seenAudit],
    )
    seenEvent = events.at(-1)?.sequence ?? seenEvent
    seenAudit = actions.at(-1)?.seq ?? seenAudit
    return { events: events.map(({ event }) => event), actions: actions.map(({ action }) => action) }
  }
  effects()
  let count = 0
  return {
    tenantId,
    slug,
    as: callers,
    effects,
    key: async (scopes, role = 'owner') => {
      const { key, publicId, secretHash } = mintApiKey()
      const id = platform.ids.next('key')
      await ctx.write('test.key', (tx) =>
        tx.execute(
          `INSERT INTO api_keys (tenant_id, id, public_id, user_id, label, secret_hash, scopes, created_at, updated_at) VALUES (?1,?2,?3,?4,'test',?5,?6,?7,?7)`,
          [id, publicId, callers[role].id, secretHash, JSON.stringify(scopes), tx.now],
        ),
      )
      return { id, key, headers: { 'x-api-key': key } }
    },
    trader: async (values = {}) => {
      count += 1
      const row = await ctx.write('test.trader', (tx) =>
        tx.insert(traders, {
          email: `trader${count}@${slug}.test`,
          firstName: 'Test',
          lastName: `Trader ${count}`,
          lastActiveAt: tx.now,
          ...values,
        }),
      )
      effects()
      return row.id
    },
    traderSession: async (traderId) => sessionCaller(traderId, await openSession({ traderId })),
  }
}
