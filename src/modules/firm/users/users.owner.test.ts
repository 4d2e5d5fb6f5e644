import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Ctx, systemCtx } from '../../../platform/access/ctx.ts'
import { createTestApp } from '../../../testing/app.ts'
import { userOwners } from './users.owner.ts'
import { type UserRow, users } from './users.table.ts'

const app = createTestApp()
afterAll(() => app.close())
let ctx: Ctx
beforeAll(async () => {
  ctx = systemCtx(app.platform, (await app.firm('tau')).tenantId, 'test')
})

const added = (status: UserRow['status']): Promise<string> =>
  ctx.write('test.user', (tx) => {
    const email = `${status}@tau.test`
    return tx.insert(users, { email, displayName: status, roles: ['viewer', 'admin'], status }).id
  })
const byAddress = (email: string) =>
  app.platform.directory.all(userOwners.byAddress, email).map(({ userId, traderId }) => [userId, traderId])

test('active staff sign in, invited staff accept their invitation first, disabled staff can do neither', async () => {
  for (const [status, maySignIn, isInvited] of [
    ['active', true, false],
    ['invited', false, true],
    ['disabled', false, false],
  ] as const) {
    const id = await added(status)
    const email = `${status}@tau.test`
    const facts = { email, displayName: status, role: 'admin' as const, locale: null, maySignIn, isInvited }
    expect(userOwners.find(ctx.db, id)).toEqual(facts)
    expect(byAddress(email)).toEqual(status === 'disabled' ? [] : [[id, null]])
    const isIn = await ctx.write('test.invite', (tx) => userOwners.takeInvite(tx, ctx, id, undefined))
    expect(isIn).toBe(status !== 'disabled')
    expect(ctx.db.get(users, id).status).toBe(isIn ? 'active' : 'disabled')
  }
})

test('a deleted user is not found, a sign-in is noted, and accepting an invitation may set the name', async () => {
  const id = await ctx.write('test.user', (tx) => {
    const user = { email: 'late@tau.test', displayName: 'Late', roles: ['viewer' as const], status: 'invited' as const }
    return tx.insert(users, user).id
  })
  await ctx.write('test.invite', (tx) => {
    userOwners.takeInvite(tx, ctx, id, 'Later')
    userOwners.noteSignIn(tx, id)
    return null
  })
  expect(ctx.db.get(users, id)).toMatchObject({ displayName: 'Later', lastLoginAt: app.clock.now() })
  await ctx.write('test.delete', (tx) => {
    tx.remove(users, id)
    expect([userOwners.find(tx, id), userOwners.takeInvite(tx, ctx, id, 'X')]).toEqual([undefined, false])
    return null
  })
  expect(byAddress('late@tau.test')).toEqual([])
})
