import { affiliates } from '../../modules/growth/affiliates/affiliates.table.ts'
import { commissionPlanVersions } from '../../modules/growth/affiliates/plans.table.ts'
import { affiliatePayouts } from '../../modules/growth/payouts/payouts.table.ts'
import { HOUR } from '../../platform/clock.ts'
import { type Act, act, amount, pick, some, staff } from './draw.ts'
import { call, type Mask, THRESHOLD, type World } from './world.ts'

/** A colleague who wrote or gave an affiliate's terms cannot pay by them alone within this time. RULES “Payouts”. */
const TERMS_COUNT = 72 * HOUR
const RULES = [{ model: 'lot', symbols: ['*'], rate: '99' }]

/** Returns the session of the accomplice who is a broker. */
const findBroker = ({ clients, broker }: World): Mask | undefined =>
  clients.find(({ trader }) => trader === broker.trader)
const listPaid = ({ payouts }: World) => payouts.filter(({ isPaid }) => isPaid)

const acts: readonly Act[] = [
  act('ask for a payout', 4, async (world, random) => {
    const client = findBroker(world)
    const as = random(3) > 0 ? client : staff(world, random)
    if (!as) return
    const asked = amount(random)
    const wanted = { currency: 'EUR', amount: asked, ...(as !== client && { affiliateId: world.broker.id }) }
    const { status, body } = await call(world, as, 'POST', '/v1/affiliates/payouts', wanted)
    if (status === 201) world.payouts.push({ id: body.id, amount: asked, isPaid: false })
  }),
  act(
    'approve a payout',
    ({ payouts }) => (payouts.at(-1)?.isPaid === false ? 8 : 0),
    async (world, random) => {
      // an affiliate has one open request at a time, which is the last one
      const [as, payout] = [staff(world, random), world.payouts.at(-1)]
      if (!as || !payout || payout.isPaid) return
      if (random(6) === 0) {
        const { status } = await call(world, as, 'POST', `/v1/affiliates/payouts/${payout.id}/reject`, { reason: 'x' })
        if (status === 200) world.payouts.pop()
        return
      }
      const { status } = await call(world, as, 'POST', `/v1/affiliates/payouts/${payout.id}/approve`)
      payout.isPaid = status === 200
    },
  ),
  act(
    'ask for commission that was paid',
    (world) => some(listPaid(world), 10),
    async (world, random) => {
      const [client, paid] = [findBroker(world), pick(random, listPaid(world))]
      if (!client || !paid) return
      const destination = { kind: 'bank', reference: 'CROOK 0' }
      // the highest amount that one approval may release
      const most = Number(paid.amount) * 100 < Number(THRESHOLD) ? paid.amount : '9999.99'
      const asked = { currency: 'EUR', amount: most, destination }
      const { status, body } = await call(world, client, 'POST', '/v1/withdrawals', asked)
      if (status === 201) world.withdrawals.push(body.id)
    },
  ),
  act('set an affiliate’s terms', 1, async (world, random) => {
    const as = staff(world, random)
    if (!as) return
    if (random(2) === 0) await call(world, as, 'PATCH', `/v1/commission-plans/${world.broker.plan}`, { rules: RULES })
    const made = await call(world, as, 'POST', '/v1/commission-plans', {
      name: `Plan ${world.payouts.length}`,
      currency: 'EUR',
      override: 'difference',
      maxLevels: 3,
      cap: '1',
      rules: RULES,
    })
    const planId = pick(random, [made.body.id ?? null, null])
    await call(world, as, 'PATCH', `/v1/affiliates/${world.broker.id}`, { planId })
  }),
]

/**
 * The acts of an insider with an accomplice who is a broker and has earned commission. It takes five acts to get the
 * money to a bank. If every walk tried them rarely, none would reach the end, and other ways would be tried less often.
 */
export const BROKER_ACTS: readonly Act[] = acts.map((one) => ({
  ...one,
  weight: (world) => (world.isAboutCommission ? 3 * one.weight(world) : 0),
}))

/** Returns the commission that the last act paid without another person's approval; null if there is none. */
export function soleApproval({ ctx, staff: masks, judged }: World): string | null {
  const mine = new Set(masks.map(({ id }) => id))
  const isMine = (id: string | null): boolean => id !== null && mine.has(id)
  for (const payout of ctx.db.list(affiliatePayouts, { status: 'approved' })) {
    // a payout is judged once, since terms that are set later do no harm
    if (judged.has(payout.id)) continue
    judged.add(payout.id)
    if (!isMine(payout.decidedBy)) continue
    if (payout.amount >= THRESHOLD) return `payout ${payout.id} above the threshold was approved by one person`
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
