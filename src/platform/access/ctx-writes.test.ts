import { afterEach, beforeEach, expect, test } from 'bun:test'
import { createTestApp, type Firm, type TestApp } from '../../testing/app.ts'
import { createCtx, systemCtx } from './ctx.ts'
import { idempotencyContext } from './ctx-writes.ts'

let app: TestApp
let firm: Firm
beforeEach(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
})
afterEach(() => app.close())

const CLAIM = { principal: 'system:test', key: 'k', route: 'POST /x', bodyHash: 'h', status: 201 }
const pinned = (): number =>
  app.platform.reader.get<{ n: number }>(`SELECT count(*) AS n FROM idempotency WHERE key = 'k'`)?.n ?? -1
const claiming = () =>
  createCtx(app.platform, {
    principal: { kind: 'system', id: 'test' },
    tenantId: firm.tenantId,
    requestId: 'r',
    ip: null,
    claim: CLAIM,
  })

test('an Idempotency-Key keeps the result of the first write that answers, not of steps before or writes after', async () => {
  const ctx = claiming()
  await ctx.write('test.step', () => 'step', { answer: false })
  expect(pinned()).toBe(0)
  await ctx.write('test.write', () => 'answer')
  expect(pinned()).toBe(1)
  // the table would refuse a second answer for one key
  expect(await ctx.write('test.write', () => 'later')).toBe('later')
})

test('a write that throws stores no answer and writes nothing', async () => {
  const failed = claiming().write('test.write', (tx): string => {
    tx.audit({ entity: 'test_thing' })
    throw new Error('no')
  })
  expect(await failed.catch(String)).toBe('Error: no')
  expect(pinned()).toBe(0)
  expect(app.platform.reader.get(`SELECT 1 AS n FROM audit WHERE entity = 'test_thing'`)).toBeUndefined()
})

test('a write in two firms adds to the audit of each, and both chains continue', async () => {
  const other = await app.firm('beta')
  const ctx = claiming()
  await ctx.writeAcross('test.mine', { tenantId: other.tenantId, action: 'test.theirs' }, (tx, theirs) => {
    tx.audit({ entity: 'test_thing' })
    theirs.audit({ entity: 'test_thing' })
    return null
  })
  const found = app.platform.reader.all<{ tenant: string; action: string }>(
    `SELECT tenant_id AS tenant, action FROM audit WHERE entity = 'test_thing' ORDER BY action`,
  )
  expect(found).toEqual([
    { tenant: firm.tenantId, action: 'test.mine' },
    { tenant: other.tenantId, action: 'test.theirs' },
  ])
  for (const { tenantId } of [firm, other]) {
    const there = systemCtx(app.platform, tenantId, 'test')
    await there.write('test.next', (tx) => tx.audit({ entity: 'test_thing' }) as never)
    expect((await there.verifyAudit(null)).intact).toBe(true)
  }
})

test('a stored answer cannot be opened with another caller’s key', () => {
  expect(idempotencyContext('t', CLAIM)).not.toBe(idempotencyContext('t', { ...CLAIM, principal: 'user:x' }))
  expect(idempotencyContext('t', CLAIM)).not.toBe(idempotencyContext('u', CLAIM))
})
