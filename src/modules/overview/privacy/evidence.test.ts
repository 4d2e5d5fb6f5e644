/** Attempts to destroy evidence: around a hold, by a gift or a merge, through a colleague's address. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { DAY } from '../../../platform/clock.ts'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { createEvidenceDesk } from '../../../testing/evidence-desk.ts'
import { traders } from '../../clients/traders/traders.table.ts'
import { purgeTraders } from './erasure.jobs.ts'

let app: TestApp
let firm: Firm
let firms = 0
beforeAll(() => {
  app = createTestApp()
})
beforeEach(async () => {
  firms += 1
  firm = await app.firm(`evidence${firms}`)
})
afterAll(() => app.close())

const { deposited, emptied, verified } = createEvidenceDesk(() => ({ app, firm }))
const call = (as: Caller, method: string, path: string, body?: object) =>
  app.call(method, path, { as, ...(body && { body }) })
const merge = (as: Caller, primaryId: string, secondaryId: string) =>
  call(as, 'POST', '/v1/admin/traders/merge', { primaryId, secondaryId })
const erase = async () => {
  app.clock.advance(31 * DAY)
  await purgeTraders.run({ platform: app.platform, signal: new AbortController().signal })
}
const readRow = (id: string) =>
  systemCtx(app.platform, firm.tenantId, 'test').db.get(traders, id, { withDeleted: true })
const records = async (): Promise<unknown[]> => (await call(firm.as.owner, 'GET', '/v1/kept-records')).body.data
const ownerMails = () =>
  app.platform.reader.all<{ subject: string }>('SELECT subject FROM mails WHERE tenant_id = ? AND recipient = ?', [
    firm.tenantId,
    `owner@${firm.slug}.test`,
  ])

test('a hold also protects the clients who were merged into the held one', async () => {
  const [held, other] = [await firm.trader(), await firm.trader({ firstName: 'Zebulon' })]
  await call(firm.as.owner, 'PATCH', `/v1/traders/${held}`, { legalHold: true })
  expect((await merge(firm.as.manager, held, other)).status).toBe(200)
  await erase()
  expect(readRow(other)).toMatchObject({ firstName: 'Zebulon', erasedAt: null })
  await call(firm.as.admin, 'PATCH', `/v1/traders/${held}`, { legalHold: false })
  await erase()
  expect(readRow(other).firstName).toBeNull()
})

test('a hold on a merged client protects the whole person, and a hold that moved is lifted once', async () => {
  const { owner, admin, manager } = firm.as
  const [left, away] = [await firm.trader({ firstName: 'Left' }), await firm.trader()]
  await merge(manager, left, away)
  await call(owner, 'PATCH', `/v1/traders/${away}`, { legalHold: true })
  await call(manager, 'DELETE', `/v1/traders/${left}`)
  await erase()
  expect(readRow(left).firstName).toBe('Left')
  const [primary, held] = [await firm.trader(), await firm.trader({ firstName: 'Held' })]
  await call(owner, 'PATCH', `/v1/traders/${held}`, { legalHold: true })
  await merge(manager, primary, held)
  expect([readRow(primary).legalHold, readRow(held).legalHold]).toEqual([true, false])
  expect((await call(admin, 'PATCH', `/v1/traders/${primary}`, { legalHold: false })).status).toBe(200)
  await erase()
  expect(readRow(held).firstName).toBeNull()
})

test('erasing a client with a colleague’s address erases no mail of the colleague', async () => {
  const email = `owner@${firm.slug}.test`
  const made = await call(firm.as.operator, 'POST', '/v1/traders', { email, firstName: 'Twin' })
  expect((await call(firm.as.manager, 'DELETE', `/v1/traders/${made.body.id}`)).status).toBe(204)
  app.clock.advance(30 * DAY)
  const invited = { email: 'mole@elsewhere.test', displayName: 'Mole', roles: ['admin'] }
  expect((await call(firm.as.admin, 'POST', '/v1/users/invite', invited)).status).toBe(201)
  const before = ownerMails()
  expect(before.map(({ subject }) => subject).join()).toContain('Mole')
  await erase()
  expect(readRow(made.body.id).erasedAt).not.toBeNull()
  expect(ownerMails()).toEqual(before)
})

test('a client who got money from another leaves a record, and the giver’s acts stay in it', async () => {
  const [giver, taker] = [await firm.trader({ kycLevel: 2 }), await firm.trader({ kycLevel: 2 })]
  for (const id of [giver, taker]) await deposited(id)
  const findWalletId = async (id: string) =>
    (await call(firm.as.owner, 'GET', `/v1/wallets?traderId=${id}`)).body.data[0].id as string
  const gift = {
    fromWalletId: await findWalletId(giver),
    toWalletId: await findWalletId(taker),
    amount: '5',
    note: 'a gift',
  }
  expect((await call(firm.as.manager, 'POST', '/v1/transfers', gift)).status).toBe(201)
  await emptied(taker, '15')
  expect((await call(firm.as.manager, 'DELETE', `/v1/traders/${taker}`)).body.code).toBe('traders.needs_admin')
  expect((await call(firm.as.admin, 'DELETE', `/v1/traders/${taker}`)).status).toBe(204)
  await erase()
  expect(await records()).toHaveLength(1)
  const { data } = (await call(firm.as.manager, 'GET', '/v1/audit?action=transfer.create')).body
  expect(data[0]).toMatchObject({ traderId: giver, after: { note: 'a gift' } })
})

test('only an admin merges a client with documents away, and all owners are mailed', async () => {
  const [real, puppet] = [await firm.trader(), await firm.trader()]
  await verified(real)
  expect((await merge(firm.as.manager, puppet, real)).status).toBe(403)
  const before = ownerMails().length
  expect((await merge(firm.as.admin, puppet, real)).status).toBe(200)
  expect(ownerMails().slice(before)).toMatchObject([{ subject: expect.stringContaining('merged a client') }])
})
