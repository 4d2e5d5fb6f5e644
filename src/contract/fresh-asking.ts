import { adjustments } from '../modules/books/adjustments/adjustments.table.ts'
import { transfers } from '../modules/books/transfers/transfers.table.ts'
import { withdrawals } from '../modules/books/withdrawals/withdrawals.table.ts'
import { affiliatePayouts } from '../modules/growth/payouts/payouts.table.ts'
import type { Role } from '../platform/access/catalogue.ts'
import { body, type Make, on } from './sample.ts'
import type { Place } from './seed-firm.ts'

/** This amount, in minor units and as text, reaches every threshold of the tests. */
const LARGE = 2_000_000n
const large = '20000'

/** Requests a large withdrawal for a new client, since the approvals of one colleague for one client add up. */
const largeWithdrawal = async ({ make, ctx }: Place): Promise<string> => {
  const id = await make.withdrawal(await make.client())
  await ctx.write('test.large', (tx) => tx.update(withdrawals, id, { amount: LARGE }).id)
  return id
}

/** Names of colleagues are unique, so each request uses another one. */
let renamed = 0

/** Maps each operation that needs a fresh sign-in only in one case to a request of that case. */
export const asking: Readonly<Record<string, Make>> = {
  'PATCH /v1/auth/me': body(() => {
    renamed += 1
    return { displayName: `Another ${'n'.repeat(renamed)}` }
  }),
  'PATCH /v1/platforms/connections/:id': on(
    async ({ make }) => `/v1/platforms/connections/${await make.terminalConnection()}`,
    { money: true },
  ),
  'POST /v1/deposits/:id/settle': on(
    async ({ make, client }) => `/v1/deposits/${await make.deposit(client, large)}/settle`,
  ),
  'POST /v1/admin/deposits/:id/partial-settle': on(
    async ({ make, client }) => `/v1/admin/deposits/${await make.deposit(client, '30000')}/partial-settle`,
    { settledAmount: large, notes: 'short' },
  ),
  'POST /v1/withdrawals/:id/approve': on(async (place) => `/v1/withdrawals/${await largeWithdrawal(place)}/approve`, {
    note: 'fine',
  }),
  'POST /v1/withdrawals/bulk-approve': body(async (place) => ({
    ids: [await place.make.withdrawal(place.client), await largeWithdrawal(place)],
    note: 'fine',
  })),
  'POST /v1/withdrawals/:id/pay': on(
    async (place) => {
      const id = await largeWithdrawal(place)
      for (const as of [place.firm.as.admin, place.firm.as.owner])
        await place.app.call('POST', `/v1/withdrawals/${id}/approve`, { as, body: { note: 'looked' } })
      return `/v1/withdrawals/${id}/pay`
    },
    ({ unique }) => ({ paymentReference: unique('WIRE') }),
  ),
  'POST /v1/adjustments/:id/approve': on(async ({ make, client, ctx }) => {
    const id = await make.adjustment(client)
    await ctx.write('test.large', (tx) => tx.update(adjustments, id, { amount: LARGE }).id)
    return `/v1/adjustments/${id}/approve`
  }, {}),
  'POST /v1/affiliates/payouts/:id/approve': on(async ({ make, ctx }) => {
    const id = await make.payout()
    await ctx.write('test.large', (tx) => tx.update(affiliatePayouts, id, { amount: LARGE }).id)
    return `/v1/affiliates/payouts/${id}/approve`
  }),
  'POST /v1/transfers': body(async ({ make, client }) => ({
    fromAccountId: await make.account(client),
    toWalletId: await make.findWallet(client),
    amount: large,
  })),
  'POST /v1/transfers/:id/acknowledge': on(
    async ({ make, client, ctx }) => {
      const id = await make.sentTransfer(client)
      await ctx.write('test.large', (tx) => tx.update(transfers, id, { fromAmount: LARGE }).id)
      return `/v1/transfers/${id}/acknowledge`
    },
    { state: 'booked' },
  ),
  'POST /v1/psp/exceptions/:id/close': on(
    async ({ make }) => `/v1/psp/exceptions/${await make.exception()}/close`,
    async ({ make, client }) => ({ reason: 'booked', depositId: await make.deposit(client, large) }),
  ),
  'PATCH /v1/tenants/current': body(async ({ app, firm }) => {
    const { body: now } = await app.call('GET', '/v1/tenants/current', { as: firm.as.owner })
    return { conversion: { spread: now.conversion.spread + 0.001 } }
  }),
  'PATCH /v1/traders/:id': on(
    async ({ make, ctx }) => {
      const id = await make.trader()
      await ctx.write('test.held', (tx) =>
        tx.execute('UPDATE traders SET status = ?2 WHERE tenant_id = ?1 AND id = ?3', ['suspended', id]),
      )
      return `/v1/traders/${id}`
    },
    { status: 'active' },
  ),
  'PATCH /v1/accounts/:id': on(
    async ({ make, client, app, firm }) => {
      const id = await make.account(client)
      await app.call('PATCH', `/v1/accounts/${id}`, { as: firm.as.owner, body: { status: 'suspended' } })
      return `/v1/accounts/${id}`
    },
    { status: 'active' },
  ),
  ...Object.fromEntries(
    ['reporting/dashboard', 'reporting/cohorts', 'reporting/revenue-breakdown', 'activity', 'tax-report'].map(
      (name): [string, Make] => [`GET /v1/admin/${name}`, () => ({ path: `/v1/admin/${name}?format=csv` })],
    ),
  ),
}

/** Maps these operations to the role that sends them, if it is not the least role of the route. */
export const askedRoles: Readonly<Record<string, Role>> = {
  'PATCH /v1/tenants/current': 'owner',
  'POST /v1/transfers': 'manager',
}

/** Maps operations whose usual sample needs a fresh sign-in to a request that does not. */
export const quiet: Readonly<Record<string, Make>> = {
  'PATCH /v1/auth/me': body(() => ({ locale: 'de' })),
  'PATCH /v1/traders/:id': on(async ({ make }) => `/v1/traders/${await make.trader()}`, {
    status: 'suspended',
    firstName: 'Augusta',
  }),
}
