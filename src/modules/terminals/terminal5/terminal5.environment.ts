import { randomBytes } from 'node:crypto'
import { MINUTE, SECOND, systemClock } from '../../../platform/clock.ts'
import { type Resolve, systemResolve } from '../../../platform/egress-resolve.ts'

/** How long a terminal may take, and how much it may answer: reading an answer takes some ten times its size. */
type Limits = { connectMs: number; firstByteMs: number; wholeMs: number; maxBytes: number }

/** What the driver takes from the machine. Tests use their own. */
export type Environment = {
  now(): number
  /** Calls once after a time, unless what it returns was called before. An idle one does not keep the process alive. */
  after(ms: number, act: () => void, isIdle?: boolean): () => void
  random(size: number): Uint8Array
  resolve: Resolve
  limits: Limits
}

/** The machine itself, with the limits that hold outside tests. */
export const systemEnvironment: Environment = {
  now: systemClock.now,
  after: (ms, act, isIdle = false) => {
    const timer = setTimeout(act, ms)
    if (isIdle) timer.unref()
    return () => clearTimeout(timer)
  },
  random: (size) => new Uint8Array(randomBytes(size)),
  resolve: systemResolve,
  limits: { connectMs: 10 * SECOND, firstByteMs: 30 * SECOND, wholeMs: 2 * MINUTE, maxBytes: 32 * 1024 * 1024 },
}
