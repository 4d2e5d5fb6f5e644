import { runCommissions } from '../modules/growth/commissions/commissions.jobs.ts'
import { DAY, MINUTE } from '../platform/clock.ts'
import { createScheduler } from '../platform/jobs/scheduler.ts'
import { type Answer, type Caller, createTestApp, type Firm, type TestApp } from './app.ts'

/** A trade to report; its times are ISO and its amounts decimal text. */
type Trade = {
  symbol?: string
  volume?: string
  spread?: string
  commission?: string
  swap?: string
  openedAt?: string
  closedAt?: string
}

/** The fields of a commission line in the API that tests read. */
type Line = {
  id: string
  affiliateId: string
  traderId: string | null
  level: number
  model: string
  sourceType: string
  amount: string
  currency: string
  note: string | null
}

/** Returns a rule of a plan that pays an amount for each lot. */
export const lot = (rate: string, symbols = ['*']) => ({ model: 'lot', symbols, rate })

/** Returns lines as sorted texts such as `2 override 1.00`: level, type of the source and amount. */
export const short = (lines: readonly Line[]): string[] =>
  lines.map(({ level, sourceType, amount }) => `${level} ${sourceType} ${amount}`).sort()

export type BrokerDesk = ReturnType<typeof createBrokerDesk>

/** Makes a new application with one firm and its desk; `desk.close()` ends them. */
export async function openBrokerDesk(): Promise<{ app: TestApp; firm: Firm; desk: BrokerDesk }> {
  const app = createTestApp()
  const firm = await app.firm('acme')
  return { app, firm, desk: createBrokerDesk(app, firm) }
}

/** Returns the repeated steps of affiliate tests: they make brokers, their clients, plans, trades and runs. */
export function createBrokerDesk(app: TestApp, firm: Firm) {
  let serial = 0
  let sequence = 0
  const jobs = createScheduler(app.platform, [runCommissions])
  const did = async (answer: Promise<Answer>) => {
    const { status, body, text } = await answer
    if (status >= 300) throw new Error(`${status} ${text}`)
    return body
  }
  const post = (path: string, body?: object, as: Caller = firm.as.owner) =>
    did(app.call('POST', path, { as, ...(body && { body }) }))
  const patch = (path: string, body: object, as: Caller = firm.as.owner) => did(app.call('PATCH', path, { as, body }))
  const accounts = new Map<string, string>()

  const desk = {
    post,
    patch,
    /** Makes a plan; `terms` replaces the usual terms: EUR, difference, ten levels, everything may be paid. */
    plan: async (rules: readonly object[], terms: object = {}): Promise<string> => {
      serial += 1
      const usual = { name: `Plan ${serial}`, currency: 'EUR', override: 'difference', maxLevels: 10, cap: '1' }
      return (await post('/v1/commission-plans', { ...usual, rules, ...terms })).id
    },
    /** Makes an active affiliate below another one, with a plan. */
    affiliate: async (
      planId: string | null,
      parentId: string | null = null,
    ): Promise<{ id: string; trader: string }> => {
      serial += 1
      const trader = await firm.trader()
      const { id } = await post(
        '/v1/affiliates',
        { traderId: trader, code: `code-${serial}`, parentId },
        firm.as.operator,
      )
      await patch(`/v1/affiliates/${id}`, { status: 'active', ...(planId && { planId }) }, firm.as.manager)
      return { id, trader }
    },
    /** Makes a client of an affiliate, with a trading account. */
    client: async (affiliateId: string | null, { currency = 'EUR', isDemo = false } = {}): Promise<string> => {
      serial += 1
      const traderId = await firm.trader()
      if (affiliateId !== null) await patch(`/v1/traders/${traderId}`, { affiliateId }, firm.as.manager)
      const accountNumber = `A${serial}`
      accounts.set(traderId, accountNumber)
      await post('/v1/accounts', { traderId, platform: 'terminal5', currency, accountNumber, isDemo })
      return traderId
    },
    /** Reports closed trades of a client and returns their tickets. By default they end now, after ten minutes. */
    trade: async (traderId: string, ...trades: Trade[]): Promise<string[]> => {
      sequence += 1
      const now = app.clock.now()
      const positions = trades.map((trade) => {
        serial += 1
        const closed = trade.closedAt === undefined ? now : Date.parse(trade.closedAt)
        return {
          ticket: `T${serial}`,
          accountNumber: accounts.get(traderId),
          symbol: 'EURUSD',
          side: 'long',
          volume: '1',
          openPrice: '1.1',
          currentPrice: '1.1',
          profit: '0',
          openedAt: new Date(closed - 10 * MINUTE).toISOString(),
          closedAt: new Date(closed).toISOString(),
          ...trade,
        }
      })
      await post('/v1/positions/sync', { platform: 'terminal5', server: 's', sequence, mode: 'delta', positions })
      return positions.map(({ ticket }) => ticket)
    },
    /** Sends any report of the platform. */
    report: async (mode: 'delta' | 'snapshot', positions: readonly object[]) => {
      sequence += 1
      return post('/v1/positions/sync', { platform: 'terminal5', server: 's', sequence, mode, positions })
    },
    findAccount: (traderId: string): string | undefined => accounts.get(traderId),
    /** Makes a run over some days and waits for its end. */
    run: async (from: string, to: string, dryRun = false) => {
      const { id } = await post('/v1/affiliates/commissions/runs', { from, to, dryRun })
      await jobs.runNow('commissions.run')
      const { data } = await did(app.call('GET', '/v1/affiliates/commissions/runs?limit=200', { as: firm.as.manager }))
      return data.find((run: { id: string }) => run.id === id)
    },
    /** Returns the lines of closed runs, the latest last. */
    lines: async (): Promise<Line[]> => {
      const { data } = await did(
        app.call('GET', '/v1/affiliates/commissions?limit=200&sort=occurredAt', { as: firm.as.manager }),
      )
      return data
    },
    explain: (id: string, as: Caller = firm.as.viewer) =>
      did(app.call('GET', `/v1/affiliates/commissions/${id}/explain`, { as })),
    /** Throws unless every line is explained, and the explanation gives the amount of the line. */
    explainAll: async (): Promise<void> => {
      for (const { id, amount } of await desk.lines()) {
        const { equal, steps } = await desk.explain(id)
        if (!equal || steps.length === 0)
          throw new Error(`line ${id} of ${amount} is not explained: ${steps.join(' ')}`)
      }
    },
    /** Creates a deposit of a client and settles it. */
    deposit: async (traderId: string, amount: string, currency = 'EUR'): Promise<void> => {
      const { id } = await post('/v1/deposits', { traderId, currency, amount, method: 'bank' }, firm.as.operator)
      await post(`/v1/deposits/${id}/settle`, undefined, firm.as.manager)
    },
    /** Returns the current day of the app's clock plus `offset` days, such as `2026-01-31`. */
    day: (offset = 0): string => new Date(app.clock.now() + offset * DAY).toISOString().slice(0, 10),
    tomorrow: (): void => app.clock.advance(DAY),
    close: async (): Promise<void> => {
      await jobs.stop()
      await app.close()
    },
  }
  return desk
}
