import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Ctx, systemCtx } from '../../../platform/access/ctx.ts'
import { createTestApp, type Firm } from '../../../testing/app.ts'
import { mails } from '../../base/mails/mails.table.ts'
import { traderOwners } from './traders.owner.ts'
import { traders } from './traders.table.ts'

const app = createTestApp()
afterAll(() => app.close())
let firm: Firm
let ctx: Ctx
beforeAll(async () => {
  firm = await app.firm('upsilon')
  ctx = systemCtx(app.platform, firm.tenantId, 'test')
})

const byAddress = (email: string) =>
  app.platform.directory.all(traderOwners.byAddress, email).map(({ userId, traderId }) => [userId, traderId])

test('clients sign in unless they are closed, and have no role', async () => {
  for (const status of ['active', 'suspended', 'closed'] as const) {
    const email = `${status}@upsilon.test`
    const id = await firm.trader({ email, firstName: 'Ada', lastName: 'Byron', status })
    const maySignIn = status !== 'closed'
    const facts = { email, displayName: 'Ada Byron', role: null, locale: null, maySignIn, isInvited: false }
    expect(traderOwners.find(ctx.db, id)).toEqual(facts)
    expect(byAddress(email)).toEqual(maySignIn ? [[null, id]] : [])
  }
})

test('a deleted client is not found and accepts no invitation', async () => {
  const id = await firm.trader({ email: 'gone@upsilon.test' })
  await ctx.write('test.delete', (tx) => {
    expect(traderOwners.takeInvite(tx, ctx, id, undefined)).toBe(true)
    tx.remove(traders, id)
    expect([traderOwners.find(tx, id), traderOwners.takeInvite(tx, ctx, id, undefined)]).toEqual([undefined, false])
    return null
  })
  expect(byAddress('gone@upsilon.test')).toEqual([])
})

test('an invitation is mailed to the client’s address, and its link signs in only that client', async () => {
  const id = await firm.trader({ email: 'new@upsilon.test', firstName: 'Ada' })
  await ctx.write('test.invite', (tx) => {
    traderOwners.mailInvite(tx, ctx, id, { url: 'https://box.test/link', expiresAt: tx.now + 1 })
    return null
  })
  const [mail] = ctx.db.list(mails, { recipient: 'new@upsilon.test' })
  expect(mail).toMatchObject({ link: true, linkTraderId: id, linkUserId: null })
})
