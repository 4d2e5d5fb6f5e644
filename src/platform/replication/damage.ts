import { HOUR } from '../clock.ts'
import { BrokenState } from './engine-control.ts'

/** After this many reports of a broken state without a success between, another history begins. */
const BROKEN_LOOKS = 3
/**
 * Another history begins at most this often: it needs a whole copy, and a disk that damages each needs its operator.
 */
const RESETS_EVERY = HOUR

/** Counts how often the engine reports that its state is broken. */
export type Damage = {
  /** Records why a check of the replica failed; returns whether another history has to begin because of it. */
  failed(error: unknown): boolean
  /** Records that a check succeeded. */
  passed(): void
  /** Returns whether the engine's state is broken and no other history has begun since. */
  isBroken(): boolean
  /** Records that another history has begun. */
  mended(): void
}

/** `measured` is a steady clock in milliseconds. */
export function createDamage(measured = () => performance.now()): Damage {
  let looks = 0
  let resetAt = Number.NEGATIVE_INFINITY
  let isBroken = false
  return {
    failed: (error) => {
      // other failures, such as an answer that was too late, do not show that the state is broken
      if (error instanceof BrokenState) looks += 1
      if (looks < BROKEN_LOOKS || measured() - resetAt < RESETS_EVERY) return false
      resetAt = measured()
      isBroken = true
      return true
    },
    passed: () => {
      looks = 0
    },
    isBroken: () => isBroken,
    mended: () => {
      isBroken = false
    },
  }
}
