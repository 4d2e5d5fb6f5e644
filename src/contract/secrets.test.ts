import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMail } from '../modules/base/mails/mails.service.ts'
import { mails } from '../modules/base/mails/mails.table.ts'
import { deliverWebhooks } from '../modules/firm/webhooks/webhooks.jobs.ts'
import { EVENTS } from '../platform/events/catalogue.ts'
import { createTestApp, type TestApp } from '../testing/app.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../testing/fakes/webhook-receiver.ts'
import { GATEWAY_SECRET } from './makers-money.ts'
import { AD_CREDENTIALS } from './makers-rows.ts'
import { collectRoutes } from './routes.ts'
import { buildSample, send } from './samples.ts'
import { furnish, type Place } from './seed-firm.ts'
import { PASSWORD } from './seed-room.ts'

/** A value that must appear nowhere, except once in the answer of `shownBy`. */
type Secret = { kind: string; value: string; shownBy?: string }

let app: TestApp
let place: Place
let receiver: WebhookReceiver
let dataDir: string
const lines: string[] = []
const answers: { request: string; text: string; headers: string }[] = []
const secrets: Secret[] = [
  { kind: 'password', value: PASSWORD },
  { kind: 'gateway secret', value: GATEWAY_SECRET },
  ...Object.values(AD_CREDENTIALS).map((value) => ({ kind: 'ad credential', value })),
]

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'brokerbase-secrets-'))
  receiver = startWebhookReceiver()
  const real = createTestApp({
    config: { allowedNetworks: ['127.0.0.0/8'] },
    dataDir,
    log: (line) => void lines.push(line),
  })
  app = {
    ...real,
    call: async (method, path, options) => {
      const answer = await real.call(method, path, options)
      answers.push({ request: `${method} ${path}`, text: answer.text, headers: JSON.stringify([...answer.headers]) })
      gather(answer)
      return answer
    },
  }
  place = await furnish(app, await app.firm('alpha'), `${receiver.url}/hook`)
  const all = { url: `${receiver.url}/all`, events: Object.keys(EVENTS) }
  await app.call('POST', '/v1/webhooks/subscriptions', { as: place.firm.as.owner, body: all })
  for (const route of collectRoutes(app)) {
    const as = await place.make.member('platform_admin')
    // a sample may end the session of its caller, so each read has its own caller
    const sample = await buildSample(route, place, { as })
    await send(route, place, sample, route.role === 'public' ? {} : { as })
  }
  await deliverWebhooks.run({ platform: app.platform, signal: new AbortController().signal })
  await breakSomething()
  gatherStored()
  // this takes two seconds alone, and five or more on a busy machine
}, 180_000)
afterAll(async () => {
  await app.close()
  await receiver.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Collects the secrets that an answer shows. */
function gather({ body, headers }: { body: unknown; headers: Headers }): void {
  const text = JSON.stringify(body ?? null)
  for (const [, value = ''] of text.matchAll(/"crm_live_[0-9a-f]{16}_([\w-]{43})"/g))
    secrets.push({ kind: 'API key', value, shownBy: 'POST /v1/api-keys' })
  for (const [, value = ''] of text.matchAll(/"whsec_([^"]+)"/g))
    secrets.push({ kind: 'webhook secret', value, shownBy: 'POST /v1/webhooks/subscriptions' })
  for (const [, value = ''] of text.matchAll(/"secret":"([A-Z2-7]{32})"/g))
    secrets.push({ kind: 'TOTP secret', value, shownBy: 'POST /v1/auth/2fa/setup' })
  for (const [, value = ''] of text.matchAll(/"([A-Z2-7]{4}(?:-[A-Z2-7]{4}){3})"/g))
    secrets.push({ kind: 'recovery code', value, shownBy: 'POST /v1/auth/2fa/enable' })
  for (const [, main = '', investor = ''] of text.matchAll(/"main":"([^"]{16})","investor":"([^"]{16})"/g))
    for (const value of [main, investor])
      secrets.push({ kind: 'password of an account', value, shownBy: 'POST /v1/accounts/passwords/reveal' })
  const [, token] = /crm_session=([^;]+);/.exec(headers.get('set-cookie') ?? '') ?? []
  if (token) secrets.push({ kind: 'session token', value: token, shownBy: 'nobody: it is in the cookie' })
}

/** Collects the secrets that are stored, in each form in which they are stored. */
function gatherStored(): void {
  const { reader } = app.platform
  for (const mail of place.ctx.db.list(mails, {})) {
    const [, value] = /token=(\S+)/.exec(openMail(place.ctx.secrets, mail)) ?? []
    if (value) secrets.push({ kind: 'one-time link', value, shownBy: 'GET /v1/mails/' })
  }
  for (const [kind, sql] of [
    ['password hash', 'SELECT password_hash AS value FROM credentials WHERE password_hash IS NOT NULL'],
    ['API key hash', 'SELECT secret_hash AS value FROM api_keys'],
    ['session token hash', 'SELECT token_hash AS value FROM sessions'],
    ['one-time link hash', 'SELECT token_hash AS value FROM one_time_links'],
    ['one-time link hash', 'SELECT link_hash AS value FROM terminal_instructions WHERE link_hash IS NOT NULL'],
    ['recovery code hash', 'SELECT value FROM credentials, json_each(recovery_codes)'],
  ] as const)
    for (const { value } of reader.all<{ value: string }>(sql)) secrets.push({ kind, value })
  secrets.push({ kind: 'sealing key', value: readFileSync(join(dataDir, 'secret.key')).toString('base64') })
}

/** Causes an internal error with a secret in the request; the log must have the error without the secret. */
async function breakSomething(): Promise<void> {
  const { writer, connection } = app.platform
  await writer.submit(() => connection.run('ALTER TABLE psp_connections RENAME TO gone'))
  const { status } = await app.call('POST', '/v1/psp/connections', {
    as: place.firm.as.owner,
    body: { name: 'Gate', kind: 'generic', secret: GATEWAY_SECRET },
  })
  expect(status).toBe(500)
  await writer.submit(() => connection.run('ALTER TABLE gone RENAME TO psp_connections'))
}

/** Returns the kinds of secrets that a text contains. */
const foundIn = (text: string): string[] => [
  ...new Set(secrets.filter(({ value }) => text.includes(value)).map(({ kind }) => kind)),
  ...(text.includes('$argon2') ? ['an Argon2 hash'] : []),
]

test('the requests of this test produced every kind of secret', () => {
  expect([...new Set(secrets.map(({ kind }) => kind))].sort()).toEqual(
    [
      'API key',
      'API key hash',
      'TOTP secret',
      'ad credential',
      'gateway secret',
      'one-time link',
      'one-time link hash',
      'password',
      'password hash',
      'password of an account',
      'recovery code',
      'recovery code hash',
      'sealing key',
      'session token',
      'session token hash',
      'webhook secret',
    ].sort(),
  )
  expect(answers.length).toBeGreaterThan(200)
})

describe('no secret is', () => {
  test('no secret is in an answer, except once in the answer that makes it', () => {
    const faults = new Set<string>()
    const shown = new Map<string, number>()
    for (const { request, text } of answers) {
      if (text.includes('$argon2')) faults.add(`${request}: an Argon2 hash`)
      for (const { kind, value, shownBy } of secrets) {
        if (!text.includes(value)) continue
        const times = (shown.get(value) ?? 0) + 1
        shown.set(value, times)
        // the text of a mail may be read again; any other secret is shown once
        if (shownBy === undefined || !request.startsWith(shownBy) || (times > 1 && kind !== 'one-time link'))
          faults.add(`${request}: ${kind}`)
      }
    }
    expect([...faults]).toEqual([])
  })

  test('no secret is in a header, except the session’s own cookie', () => {
    const opening = ['login', 'reauthenticate', 'change-password', '2fa/enable', '2fa/disable']
    const allowed = opening.map((name) => `POST /v1/auth/${name}: session token`)
    for (const { request, headers } of answers)
      for (const kind of foundIn(headers)) expect(allowed).toContain(`${request}: ${kind}`)
  })

  test('no secret is in the log, not even after an internal error', () => {
    expect(lines.filter((line) => line.includes('request failed')).length).toBeGreaterThan(0)
    expect(lines.flatMap(foundIn)).toEqual([])
  })

  test('no secret is in the audit, in an event or in a delivery to a receiver', () => {
    const { reader } = app.platform
    const texts = [
      ...reader.all<{ text: string }>(`SELECT concat_ws(' ', before, after) AS text FROM audit_data`),
      ...reader.all<{ text: string }>(`SELECT concat_ws(' ', action, entity, entity_id, actor_id) AS text FROM audit`),
      ...reader.all<{ text: string }>('SELECT body AS text FROM events'),
      ...reader.all<{ text: string }>(`SELECT concat_ws(' ', body) AS text FROM webhook_deliveries`),
      ...receiver.received.map(({ text }) => ({ text })),
    ]
    expect(texts.length).toBeGreaterThan(300)
    expect(receiver.received.length).toBeGreaterThan(20)
    expect([...new Set(texts.flatMap(({ text }) => foundIn(text)))]).toEqual([])
  })

  test('no secret is on the disk in clear text', () => {
    const hashed = new Set([
      'password hash',
      'API key hash',
      'session token hash',
      'one-time link hash',
      'recovery code hash',
    ])
    for (const name of ['brokerbase.db', 'brokerbase.db-wal', 'files.db', 'files.db-wal']) {
      const path = join(dataDir, name)
      if (!existsSync(path)) continue
      const bytes = readFileSync(path)
      const faults = secrets
        .filter(({ kind, value }) => !hashed.has(kind) && bytes.includes(value))
        .map(({ kind }) => kind)
      expect([name, [...new Set(faults)]]).toEqual([name, []])
    }
  })
})
