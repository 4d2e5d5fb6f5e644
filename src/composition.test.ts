import { afterAll, beforeAll, expect, test } from 'bun:test'
import { recipients } from './composition.ts'
import { traders } from './modules/clients/traders/traders.table.ts'
import { accountActs, clientActs } from './modules/firm/independence/independence.table.ts'
import { users } from './modules/firm/users/users.table.ts'
import { type Ctx, systemCtx } from './platform/access/ctx.ts'
import { createTestApp, type Firm } from './testing/app.ts'

const app = createTestApp()
afterAll(() => app.close())
let firm: Firm
let ctx: Ctx
beforeAll(async () => {
  firm = await app.firm('rho')
  ctx = systemCtx(app.platform, firm.tenantId, 'test')
})

test('recipients of mail are found by id and by address; deleted ones only on request', async () => {
  const traderId = await firm.trader({ email: 'client@rho.test' })
  const { id } = firm.as.manager
  expect(recipients.users.find(ctx.db, { email: 'manager@rho.test' })).toEqual({ id, role: 'manager' })
  expect(recipients.users.find(ctx.db, { id })).toEqual({ id, role: 'manager' })
  expect(recipients.traders.find(ctx.db, { email: 'client@rho.test' })).toMatchObject({ id: traderId })
  expect(recipients.traders.find(ctx.db, { id })).toBeUndefined()
  await ctx.write('test.delete', (tx) => {
    tx.remove(traders, traderId)
    tx.remove(users, firm.as.viewer.id)
    return null
  })
  for (const [kind, gone] of [
    [recipients.traders, traderId],
    [recipients.users, firm.as.viewer.id],
  ] as const) {
    expect(kind.find(ctx.db, { id: gone })).toBeUndefined()
    expect(kind.find(ctx.db, { id: gone }, { withDeleted: true })).toMatchObject({ id: gone })
  }
})

test('whoever reads a held link is noted as its possible user, except the system', async () => {
  const traderId = await firm.trader()
  const [reader, { id: userId }] = [firm.as.admin.id, firm.as.operator]
  await ctx.write('test.read', (tx) => {
    for (const by of [reader, null]) {
      recipients.users.noteReader(tx, by, userId)
      recipients.traders.noteReader(tx, by, traderId)
    }
    return null
  })
  expect(ctx.db.list(accountActs, { userId }).map(({ byUserId, act }) => [byUserId, act])).toEqual([[reader, 'link']])
  expect(ctx.db.list(clientActs, { traderId }).map(({ userId: by, act }) => [by, act])).toEqual([[reader, 'read_link']])
})
