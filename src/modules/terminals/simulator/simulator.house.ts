import { type Clock, SECOND } from '../../../platform/clock.ts'
import { TerminalFault } from '../contract/fault.ts'
import { type Keeper, makeKeeper, readState } from './simulator.saved.ts'
import type { Engine } from './simulator.state.ts'
import { createSimulator, type Simulator } from './simulator.ts'

/** A simulated server inside this program, which trades while somebody is connected. */
export type House = {
  engine: Engine
  /** Saves what has changed, if it has a file. */
  save(): void
  leave(): void
}

/** Runs a function again and again; what it returns ends that. */
export type Repeat = (run: () => void, ms: number) => () => void

const COUNTS = ['accounts', 'positions', 'deals', 'seed'] as const
const DEFAULTS = { accounts: 20, positions: 40, deals: 400, seed: 1 }
/** The end of the name of a file with a state. The address comes from a person, who may name no other kind of file. */
const ENDING = '.simulator'

function readAddress(address: string) {
  const { searchParams } = new URL(address)
  const counts = { ...DEFAULTS }
  for (const name of COUNTS) {
    const text = searchParams.get(name)
    if (text === null) continue
    if (!/^\d{1,7}$/.test(text)) throw new TerminalFault('bad_request', { [name]: text })
    counts[name] = Number(text)
  }
  const path = searchParams.get('state')
  if (path !== null && !path.endsWith(ENDING)) throw new TerminalFault('bad_request', { state: path, ending: ENDING })
  return { ...counts, path }
}

type Kept = { simulator: Simulator; keeper: Keeper | null; guests: number; stop: (() => void) | null }

/** Keeps the simulated servers of this program by their addresses. */
export function makeHouses(time: Clock, repeat: Repeat): (address: string) => House {
  const houses = new Map<string, Kept>()

  const build = (address: string): Kept => {
    const { path, seed, ...wanted } = readAddress(address)
    const saved = path === null ? undefined : readState(path)
    const simulator = createSimulator({ time, seed, wanted, ...(saved ? { saved } : {}) })
    const parts = { now: () => time.now(), identity: null }
    const keeper = path === null ? null : makeKeeper(path, simulator.engine, parts)
    return { simulator, keeper, guests: 0, stop: null }
  }

  return (address) => {
    const house = houses.get(address) ?? build(address)
    houses.set(address, house)
    house.guests += 1
    house.stop ??= repeat(() => {
      house.simulator.step()
      house.keeper?.saveIfDue()
    }, SECOND)
    let isGone = false
    return {
      engine: house.simulator.engine,
      save: () => house.keeper?.save(),
      leave: () => {
        if (isGone) return
        isGone = true
        house.guests -= 1
        house.keeper?.save()
        if (house.guests > 0) return
        house.stop?.()
        house.stop = null
        // what is in a file is read from it again, by this program or by another one
        if (house.keeper !== null) houses.delete(address)
      },
    }
  }
}
