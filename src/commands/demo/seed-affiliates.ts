import { traderHooks } from '../../composition.ts'
import { updateTrader } from '../../modules/clients/traders/traders.service.ts'
import { createAffiliate, updateAffiliate } from '../../modules/growth/affiliates/affiliates.service.ts'
import { affiliateClicks } from '../../modules/growth/affiliates/affiliates.table.ts'
import { runBatch } from '../../modules/growth/commissions/batches.ts'
import { commissionRuns } from '../../modules/growth/commissions/commissions.table.ts'
import { sumRunLines, toFoundBatch } from '../../modules/growth/commissions/commissions.tasks.ts'
import { createPlan } from '../../modules/growth/commissions/plans.service.ts'
import {
  closeRun,
  nextOrder,
  noteProgress,
  startRun,
  writeLines,
} from '../../modules/growth/commissions/runs.service.ts'
import { approvePayout } from '../../modules/growth/payouts/payouts.decisions.ts'
import { requestPayout } from '../../modules/growth/payouts/payouts.service.ts'
import type { Ctx } from '../../platform/access/ctx.ts'
import { DAY, HOUR } from '../../platform/clock.ts'
import { addDays, toDay } from '../../platform/zone.ts'
import type { Client, DeskSeed, Step } from './seed-step.ts'

/** The codes of the demo's brokers, each with the index of the broker above it. */
const BROKERS = [
  ['harbour-partners', null],
  ['nicosia-fx', 0],
  ['limassol-desk', 0],
  ['blue-lagoon', 1],
  ['trading-school', null],
  ['weekend-webinar', 4],
] as const
const WITHIN = 120 * DAY

/** Computes a run at once, since the demo's past cannot start children. */
async function runAtOnce(ctx: Ctx, from: string, to: string, timeZone: string): Promise<void> {
  const { id } = await startRun(ctx, { from, to })
  for (let run = ctx.db.get(commissionRuns, id); run.phase !== 'close'; run = ctx.db.get(commissionRuns, id)) {
    const { linesWanted, ...order } = nextOrder(ctx.db, run, timeZone)
    const found = toFoundBatch(runBatch(ctx.db, order), linesWanted)
    await ctx.write('commissions.lines', (tx) => {
      writeLines(tx, id, found.lines)
      noteProgress(tx, run, found)
      return null
    })
  }
  await closeRun(ctx, ctx.db.get(commissionRuns, id), sumRunLines(ctx.db, id))
}

/** The brokers made so far, in the order of their codes. */
type Made = { id: string; traderId: string }[]

const USUAL = { currency: 'EUR', maxLevels: 3, cap: '0.8', override: 'difference' } as const
const INTRODUCERS = {
  ...USUAL,
  name: 'Introducers',
  rules: [
    { model: 'lot', symbols: ['XAU*'], rate: '6.00' },
    { model: 'spread', symbols: ['US500', 'GER40'], rate: '0.25' },
    { model: 'lot', symbols: ['*'], rate: '4.00' },
  ],
} satisfies Parameters<typeof createPlan>[1]
const PARTNERS = {
  ...USUAL,
  name: 'Partners',
  rules: [
    { model: 'lot', symbols: ['*'], rate: '7.00' },
    { model: 'cpa', symbols: ['*'], rate: '150.00', minDeposit: '500.00' },
  ],
} satisfies Parameters<typeof createPlan>[1]

/** Adds two plans, and the tree of brokers, each with its client. */
function planBrokers({ as, desk }: DeskSeed, begin: number, bearers: readonly Client[], made: Made): Step[] {
  const plans = { introducers: '', partners: '' }
  const agree = async () => {
    plans.introducers = (await createPlan(as(desk.admin), INTRODUCERS)).id
    plans.partners = (await createPlan(as(desk.admin), PARTNERS)).id
  }
  const steps: Step[] = [{ at: begin, run: agree }]
  for (const [index, [code, under]] of BROKERS.entries()) {
    const bearer = bearers[index]
    if (!bearer) continue
    steps.push({
      at: begin + (index + 1) * HOUR,
      run: async () => {
        const parentId = under === null ? null : (made[under]?.id ?? null)
        const traderId = bearer.made.id
        const { id } = await createAffiliate(as(desk.operator), { traderId, code, parentId })
        const planId = under === null ? plans.partners : plans.introducers
        await updateAffiliate(as(desk.manager), id, { status: 'active', planId }, undefined)
        made[index] = { id, traderId }
      },
    })
  }
  return steps
}

