const ends: (() => void)[] = []

/** Notes a function that cleans up when the test is over; it may throw a fault that it finds. */
export const atEnd = (end: () => void): void => void ends.push(end)

/** Ends a test: runs all noted functions, then throws the first fault. */
export function endTest(): void {
  const faults: unknown[] = []
  for (const end of ends.splice(0)) {
    try {
      end()
    } catch (error) {
      faults.push(error)
    }
  }
  if (faults.length > 0) throw faults[0]
}
