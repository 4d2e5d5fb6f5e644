import { expect, spyOn, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { MINUTE } from '../../../platform/clock.ts'
import { taskRunner } from '../../../platform/query-runner/task.ts'
import { openBrokerDesk } from '../../../testing/broker-desk.ts'

const MANY = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5001)
  INSERT INTO traders (tenant_id, id, affiliate_id, created_at, updated_at) SELECT ?1, 'trd_many' || i, ?2, ?3, ?3 FROM n`

test('a large firm’s funnel is computed in a child, and cached for a minute', async () => {
  const { app, firm, desk } = await openBrokerDesk()
  const { id } = await desk.affiliate(null)
  const write = systemCtx(app.platform, firm.tenantId, 'test').write
  await write('test.many', (tx) => tx.execute(MANY, [id, tx.now]))
  app.clock.advance(1)
  const ask = async () => (await app.call('GET', '/v1/affiliates/funnel', { as: firm.as.viewer })).body
  const started = spyOn(taskRunner, 'run')
  try {
    const [first, same] = await Promise.all([ask(), ask()])
    const counts = { clicks: 0, registrations: 5001, kycApproved: 0, firstDeposits: 0 }
    expect(first).toMatchObject({ ...counts, byAffiliate: [{ affiliateId: id, ...counts }] })
    expect(same).toEqual(first)
    expect(await ask()).toEqual(first)
    expect(started).toHaveBeenCalledTimes(1)
    app.clock.advance(MINUTE)
    expect((await ask()).to).not.toBe(first.to)
    expect(started).toHaveBeenCalledTimes(2)
  } finally {
    started.mockRestore()
  }
  await desk.close()
})
