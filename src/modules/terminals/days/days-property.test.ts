import { expect, test } from 'bun:test'
import { HOUR, MINUTE } from '../../../platform/clock.ts'
import { addDays } from '../../../platform/zone.ts'
import { createTestApp } from '../../../testing/app.ts'
import { createDice } from '../../../testing/lease/world.ts'
import { makeLogin, NEAR, startTradingServer } from '../../../testing/trading-server.ts'
import { ACTS } from '../simulator/simulator.acts.ts'
import { tellTruth } from '../simulator/simulator.truth.ts'
import { tellTerminalDays } from './days.jobs.ts'

/** How many random histories are tried. */
const SEEDS = Number(process.env.BROKERBASE_SEEDS ?? 2)
const DAYS = 5
const GROUPS = ['real\\hedging-usd', 'real\\netting-usd', 'real\\netting-jpy', 'real\\hedging-eur'] as const

test.each(Array.from({ length: SEEDS }, (_, seed) => seed + 1))(
  'after random trading and bookings the days say the truth of the terminal, and explain it (seed %d)',
  async (seed) => {
    const app = createTestApp({ config: NEAR })
    const firm = await app.firm('alpha')
    const terminal = await startTradingServer(app, firm, { seed })
    const { engine, step } = terminal.simulator
    const { next: random } = createDice(seed)
    const logins: number[] = []
    const join = (group: string): void => {
      const { login } = makeLogin(engine, { group, leverage: 100 })
      ACTS.manualDeposit(engine, { login, amount: '100000', comment: 'cash' })
      logins.push(login)
    }
    const act = (mayJoin: boolean): void => {
      const login = logins[Math.floor(random() * logins.length)]
      const amount = String(Math.ceil(random() * 50))
      const chance = random()
      if (login === undefined || chance > 0.5) step()
      else if (chance > 0.4) ACTS.manualDeposit(engine, { login, amount, comment: 'cash' })
      else if (chance > 0.3) ACTS.manualDeposit(engine, { login, amount: `-${amount}`, comment: 'cash' })
      else if (chance > 0.2) ACTS.credit(engine, { login, amount, comment: 'bonus' })
      else if (chance > 0.1) ACTS.otherDeal(engine, { login, action: 8, amount: `-${amount}` })
      else if (chance > 0.05) ACTS.otherDeal(engine, { login, action: 19, amount })
      else if (mayJoin) join(GROUPS[Math.floor(random() * GROUPS.length)] ?? GROUPS[0])
    }
    for (const group of GROUPS) join(group)
    await terminal.read()
    const truth = new Map<string, number>()
    for (let day = '2026-01-15', n = 0; n < DAYS; n += 1, day = addDays(day, 1)) {
      const midnight = Date.parse(`${addDays(day, 1)}T00:00:00Z`)
      while (app.clock.now() < midnight - HOUR) {
        for (let acts = random() * 6; acts > 0; acts -= 1) act(true)
        await terminal.read(Math.min(Math.floor(random() * 3 * HOUR), midnight - app.clock.now() - 1))
      }
      // the last minute is traded and not read any more; who is first seen after it is not of this day
      app.clock.advance(midnight - app.clock.now() - MINUTE)
      for (let acts = 0; acts < 5; acts += 1) act(false)
      for (const { group, balance } of tellTruth(engine, null).filter(({ group: name }) => name.startsWith('real'))) {
        const key = `${day} ${group.slice(-3).toUpperCase()}`
        truth.set(key, (truth.get(key) ?? 0) + Number(balance))
      }
      app.clock.advance(2 * MINUTE)
      for (let acts = 0; acts < 3; acts += 1) act(true)
      await terminal.read(11 * MINUTE)
      await tellTerminalDays.run({ platform: app.platform, signal: new AbortController().signal })
    }
    const rows = (await app.call('GET', '/v1/platforms/days?limit=200', { as: firm.as.admin })).body.data
    expect(new Set(rows.map(({ unexplained }: { unexplained: string }) => Number(unexplained)))).toEqual(new Set([0]))
    const told = rows.map((row: Record<string, string>) => [`${row.day} ${row.currency}`, row.balance])
    expect(told.length).toBe(truth.size)
    for (const [key, balance] of told)
      expect([key, Number(balance)]).toEqual([key, expect.closeTo(truth.get(key) ?? 0, 4)])
    await terminal.stop()
    await app.close()
  },
  120_000,
)
