import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Summary } from '../modules/overview/notifications/notifications.model.ts'
import { ROLES, SCOPES, type Scope } from '../platform/access/catalogue.ts'
import { type Caller, createTestApp, type Firm, type TestApp } from '../testing/app.ts'

/** The list that each count of waiting work is about. */
const LISTS: Readonly<Record<keyof Summary, string>> = {
  pendingKyc: '/v1/kyc/submissions',
  openSanctions: '/v1/sanctions/hits',
  failedScreenings: '/v1/sanctions/lists',
  pendingDeposits: '/v1/deposits',
  requestedWithdrawals: '/v1/withdrawals',
  approvedWithdrawals: '/v1/withdrawals',
  openTickets: '/v1/support/tickets',
  overdueTickets: '/v1/support/tickets',
  newLeads: '/v1/leads',
  requestedAdjustments: '/v1/adjustments',
  pspExceptions: '/v1/psp/exceptions',
  sentTransfers: '/v1/transfers',
  unconfirmedRates: '/v1/fx/rates',
  requestedPayouts: '/v1/affiliates/payouts',
  terminalFindings: '/v1/platforms/findings',
  unresolvedTransfers: '/v1/platforms/findings',
}
/** A list shows these to more people than its count, since only those who decide get the count. */
const COUNTED_FOR_FEWER = ['requestedPayouts']

let app: TestApp
let firm: Firm
beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
})
afterAll(() => app.close())

/** Compares each count of a caller's summary with the answer of the counted list to the same caller. */
async function compare(as: Caller): Promise<void> {
  const { body } = await app.call('GET', '/v1/admin/notifications/summary', { as })
  expect(Object.keys(body).sort()).toEqual(Object.keys(LISTS).sort())
  const wrong: string[] = []
  for (const [name, path] of Object.entries(LISTS)) {
    const { status } = await app.call('GET', path, { as })
    expect([path, [200, 403].includes(status)]).toEqual([path, true])
    const isCounted = body[name] !== null
    if (isCounted && status === 403) wrong.push(`${name} is counted for who may not read ${path}`)
    if (!isCounted && status === 200 && !COUNTED_FOR_FEWER.includes(name)) wrong.push(`${name} is hidden`)
  }
  expect(wrong).toEqual([])
}

test.each([...ROLES])('the summary for role %s has the counts of the lists that it may read, and no others', (role) =>
  compare(firm.as[role]),
)

test('the summary counts payouts for a manager, and not for an operator', async () => {
  const count = async (as: Caller) =>
    (await app.call('GET', '/v1/admin/notifications/summary', { as })).body.requestedPayouts
  expect([await count(firm.as.operator), await count(firm.as.manager)]).toEqual([null, 0])
})

const scopes = Object.keys(SCOPES).filter((name): name is Scope => name in SCOPES && name.endsWith(':read'))
test('the summary for a key has only the counts of lists that its scopes let it read', async () => {
  for (const scope of scopes) await compare(await firm.key(['traders:read', scope]))
})

test('the summary for a key has no count that its maker’s role may not read', async () => {
  await compare(await firm.key(scopes, 'viewer'))
})
