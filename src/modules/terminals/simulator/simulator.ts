import type { Clock } from '../../../platform/clock.ts'
import { createEngine, type EngineOptions } from './simulator.engine.ts'
import { type Conditions, type Faults, makeConditions, makeFaults } from './simulator.faults.ts'
import { type Journal, makeJournal } from './simulator.journal.ts'
import { makeTrader, seed, type Wanted } from './simulator.live.ts'
import { type Identity, listen, makeIdentity, type TerminalServer } from './simulator.server.ts'
import type { Engine, State } from './simulator.state.ts'

type SimulatorOptions = Omit<EngineOptions, 'now'> & {
  /** The time of the machine. The server’s own clock may be wrong, by `engine.state.skew`. */
  time: Clock
  /** How many calls the journal keeps. */
  journalSize?: number
  /** What a new server has; a saved one has its own. */
  wanted?: Wanted
  saved?: { state: State; seed: number }
}

type ListenOptions = {
  /** 0 chooses a free one. */
  port: number
  /** Without it a certificate is made for `names`. */
  identity?: Identity
  names?: readonly string[]
  onError?: (error: unknown) => void
}

/** A simulated server: its books, faults and calls. What trades and dealers do is in `ACTS`. */
export type Simulator = {
  engine: Engine
  clock: Clock
  faults: Faults
  conditions: Conditions
  journal: Journal
  /** Does one random thing: a price moves, and an account trades. */
  step(): void
  /** Opens a port on this machine. */
  listen(options: ListenOptions): Promise<TerminalServer & { identity: Identity }>
}

/** Makes a simulated server, which listens only when it is told to. */
export function createSimulator(options: SimulatorOptions): Simulator {
  const { time, journalSize = 10_000, wanted, saved, ...rest } = options
  const engine = createEngine({ ...rest, now: () => time.now() }, saved)
  if (wanted !== undefined && saved === undefined) seed(engine, wanted)
  const parts = {
    engine,
    clock: time,
    faults: makeFaults(),
    conditions: makeConditions(),
    journal: makeJournal(journalSize),
  }
  return {
    ...parts,
    step: makeTrader(engine),
    listen: async ({ port, identity, names = ['localhost'], onError = () => undefined }) => {
      const own = identity ?? makeIdentity(names, time.now())
      const server = await listen(parts, { port, hostname: '127.0.0.1', identity: own, onError })
      return { ...server, identity: own }
    },
  }
}
