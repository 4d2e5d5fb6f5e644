import { X509Certificate } from 'node:crypto'
import { readTerminals } from '../modules/terminals/reading/reading.jobs.ts'
import { MANAGER_LOGIN, MANAGER_PASSWORD } from '../modules/terminals/simulator/simulator.defaults.ts'
import { makeIdentity, type TerminalServer } from '../modules/terminals/simulator/simulator.server.ts'
import { createSimulator, type Simulator } from '../modules/terminals/simulator/simulator.ts'
import { systemEnvironment } from '../modules/terminals/terminal5/terminal5.environment.ts'
import { createTerminal5 } from '../modules/terminals/terminal5/terminal5.ts'
import { SECOND, systemClock } from '../platform/clock.ts'
import type { Firm, TestApp } from './app.ts'
import { testDrivers } from './terminals-here.ts'

/** The application must be allowed to connect to this machine. */
export const NEAR = { allowedNetworks: ['127.0.0.0/8'] }

let identity: ReturnType<typeof makeIdentity> | undefined

/** Waits for nothing where a driver paces its calls; what it would do after a long silence is not done. */
const afterNoTime: typeof systemEnvironment.after = (ms, act, isIdle) =>
  systemEnvironment.after(ms < SECOND ? 0 : ms, act, isIdle)

/** A simulated trading server that a firm of a test is connected to, and has confirmed. */
export type TradingServer = {
  simulator: Simulator
  server: TerminalServer
  /** The connection. */
  id: string
  /** Reads all that is due, after so many milliseconds. */
  read(after?: number): Promise<void>
  stop(): Promise<void>
}

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
  const made = await app.call('POST', '/v1/platforms/connections', {
    as: firm.as.owner,
    body: {
      name: 'Simulated',
      driver: 'terminal5',
      platform: 'terminal5',
      server: 'Sim-Live',
      address: `https://localhost:${server.port}`,
      trust: 'pinned',
      certificate: new X509Certificate(identity.cert).fingerprint256,
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
  const { id } = made.body
  if (confirmed)
    await app.call('POST', `/v1/platforms/connections/${id}/confirm`, { as: firm.as.admin, body: { version: 1 } })
  return {
    simulator,
    server,
    id,
    read: async (after = 0) => {
      app.clock.advance(after)
      await readTerminals.run({ platform: app.platform, signal: new AbortController().signal })
    },
    stop: async () => {
      testDrivers.delete('terminal5')
      await server.stop()
    },
  }
}
