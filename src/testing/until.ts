/** The milliseconds between two checks of a condition. */
const PAUSE = 10
/** This many checks take at least two minutes, which is enough on the busiest machine. */
const LOOKS = 12_000

const cell = new Int32Array(new SharedArrayBuffer(4))

/**
 * Waits until a condition holds; throws if it never does. It counts its checks and pauses with `Atomics`, so that it
 * also works while a test has stopped the time with `jest.useFakeTimers`.
 */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let look = 0; !(await holds()); look += 1) {
    if (look === LOOKS) throw new Error(`it did not come to this: ${what}`)
    await Atomics.waitAsync(cell, 0, 0, PAUSE).value
  }
}

/** Waits for a turn of the event loop, so that everything that awaited a resolved promise has continued. */
export const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))
