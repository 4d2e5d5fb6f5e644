import { createHash, randomBytes, X509Certificate } from 'node:crypto'
import { openControl } from '../modules/terminals/simulator/simulator.control.ts'
import { makeKeeper, readState } from '../modules/terminals/simulator/simulator.saved.ts'
import { type Identity, makeIdentity } from '../modules/terminals/simulator/simulator.server.ts'
import { createSimulator } from '../modules/terminals/simulator/simulator.ts'
import { systemClock } from '../platform/clock.ts'

export type SimulatorFlags = {
  accounts: string
  positions: string
  deals: string
  seed: string
  port: string
  pace: string
  state?: string
  control?: string
}

/** How often it trades and looks whether to save. */
const TICK_MS = 100

function readCount(name: string, text: string, most: number): number {
  if (!/^\d{1,10}$/.test(text) || Number(text) > most) throw new Error(`--${name} is a whole number up to ${most}.`)
  return Number(text)
}

const readPort = (name: string, text: string): number => readCount(name, text, 65_535)

/** Returns the fingerprint of a certificate as the address of a terminal has it. */
const readFingerprint = ({ cert }: Identity): string =>
  createHash('sha256').update(new X509Certificate(cert).raw).digest('hex')

/** Resolves when the program is asked to stop. */
const waitForStop = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })

/** Trades for ever, and saves now and then. Returns what ends it. */
function live(parts: { pace: number; trading: { on: boolean }; step: () => void; save: () => void }): () => void {
  let owed = 0
  const timer = setInterval(() => {
    owed += parts.trading.on ? (parts.pace * TICK_MS) / 1000 : 0
    for (; owed >= 1; owed -= 1) parts.step()
    parts.save()
  }, TICK_MS)
  return () => clearInterval(timer)
}

/** Runs a simulated trading server on this machine until it is stopped. */
export async function simulate(flags: SimulatorFlags, print: (text: string) => void): Promise<void> {
  const wanted = {
    accounts: readCount('accounts', flags.accounts, 1_000_000),
    positions: readCount('positions', flags.positions, 1_000_000),
    deals: readCount('deals', flags.deals, 5_000_000),
  }
  const saved = flags.state === undefined ? undefined : readState(flags.state)
  const seed = readCount('seed', flags.seed, 0xffff_ffff)
  const simulator = createSimulator({ time: systemClock, seed, wanted, ...(saved ? { saved } : {}) })
  const { engine } = simulator
  const parts = { now: systemClock.now, identity: saved?.identity ?? makeIdentity(['localhost'], systemClock.now()) }
  const keeper = flags.state === undefined ? null : makeKeeper(flags.state, engine, parts)
  const server = await simulator.listen({ port: readPort('port', flags.port), identity: parts.identity })
  const { accounts, positions, deals, managers } = engine.state
  print(`https://127.0.0.1:${server.port} (localhost)\nSHA-256 ${readFingerprint(parts.identity)}\n`)
  for (const { login, password } of managers.values()) print(`login ${login}, password ${password}\n`)
  print(`${accounts.size} accounts, ${positions.size} positions, ${deals.size} deals\n`)

  const trading = { on: true }
  const onIdentity = (identity: Identity): void => {
    parts.identity = identity
  }
  const token = randomBytes(24).toString('base64url')
  const control =
    flags.control === undefined
      ? null
      : openControl({ simulator, server, trading, onIdentity }, { port: readPort('control', flags.control), token })
  if (control !== null) print(`control http://127.0.0.1:${control.port}\ntoken ${token}\n`)
  const save = (): void => keeper?.saveIfDue()
  const end = live({ pace: readCount('pace', flags.pace, 10_000), trading, step: simulator.step, save })
  await waitForStop()
  end()
  await control?.stop(true)
  await server.stop()
  keeper?.save()
}
