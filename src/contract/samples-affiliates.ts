import { affiliates } from '../modules/growth/affiliates/affiliates.table.ts'
import { body, type Make, on } from './sample.ts'

const plan = {
  currency: 'EUR',
  override: 'split',
  splits: ['0.7', '0.3'],
  maxLevels: 2,
  cap: '0.8',
  rules: [
    { model: 'lot', symbols: ['EUR*', 'XAU*'], rate: '7.00' },
    { model: 'cpa', symbols: ['*'], rate: '200.00', minDeposit: '250.00', minLots: '1.5' },
    { model: 'spread', symbols: ['*'], rate: '0.25', from: '2026-02-01T00:00:00Z' },
  ],
}

export const affiliateSamples: Readonly<Record<string, Make>> = {
  'POST /v1/affiliates': body(async ({ make, unique, ib }) => ({
    traderId: await make.trader(),
    code: unique('new-code'),
    parentId: ib.affiliate,
  })),
  'PATCH /v1/affiliates/:id': on(
    async ({ make }) => `/v1/affiliates/${await make.affiliate()}`,
    async ({ make, unique, ib }) => ({
      code: unique('other-code'),
      parentId: ib.affiliate,
      planId: await make.plan(),
      status: 'suspended',
    }),
  ),
  'POST /v1/affiliates/clicks/track': body(({ unique }) => ({
    code: unique('code'),
    url: 'https://acme.test/open?x=1',
    referrer: 'https://blog.test/',
    utm: { source: 'blog', medium: 'post', campaign: 'spring', term: 'fx', content: 'a' },
    visitorId: 'visitor-1234567890',
  })),
  'POST /v1/affiliates/commissions/runs': body(() => ({ from: '2026-01-10', to: '2026-01-12', dryRun: true })),
  'POST /v1/affiliates/payouts': body(async ({ make, ctx, client }, acting) => {
    const own = acting.trader === undefined ? undefined : ctx.db.find(affiliates, { traderId: acting.trader })
    const affiliateId = own?.id ?? (await make.affiliate())
    await make.commission(affiliateId, client)
    return { affiliateId, currency: 'EUR', amount: '75.00' }
  }),
  'POST /v1/affiliates/payouts/:id/approve': on(
    async ({ make }) => `/v1/affiliates/payouts/${await make.payout()}/approve`,
    { note: 'seen' },
  ),
  'POST /v1/affiliates/payouts/:id/reject': on(
    async ({ make }) => `/v1/affiliates/payouts/${await make.payout()}/reject`,
    { reason: 'The month is not over.' },
  ),
  'POST /v1/commission-plans': body(({ unique }) => ({
    name: unique('Gold'),
    ...plan,
    validFrom: '2026-03-01T00:00:00Z',
  })),
  'POST /v1/commission-plans/calculate': body(async ({ make }) => ({
    ...plan,
    trade: { symbol: 'EURUSD', lots: '3', currency: 'EUR', spread: '24.00', commission: '-9.00', swap: '1.00' },
    above: [await make.plan()],
  })),
  'PATCH /v1/commission-plans/:id': on(
    async ({ make }) => `/v1/commission-plans/${await make.plan()}`,
    ({ unique }) => ({ ...plan, name: unique('Silver'), cap: '0.5' }),
  ),
}
