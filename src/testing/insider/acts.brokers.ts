import { affiliates } from '../../modules/affiliates/affiliates.table.ts'
import { commissionPlanVersions } from '../../modules/commissions/plans.table.ts'
import { affiliatePayouts } from '../../modules/payouts/payouts.table.ts'
import { HOUR } from '../../platform/clock.ts'
import { type Act, act, amount, open, pick, some, staff } from './draw.ts'
import { call, type World } from './world.ts'

/** So long who wrote or gave an affiliate's terms pays nothing by them. rules.md “Commissions”. */
const TERMS_COUNT = 72 * HOUR
const RULES = [{ model: 'lot', symbols: ['*'], rate: '99' }]

/** What an insider may try with an accomplice who is a broker and has earned something. */
export const BROKER_ACTS: readonly Act[] = [
  act('ask for a payout', 4, async (world, random) => {
    const client = world.clients.find(({ trader }) => trader === world.broker.trader)
    const as = random(2) === 0 ? client : staff(world, random)
    if (!as) return
    const wanted = { currency: 'EUR', amount: amount(random), ...(as !== client && { affiliateId: world.broker.id }) }
    const { status, body } = await call(world, as, 'POST', '/v1/affiliates/payouts', wanted)
    if (status === 201) world.payouts.push(body.id)
  }),
  act(
    'approve a payout',
    ({ payouts }) => some(payouts, 8),
    async (world, random) => {
      const [as, id] = [staff(world, random), open(random, world.payouts)]
      if (!as || !id) return
      if (random(6) === 0) await call(world, as, 'POST', `/v1/affiliates/payouts/${id}/reject`, { reason: 'x' })
      else await call(world, as, 'POST', `/v1/affiliates/payouts/${id}/approve`)
    },
  ),
  act(
    'ask for commission that was paid',
    ({ payouts }) => some(payouts, 6),
    async (world, random) => {
      const client = world.clients.find(({ trader }) => trader === world.broker.trader)
      if (!client) return
      const destination = { kind: 'bank', reference: 'CROOK 0' }
      const asked = { currency: 'EUR', amount: amount(random), destination }
      const { status, body } = await call(world, client, 'POST', '/v1/withdrawals', asked)
      if (status === 201) world.withdrawals.push(body.id)
    },
  ),
  act('set an affiliate’s terms', 1, async (world, random) => {
    const as = staff(world, random)
    if (!as) return
    if (random(2) === 0) await call(world, as, 'PATCH', `/v1/commission-plans/${world.broker.plan}`, { rules: RULES })
    const made = await call(world, as, 'POST', '/v1/commission-plans', {
      ...{ name: `Plan ${world.payouts.length}`, currency: 'EUR', override: 'difference', maxLevels: 3, cap: '1' },
      rules: RULES,
    })
    const planId = pick(random, [made.body.id ?? null, null])
    await call(world, as, 'PATCH', `/v1/affiliates/${world.broker.id}`, { planId })
  }),
]

/** What the act before had paid as commission with nobody else's word for it; null when nothing. */
export function soleApproval({ ctx, staff: masks, judged }: World): string | null {
  const mine = new Set(masks.map(({ id }) => id))
  const isMine = (id: string | null): boolean => id !== null && mine.has(id)
  for (const payout of ctx.db.list(affiliatePayouts, { status: 'approved' })) {
    // terms that are set afterwards do no harm
    if (judged.has(payout.id)) continue
    judged.add(payout.id)
    if (!isMine(payout.decidedBy)) continue
    if (isMine(payout.requestedBy)) return `payout ${payout.id} was asked for and approved by one person`
    const at = payout.decidedAt ?? 0
    const isLately = (then: number | null): boolean => then !== null && at - then < TERMS_COUNT
    const { planBy, planAt, planId } = ctx.db.get(affiliates, payout.affiliateId)
    const versions = planId === null ? [] : ctx.db.list(commissionPlanVersions, { planId })
    const wrote = versions.some(({ createdBy, createdAt }) => isMine(createdBy) && isLately(createdAt))
    if (wrote || (isMine(planBy) && isLately(planAt))) return `payout ${payout.id} is by terms of who approved it`
  }
  return null
}
