import { afterAll, beforeAll, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { NEAR, startTradingServer } from '../../../testing/trading-server.ts'
import { terminalFindings } from '../../terminals/findings/findings.table.ts'

let app: TestApp
let firm: Firm
let other: Firm
beforeAll(async () => {
  app = createTestApp({ config: NEAR })
  firm = await app.firm('alpha')
  other = await app.firm('beta')
})
afterAll(() => app.close())

const summary = async (as: Caller) => (await app.call('GET', '/v1/admin/notifications/summary', { as })).body
const announce = async (of: Firm) => {
  const traderId = await of.trader()
  return app.call('POST', '/v1/deposits', {
    as: of.as.operator,
    body: { traderId, currency: 'EUR', amount: '5', method: 'bank' },
  })
}

test('the summary has the counts of the firm’s waiting work that the viewer may see', async () => {
  const before = await summary(firm.as.manager)
  const { body } = await announce(firm)
  await announce(other)
  expect(await summary(firm.as.manager)).toEqual({ ...before, pendingDeposits: before.pendingDeposits + 1 })
  await app.call('POST', `/v1/deposits/${body.id}/settle`, { as: firm.as.manager })
  expect(await summary(firm.as.manager)).toEqual(before)
  expect(await summary(firm.as.viewer)).toMatchObject({ openSanctions: null, requestedAdjustments: null })
})

test('managers are told of open findings of trading servers, and of those of unresolved transfers', async () => {
  const findings = await app.firm('findings')
  const { id: connectionId, stop } = await startTradingServer(app, findings)
  await stop()
  await systemCtx(app.platform, findings.tenantId, 'test').write('test.findings', (tx) => {
    for (const [kind, state] of [
      ['transfer_unresolved', 'open'],
      ['balance_differs', 'open'],
      ['transfer_unresolved', 'closed'],
    ] as const)
      tx.insert(terminalFindings, { connectionId, subject: kind, detail: {}, kind, state })
    return null
  })
  const count = async (as: Caller) => {
    const { terminalFindings: open, unresolvedTransfers } = await summary(as)
    return [open, unresolvedTransfers]
  }
  expect(await count(findings.as.manager)).toEqual([2, 1])
  expect(await count(findings.as.operator)).toEqual([null, null])
  expect(await count(other.as.manager)).toEqual([0, 0])
})

test('the counts of waiting work stop at 10,000', async () => {
  const busy = await app.firm('busy')
  const add = (from: number, to: number) =>
    app.platform.connection.run(
      `INSERT INTO leads (tenant_id, id, email, created_at, updated_at)
        WITH RECURSIVE n (i) AS (SELECT ?2 UNION ALL SELECT i + 1 FROM n WHERE i < ?3)
        SELECT ?1, printf('led_%05d', i), printf('p%d@leads.test', i), i, i FROM n`,
      [busy.tenantId, from, to],
    )
  add(1, 9999)
  expect((await summary(busy.as.viewer)).newLeads).toBe(9999)
  add(10_000, 10_200)
  expect((await summary(busy.as.viewer)).newLeads).toBe(10_000)
  expect((await summary(other.as.viewer)).newLeads).toBe(0)
})

/** Opens a stream; `until` waits until a text comes in it, or until it ends. */
async function listen(as: Caller) {
  const response = await app.handle('/v1/stream', as)
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const reader = response.body?.getReader()
  if (!reader) throw new Error('no body')
  const heard = { text: '' }
  const until = async (text: string) => {
    while (!heard.text.includes(text)) {
      const { value, done } = await reader.read()
      if (done) return 'ended'
      heard.text += new TextDecoder().decode(value)
    }
    return 'heard'
  }
  return { heard, until }
}

test('the stream sends the counts at once and at changes, for its own firm only, and ends with the session', async () => {
  const { heard, until } = await listen(firm.as.operator)
  const { pendingDeposits } = await summary(firm.as.manager)
  expect(await until(`"pendingDeposits":${pendingDeposits}`)).toBe('heard')
  heard.text = ''
  await announce(other)
  await announce(firm)
  expect(await until(`"pendingDeposits":${pendingDeposits + 1}`)).toBe('heard')
  expect(heard.text).toContain('"openSanctions":null')
  await app.call('POST', '/v1/auth/sessions/revoke-all', { as: firm.as.operator })
  expect(await until('never said')).toBe('ended')
})

test('a stream ends when its reader’s role changes, since it shows what that role may see', async () => {
  const { until } = await listen(firm.as.manager)
  expect(await until('"openSanctions":0')).toBe('heard')
  const changed = await app.call('PATCH', `/v1/users/${firm.as.manager.id}/roles`, {
    as: firm.as.owner,
    body: { roles: ['viewer'] },
  })
  expect(changed.status).toBe(200)
  expect(await until('never said')).toBe('ended')
})

test('a stream of a key ends when the key does', async () => {
  const key = await firm.key(['traders:read', 'auth:read'], 'admin')
  const { until } = await listen(key)
  expect(await until('"openTickets"')).toBe('heard')
  expect((await app.call('DELETE', `/v1/api-keys/${key.id}`, { as: firm.as.owner })).status).toBe(204)
  expect(await until('never said')).toBe('ended')
})

test('clients and callers without a sign-in get no stream', async () => {
  const trader = await firm.traderSession(await firm.trader())
  expect((await app.call('GET', '/v1/stream', { as: trader })).status).toBe(403)
  expect((await app.call('GET', '/v1/stream')).status).toBe(401)
})

test('one user has at most eight streams, over all sessions and keys; closing one makes room', async () => {
  const { owner } = firm.as
  const key = await firm.key(['traders:read', 'auth:read'])
  const open = [...Array(7).fill(owner), key].map((as: Caller) => app.handle('/v1/stream', as))
  const streams = await Promise.all(open)
  expect(streams.map(({ status }) => status)).toEqual(Array(8).fill(200))
  const refused = await app.call('GET', '/v1/stream', { as: owner })
  expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
    429,
    'too_many_streams',
    '60',
  ])
  expect((await app.handle('/v1/stream', firm.as.admin)).status).toBe(200)
  await streams[0]?.body?.cancel()
  expect((await app.handle('/v1/stream', owner)).status).toBe(200)
})
