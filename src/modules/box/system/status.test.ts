import { afterEach, beforeEach, expect, test } from 'bun:test'
import { DAY, HOUR, MINUTE } from '../../../platform/clock.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { getBackups } from '../backups/backups.jobs.ts'
import { watchSystem } from './status.jobs.ts'

let app: TestApp
let firm: Firm
beforeEach(async () => {
  app = createTestApp()
  firm = await app.firm('first')
})
afterEach(() => app.close())

const status = async () => (await app.call('GET', '/v1/system/status', { as: firm.as.platform_admin })).body
const watch = () => watchSystem(getBackups).run({ platform: app.platform, signal: new AbortController().signal })
const mails = () =>
  app.platform.reader.all<{ to: string; subject: string }>(
    `SELECT recipient AS "to", subject FROM mails WHERE subject LIKE 'This installation%' ORDER BY created_at, id`,
  )

test('the status shows version, contents and copies of the box, to its administrator only', async () => {
  expect(await status()).toMatchObject({
    schema: expect.any(Number),
    databases: [{ name: 'brokerbase.db' }, { name: 'files.db' }],
    replica: null,
    provenAt: null,
    keyKept: false,
    warnings: [],
  })
  expect((await app.call('GET', '/v1/system/status', { as: firm.as.owner })).status).toBe(403)
})

test('a day without a drill is a warning, a failed drill an alarm, and a good one ends both', async () => {
  app.clock.advance(26 * HOUR)
  expect((await status()).warnings).toMatchObject([{ code: 'not_proven', severity: 'warning' }])
  expect(await watch()).toBeNull()
  const { connection, writer, blobs } = app.platform
  blobs.put(firm.tenantId, 'fil_1', new Uint8Array([1]), 1)
  await writer.submit(() =>
    connection.run(
      `INSERT INTO files (tenant_id, id, purpose, content_type, size, status, public, created_at, expires_at)
        VALUES (?, 'fil_1', 'logo', 'image/png', 1, 'attached', 0, 1, 1)`,
      [firm.tenantId],
    ),
  )
  blobs.remove(firm.tenantId, 'fil_1')
  await getBackups(app.platform).take('manual')
  blobs.put(firm.tenantId, 'fil_1', new Uint8Array([1]), 1)
  await getBackups(app.platform).drill()
  const [alarm] = (await status()).warnings
  expect(alarm).toMatchObject({ code: 'drill_failed', severity: 'alarm' })
  expect(alarm.text).toContain('fil_1')
  // the alarm is mailed at once, again after a day, and when it is over
  expect(await watch()).toBe('1 alarm sent, 0 ended')
  expect(await watch()).toBeNull()
  expect(mails()).toEqual([{ to: 'platform_admin@first.test', subject: 'This installation needs you' }])
  app.clock.advance(24 * HOUR)
  expect(await watch()).toBe('1 alarm sent, 0 ended')
  await getBackups(app.platform).take('manual')
  await getBackups(app.platform).drill()
  expect((await status()).warnings).toEqual([])
  app.clock.advance(MINUTE)
  expect(await watch()).toBe('0 alarms sent, 1 ended')
  expect(mails().at(-1)?.subject).toBe('This installation is well again')
})

test('a certificate that ends soon is an alarm, and a failed renewal a warning', async () => {
  const state = { source: 'acme', notAfter: app.clock.now() + 20 * DAY, names: ['a.test'], lastError: null } as const
  expect((await status()).certificate).toBeNull()
  app.platform.tls.state = () => ({ ...state, endsSoon: false })
  expect(await status()).toMatchObject({ certificate: { source: 'acme', names: ['a.test'] }, warnings: [] })
  app.platform.tls.state = () => ({ ...state, lastError: 'a.test: no such host', endsSoon: false })
  const [warning] = (await status()).warnings
  expect(warning).toMatchObject({ code: 'certificate', severity: 'warning' })
  expect(warning.text).toEndWith('a.test: no such host.')
  app.platform.tls.state = () => ({ ...state, endsSoon: true })
  expect((await status()).warnings).toMatchObject([{ code: 'certificate', severity: 'alarm' }])
  app.platform.tls.state = () => ({ ...state, notAfter: null, lastError: 'slow', endsSoon: true })
  expect((await status()).warnings).toMatchObject([{ text: 'There is no certificate yet: slow.' }])
})