/** Gives brokers some of the clients who joined before a time, and a quarter of the recent ones. */
function broughtBy(seed: DeskSeed, begin: number, old: readonly Client[], all: readonly Client[], made: Made): Step[] {
  const { random, end, as, desk } = seed
  const bring = (trader: Client['made'], index: number) => async () => {
    const affiliateId = made[index]?.id
    if (affiliateId !== undefined && trader.id !== '')
      await updateTrader(as(desk.manager), traderHooks, trader.id, { affiliateId }, undefined)
  }
  const steps: Step[] = []
  for (const { made: trader } of old.filter(() => random.chance(0.35)).slice(0, 160)) {
    const index = random.between(0, BROKERS.length - 1)
    steps.push({ at: begin + DAY + random.between(0, 20) * HOUR, run: bring(trader, index) })
  }
  for (const { made: trader, joined } of all.filter(({ joined }) => joined > end - 80 * DAY))
    if (random.chance(0.25))
      steps.push({ at: joined + HOUR, run: bring(trader, random.between(0, BROKERS.length - 1)) })
  return steps
}

/** Adds visits by the brokers' links, some each day. */
function planClicks({ random, end, as, desk }: DeskSeed, made: Made): Step[] {
  const url = 'https://www.meridian.example/open-account'
  return Array.from({ length: 80 }, (_, index) => {
    const day = 80 - index
    const visits = random.between(2, 14)
    const run = () =>
      as(desk.admin).write('affiliate.clicks', (tx) => {
        for (let n = 0; n < visits; n += 1) {
          const affiliateId = made[random.between(0, BROKERS.length - 1)]?.id
          if (affiliateId === undefined) continue
          const visitorId = `demo-visitor-${day}-${n}`
          tx.insert(affiliateClicks, { affiliateId, visitorId, url, referrer: null, utm: null, addressHash: null })
        }
        return null
      })
    return { at: end - day * DAY, run }
  })
}

/** Adds two runs of commission, a payout that was made, and two that wait. */
function planRuns({ end, as, desk }: DeskSeed, made: Made): Step[] {
  const timeZone = 'Europe/Nicosia'
  const today = toDay(end, timeZone)
  const middle = addDays(today, -20)
  const ask = async (index: number, amount: string) => {
    const broker = made[index]
    if (!broker) return undefined
    const session = { kind: 'trader', id: broker.traderId, sessionId: '', impersonatorId: null } as const
    const own = { ...session, affiliate: { id: broker.id, suspended: false } }
    return requestPayout(as(own), { currency: 'EUR', amount })
  }
  const payOne = async () => {
    const payout = await ask(0, '60')
    if (payout) await approvePayout(as(desk.owner), payout.id, undefined, undefined)
  }
  return [
    { at: end - 19 * DAY, run: () => runAtOnce(as(desk.admin), addDays(today, -60), middle, timeZone) },
    { at: end - 18 * DAY, run: payOne },
    { at: end - 3 * HOUR, run: () => runAtOnce(as(desk.admin), middle, today, timeZone) },
    { at: end - 2 * HOUR, run: () => ask(4, '75') },
    { at: end - HOUR, run: () => ask(1, '55') },
  ]
}

/** Adds brokers in three levels with two plans, their clients, two runs, and payouts. */
export function seedAffiliates(seed: DeskSeed, clients: readonly Client[]): Step[] {
  const begin = seed.end - WITHIN
  const old = clients.filter(({ joined }) => joined < begin - 30 * DAY).toSorted((a, b) => a.joined - b.joined)
  const bearers = old.slice(60, 60 + BROKERS.length)
  const others = old.filter((client) => !bearers.includes(client))
  const made: Made = []
  return [
    ...planBrokers(seed, begin, bearers, made),
    ...broughtBy(seed, begin, others, clients, made),
    ...planClicks(seed, made),
    ...planRuns(seed, made),
  ]
}
