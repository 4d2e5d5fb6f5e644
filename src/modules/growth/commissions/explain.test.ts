import { expect, spyOn, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { DAY } from '../../../platform/clock.ts'
import { taskRunner } from '../../../platform/query-runner/task.ts'
import { openBrokerDesk } from '../../../testing/broker-desk.ts'

const MANY = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2001)
  INSERT INTO positions (tenant_id, id, platform, server, ticket, account_number, symbol, side, volume, open_price,
    current_price, currency, profit, opened_at, created_at, updated_at)
  SELECT ?1, 'pos_many' || i, 'terminal5', 's', 'many' || i, 'nobody', 'EURUSD', 'long', 1, '1', '1', 'EUR', 0, ?2, ?2, ?2
  FROM n`

test('a month of a large firm is explained in a child, with the same sentences', async () => {
  const { app, firm, desk } = await openBrokerDesk()
  const top = await desk.affiliate(await desk.plan([{ model: 'revenue', symbols: ['*'], rate: '0.5' }]))
  const low = await desk.affiliate(await desk.plan([{ model: 'revenue', symbols: ['*'], rate: '0.4' }]), top.id)
  await desk.trade(await desk.client(low.id), { spread: '100' })
  const month = new Date(app.clock.now()).toISOString().slice(0, 7)
  app.clock.advance(32 * DAY)
  const next = new Date(app.clock.now()).toISOString().slice(0, 7)
  await desk.run(`${month}-01`, `${next}-01`)
  const lines = await desk.lines()
  expect(lines.map(({ level }) => level).sort()).toEqual([1, 2])
  const callers = [firm.as.viewer, await firm.traderSession(top.trader)]
  const asked = (id: string) => Promise.all(callers.map((as) => desk.explain(id, as)))
  const id = lines.find(({ level }) => level === 2)?.id ?? ''
  const started = spyOn(taskRunner, 'run')
  const before = await asked(id)
  expect(before.map(({ equal }) => equal)).toEqual([true, true])
  await systemCtx(app.platform, firm.tenantId, 'test').write('test.many', (tx) => tx.execute(MANY, [tx.now]))
  try {
    expect(started).not.toHaveBeenCalled()
    expect(await asked(id)).toEqual(before)
    expect(started).toHaveBeenCalledTimes(2)
    // another introducing broker may not read the line and must not start a child
    const stranger = await firm.traderSession(low.trader)
    expect((await app.call('GET', `/v1/affiliates/commissions/${id}/explain`, { as: stranger })).status).toBe(404)
    expect(started).toHaveBeenCalledTimes(2)
  } finally {
    started.mockRestore()
  }
  await desk.close()
})
