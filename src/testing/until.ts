/** How long a condition is left alone between two looks, milliseconds. */
const PAUSE = 10
/** So many looks, at least two minutes: no machine is so busy that what still comes needs longer. */
const LOOKS = 12_000

const cell = new Int32Array(new SharedArrayBuffer(4))

/**
 * Waits until a condition holds; throws when it never comes. It counts its looks and pauses by `Atomics`, so that it
 * also works where a test has stopped the time with `jest.useFakeTimers`.
 */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let look = 0; !(await holds()); look += 1) {
    if (look === LOOKS) throw new Error(`it did not come to this: ${what}`)
    await Atomics.waitAsync(cell, 0, 0, PAUSE).value
  }
}

/** A turn of the event loop: whatever waited for a promise that is kept has gone on. */
export const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))
