/**
 * Returns where a CSV parser stopped, counted from one: its message has the cell that it could not read, which no
 * answer repeats. Undefined if it does not say.
 */
export function csvFault(error: unknown): { line: number; column: number } | undefined {
  if (!(error instanceof Error && 'lines' in error && 'index' in error)) return undefined
  const { lines, index } = error
  return typeof lines === 'number' && typeof index === 'number' ? { line: lines, column: index + 1 } : undefined
}
