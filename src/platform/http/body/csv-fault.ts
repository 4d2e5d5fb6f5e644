/**
 * Returns where a CSV parser stopped, counted from one; undefined if its error does not say. The error's message is not
 * used, since it has the cell that could not be read, which no answer repeats.
 */
export function csvFault(error: unknown): { line: number; column: number } | undefined {
  if (!(error instanceof Error && 'lines' in error && 'index' in error)) return undefined
  const { lines, index } = error
  return typeof lines === 'number' && typeof index === 'number' ? { line: lines, column: index + 1 } : undefined
}
