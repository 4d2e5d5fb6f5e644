import { X509Certificate } from 'node:crypto'
import { readTerminals } from '../modules/terminals/reading/reading.jobs.ts'
import { instructTerminals } from '../modules/terminals/sending/instruct.jobs.ts'
import { ACTS } from '../modules/terminals/simulator/simulator.acts.ts'
import { MANAGER_LOGIN, MANAGER_PASSWORD } from '../modules/terminals/simulator/simulator.defaults.ts'
import { makeIdentity, type TerminalServer } from '../modules/terminals/simulator/simulator.server.ts'
import { createSimulator, type Simulator } from '../modules/terminals/simulator/simulator.ts'
import { systemEnvironment } from '../modules/terminals/terminal5/terminal5.environment.ts'
import { createTerminal5 } from '../modules/terminals/terminal5/terminal5.ts'
import { SECOND, systemClock } from '../platform/clock.ts'
import type { Job } from '../platform/jobs/job.ts'
import type { Firm, TestApp } from './app.ts'
import { testDrivers } from './terminals-here.ts'

/** The application must be allowed to connect to this machine. */
export const NEAR = { allowedNetworks: ['127.0.0.0/8'] }

let identity: ReturnType<typeof makeIdentity> | undefined

/** Waits for nothing where a driver paces its calls; what it would do after a long silence is not done. */
const afterNoTime: typeof systemEnvironment.after = (ms, act, isIdle) =>
  systemEnvironment.after(ms < SECOND ? 0 : ms, act, isIdle)

/** A trading server that a firm of a test is connected to. */
type Trading = {
  /** The connection. */
  id: string
  /** Reads all that is due, after so many milliseconds. */
  read(after?: number): Promise<void>
  /** Carries out what is asked of the server, after so many milliseconds. */
  instruct(after?: number): Promise<void>
  /** Lets money move there, by two people. */
  switchOn(): Promise<void>
  /** Returns kind and subject of the open findings, without money that was booked there by hand, as tests do. */
  findings(): Promise<string[][]>
}

/** Connects a firm to a trading server and has a colleague confirm that. */
export async function connectTrading(app: TestApp, firm: Firm, settings: object, confirmed = true): Promise<Trading> {
  const { owner, admin } = firm.as
  const made = await app.call('POST', '/v1/platforms/connections', {
    as: owner,
    body: {
      name: 'Simulated',
      driver: 'terminal5',
      platform: 'terminal5',
      server: 'Sim-Live',
      login: String(MANAGER_LOGIN),
      password: MANAGER_PASSWORD,
      groups: [
        { mask: 'real\\*', type: 'live' },
        { mask: 'demo\\*', type: 'demo' },
      ],
      requestsPerSecond: 50,
      ...settings,
    },
  })
  if (made.status !== 201) throw new Error(made.text)
  const path = `/v1/platforms/connections/${made.body.id}`
  const confirm = (version: number) => app.call('POST', `${path}/confirm`, { as: admin, body: { version } })
  if (confirmed) await confirm(1)
  const run = async (job: Job, after: number): Promise<void> => {
    app.clock.advance(after)
    await job.run({ platform: app.platform, signal: new AbortController().signal })
  }
  return {
    id: made.body.id,
    read: (after = 0) => run(readTerminals, after),
    instruct: (after = 0) => run(instructTerminals, after),
    switchOn: async () => {
      await app.call('PATCH', path, { as: owner, body: { money: true } })
      await confirm((await app.call('GET', path, { as: admin })).body.pending.version)
    },
    findings: async () => {
      const { body } = await app.call('GET', '/v1/platforms/findings?state=open&limit=200', { as: admin })
      return body.data
        .filter(({ kind }: { kind: string }) => kind !== 'movement_unknown')
        .map(({ kind, subject }: { kind: string; subject: string }) => [kind, subject])
    },
  }
}

/** A simulated trading server that a firm of a test is connected to, and has confirmed. */
export type TradingServer = Trading & { simulator: Simulator; server: TerminalServer; stop(): Promise<void> }

/** Adds a login to a simulated trading server, as its dealers do. */
export const makeLogin = (engine: Simulator['engine'], fields: Partial<Parameters<typeof ACTS.addAccount>[1]> = {}) =>
  ACTS.addAccount(engine, {
    group: 'real\\hedging-usd',
    name: 'Ada Abel',
    leverage: 200,
    main: 'Main-pass1',
    investor: 'Invest-pass1',
    ...fields,
  })

/** Starts a simulated trading server on the test’s clock and connects a firm to it. */
export async function startTradingServer(
  app: TestApp,
  firm: Firm,
  options: { seed?: number; settings?: object; confirmed?: boolean; books?: Simulator } = {},
): Promise<TradingServer> {
  const { seed = 7, settings = {}, confirmed = true, books } = options
  identity ??= makeIdentity(['localhost'], systemClock.now())
  const simulator = books ?? createSimulator({ time: app.clock, seed })
  const server = await simulator.listen({ port: 0, identity })
  testDrivers.set('terminal5', createTerminal5({ ...systemEnvironment, now: app.clock.now, after: afterNoTime }))
  const address = `https://localhost:${server.port}`
  const certificate = new X509Certificate(identity.cert).fingerprint256
  const place = { address, trust: 'pinned', certificate, ...settings }
  const trading = await connectTrading(app, firm, place, confirmed)
  return {
    ...trading,
    simulator,
    server,
    stop: async () => {
      testDrivers.delete('terminal5')
      await server.stop()
    },
  }
}
