import { expect, test } from 'bun:test'
import { openBrokerDesk } from '../../../testing/broker-desk.ts'
import { createSeededRandom } from '../../../testing/insider/draw.ts'

const MONTHS = [2, 3, 4, 5, 6, 7]
const startOfMonth = (month: number): string => `2026-${String(month).padStart(2, '0')}-01`
const SEEDS = Number(process.env.BROKERBASE_SEEDS ?? 1)

/** Returns in whole cents what each month pays at a rate of 1: its gain less the losses before it. */
function paidBy(sums: ReadonlyMap<number, number>): number[] {
  let left = 0
  return MONTHS.map((month) => {
    const sum = left + (sums.get(month) ?? 0)
    left = Math.min(0, sum)
    return Math.max(0, sum)
  })
}

test('each month pays what all known facts give, however runs divide the months and whatever is reported late', async () => {
  // with seed 31 an older version paid wrongly, since a month without a line carried nothing over
  for (let seed = 31; seed < 31 + SEEDS; seed += 1) {
    const any = createSeededRandom(seed)
    const { app, firm, desk } = await openBrokerDesk()
    const top = await desk.affiliate(await desk.plan([{ model: 'revenue', symbols: ['*'], rate: '0.7' }]))
    const low = await desk.affiliate(await desk.plan([{ model: 'revenue', symbols: ['*'], rate: '0.5' }]), top.id)
    const clients = [await desk.client(low.id), await desk.client(low.id, { currency: 'ZAR' })] as const
    const sums = new Map<number, number>()
    const trade = async (month: number) => {
      const cents = (any(2001) - 800) * 20
      const isRand = any(16) === 0
      if (isRand) firstRand = Math.min(firstRand, month)
      // a rand is worth a tenth of a euro
      sums.set(month, (sums.get(month) ?? 0) + (isRand ? cents / 10 : cents))
      const amount = (Math.abs(cents) / 100).toFixed(2)
      const closedAt = `2026-0${month}-${String(2 + any(26)).padStart(2, '0')}T12:00:00Z`
      await desk.trade(clients[isRand ? 1 : 0], {
        ...(cents < 0 ? { spread: '0', swap: amount } : { spread: amount }),
        closedAt,
      })
    }
    let isPriced = false
    let firstRand = Number.POSITIVE_INFINITY
    const covered = new Set<number>()
    /** Runs some months, and checks all months that were run so far and do not wait for a rate. */
    const run = async (from: number, to: number, dryRun: boolean) => {
      await desk.run(startOfMonth(from), startOfMonth(to), dryRun)
      if (dryRun) return
      for (const month of MONTHS) if (month >= from && month < to) covered.add(month)
      const path = '/v1/affiliates/commissions?limit=200'
      const { data } = (await app.call('GET', path, { as: firm.as.manager })).body
      for (const [index, due] of paidBy(sums).entries()) {
        const month = MONTHS[index] ?? 0
        if (!covered.has(month) || (!isPriced && month >= firstRand)) continue
        const paid = [0, 0]
        for (const { occurredAt, level, amount } of data)
          if (Number(occurredAt.slice(5, 7)) === month)
            paid[level - 1] = (paid[level - 1] ?? 0) + Math.round(Number(amount) * 100)
        expect({ seed, month, paid }).toEqual({ seed, month, paid: [due / 2, due / 5].map(Math.round) })
      }
    }
    for (const month of MONTHS) {
      app.clock.set(Date.UTC(2026, month, 1, 1))
      for (let n = 1 + any(2); n > 0; n -= 1) await trade(month)
      if (any(3) === 0) await trade(MONTHS[any(MONTHS.indexOf(month) + 1)] ?? month)
      if (any(2) === 0) continue
      const from = Math.max(2, month - any(2))
      await run(from, from + 1 + any(month - from + 1), any(4) === 0)
    }
    const rates = [{ base: 'ZAR', quote: 'EUR', rate: '0.1', since: '2026-02-01' }]
    await desk.post('/v1/fx/rates/upsert', { rates })
    isPriced = true
    await run(2, 8, false)
    await desk.explainAll()
    await desk.close()
  }
})
