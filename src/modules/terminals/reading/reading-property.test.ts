import { expect, test } from 'bun:test'
import { MINUTE, SECOND } from '../../../platform/clock.ts'
import { createTestApp } from '../../../testing/app.ts'
import { createDice } from '../../../testing/lease/world.ts'
import { makeLogin, NEAR, startTradingServer } from '../../../testing/trading-server.ts'
import { ACTS } from '../simulator/simulator.acts.ts'
import type { Effect } from '../simulator/simulator.faults.ts'
import { tellTruth } from '../simulator/simulator.truth.ts'

/** How many random histories are tried. */
const SEEDS = Number(process.env.BROKERBASE_SEEDS ?? 2)
const ROUNDS = 40

const FAULTS: readonly Effect[] = [
  { do: 'cut', when: 'before' },
  { do: 'cut', when: 'after' },
  { do: 'cut', when: 'body' },
  { do: 'status', status: 403, executed: false },
  { do: 'status', status: 502, executed: false, html: true },
  { do: 'empty', executed: false },
  { do: 'truncate' },
]

const GROUPS = ['real\\hedging-usd', 'real\\netting-usd', 'real\\netting-jpy', 'real\\hedging-btc'] as const

test.each(Array.from({ length: SEEDS }, (_, seed) => seed + 1))(
  'after random trading and random faults, what is derived is the truth of the terminal (seed %d)',
  async (seed) => {
    const app = createTestApp({ config: NEAR })
    const firm = await app.firm('alpha')
    const terminal = await startTradingServer(app, firm, { seed })
    const { engine, faults, step } = terminal.simulator
    const { next: random } = createDice(seed)
    const pick = <T>(of: readonly T[]): T | undefined => of[Math.floor(random() * of.length)]
    await terminal.read()
    for (const group of GROUPS) {
      const { login } = makeLogin(engine, { group, leverage: 100 })
      ACTS.manualDeposit(engine, { login, amount: '100000', comment: 'cash' })
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      for (let n = random() * 6; n > 0; n -= 1) {
        app.clock.advance(Math.floor(random() * 5 * SECOND))
        step()
      }
      const trades = [...engine.state.deals.values()].filter(({ action, profit }) => action <= 1 && profit !== 0)
      const deal = pick(trades.slice(-5))
      if (deal && random() < 0.1) ACTS.editProfit(engine, { deal: deal.id, profit: '12' })
      const effect = pick(FAULTS)
      if (effect && random() < 0.3) faults.add({ effect, times: 1 + Math.floor(random() * 3) })
      await terminal.read(Math.floor(random() * 40 * SECOND))
    }
    faults.clear()
    for (const pause of [5 * MINUTE, MINUTE, MINUTE, 31 * MINUTE, MINUTE, MINUTE, MINUTE]) await terminal.read(pause)

    const list = async (path: string) => (await app.call('GET', path, { as: firm.as.admin })).body.data
    const open = await list('/v1/positions?status=open&limit=200')
    const ours = open.map((row: Record<string, string>) => [
      row.accountNumber,
      row.ticket,
      row.symbol,
      row.side,
      Number(row.volume),
    ])
    const truth = tellTruth(engine, null).filter(({ group }) => /^(real|demo)/.test(group))
    const theirs = truth.flatMap(({ login, positions }) =>
      positions.map(({ ticket, symbol, side, lots }) => [String(login), String(ticket), symbol, side, Number(lots)]),
    )
    const byText = (rows: unknown[][]) => rows.map((row) => JSON.stringify(row)).toSorted()
    expect(byText(ours)).toEqual(byText(theirs))
    const logins = await list('/v1/platforms/logins?limit=200')
    expect(byText(logins.map((row: Record<string, string>) => [row.login, Number(row.balance)]))).toEqual(
      byText(truth.map(({ login, balance }) => [String(login), Number(balance)])),
    )
    expect(await terminal.findings()).toEqual([])
    await terminal.stop()
    await app.close()
  },
  120_000,
)
