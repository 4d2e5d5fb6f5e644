import { affiliateClicks, affiliates } from '../modules/growth/affiliates/affiliates.table.ts'
import { affiliateBalances } from '../modules/growth/affiliates/balances.table.ts'
import { commissionPlanVersions } from '../modules/growth/affiliates/plans.table.ts'
import { commissionLines, commissionRuns } from '../modules/growth/commissions/commissions.table.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { Room } from './seed-room.ts'

/** Returns makers of affiliates and of what they earn by a client. */
export function affiliateMakers(
  { app, firm, ctx, unique, did, post, readId }: Room,
  client: string,
  trader: () => Promise<string>,
) {
  const { operator, manager } = firm.as
  const make = {
    plan: () =>
      readId(
        post('/v1/commission-plans', {
          name: unique('plan'),
          currency: 'EUR',
          override: 'difference',
          maxLevels: 3,
          cap: '0.9',
          rules: [{ model: 'lot', symbols: ['*'], rate: '5.00' }],
        }),
      ),
    /** Makes an active affiliate, for a new client if none is named. */
    affiliate: async (traderId?: string, parentId: string | null = null) => {
      const planId = await make.plan()
      const body = { traderId: traderId ?? (await trader()), code: unique('code'), parentId }
      const id = await readId(post('/v1/affiliates', body, operator))
      await did(app.call('PATCH', `/v1/affiliates/${id}`, { as: manager, body: { planId, status: 'active' } }))
      return id
    },
    /** Makes a visitor who followed the link of an affiliate, and returns the visitor's id. */
    visitor: async (affiliateId: string) => {
      const visitorId = unique('visitor-of-a-link')
      await ctx.write('test.visit', (tx) => tx.insert(affiliateClicks, { affiliateId, visitorId }).id)
      return visitorId
    },
    /** Makes a commission in a closed run, and returns the line's id. */
    commission: (affiliateId: string, traderId: string) =>
      ctx.write('test.commission', (tx) => earn(tx, affiliateId, traderId, unique('pos'))),
    payout: async (affiliateId?: string) => {
      const id = affiliateId ?? (await make.affiliate())
      await make.commission(id, client)
      return readId(post('/v1/affiliates/payouts', { affiliateId: id, currency: 'EUR', amount: '60' }, manager))
    },
  }
  return make
}

/** Earns an affiliate 100,000 minor units in a closed run; returns the line's id. */
function earn(tx: Tx, affiliateId: string, traderId: string, trade: string): string {
  const { planId } = tx.get(affiliates, affiliateId)
  const version = tx.find(commissionPlanVersions, { planId: planId ?? '' })
  const days = { fromDay: '2026-01-01', toDay: '2026-01-02', fromAt: 0, toAt: 1, snapshotAt: 0 }
  const run = tx.insert(commissionRuns, { ...days, dryRun: false, status: 'closed' })
  const known = tx.find(affiliateBalances, { affiliateId, currency: 'EUR' })
  const balance = known ?? tx.insert(affiliateBalances, { affiliateId, currency: 'EUR' })
  tx.update(affiliateBalances, balance.id, { earned: balance.earned + 100_000n })
  return tx.insert(commissionLines, {
    runId: run.id,
    affiliateId,
    traderId,
    level: 1,
    model: 'lot',
    sourceType: 'trade',
    currency: 'EUR',
    source: `trade:${trade}`,
    symbol: 'EURUSD',
    lots: 100_000_000n,
    occurredAt: tx.now,
    planVersionId: version?.id ?? '',
    amount: 100_000n,
    detail: { rate: '5' },
  }).id
}
