const ends: (() => void)[] = []

/** Notes what is to be put away, or may throw, when the test is over. */
export const atEnd = (end: () => void): void => void ends.push(end)

/** Ends a test: all of it is put away, and what was found then is thrown. */
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
