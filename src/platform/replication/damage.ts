import { HOUR } from '../clock.ts'
import { BrokenState } from './engine-control.ts'

/** So often, with no success between, the engine has to say that its state is broken before another history begins. */
const BROKEN_LOOKS = 3
/** Another history is another whole copy: where a disk spoils one after the other, the alarm is for its operator. */
const RESETS_EVERY = HOUR

/** Counts how often the engine says that what it keeps is broken. */
export type Damage = {
  /** Takes down why a look at the replica failed; answers whether another history has to begin for it. */
  failed(error: unknown): boolean
  /** A look succeeded. */
  passed(): void
  /** Whether what the engine keeps is broken, and no other history has begun for that yet. */
  isBroken(): boolean
  /** Another history has begun. */
  mended(): void
}

/** `measured` is the clock that measures, in milliseconds. */
export function createDamage(measured = () => performance.now()): Damage {
  let looks = 0
  let resetAt = Number.NEGATIVE_INFINITY
  let isBroken = false
  return {
    failed: (error) => {
      // an answer that came too late says nothing of the state
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
