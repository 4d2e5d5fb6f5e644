/** A cell of a table, by row and column. */
export type Cell = { row: number; column: number }

/**
 * Returns the cell that an arrow, Home or End leads to in a table whose rows have `widths` cells; null for another key.
 * Up and down keep the column if the next row has it.
 */
export function cellAfter(key: string, { row, column }: Cell, widths: readonly number[]): Cell | null {
  const getLast = (at: number): number => (widths[at] ?? 1) - 1
  const to = (next: number): Cell => {
    const at = Math.min(Math.max(next, 0), widths.length - 1)
    return { row: at, column: Math.min(column, getLast(at)) }
  }
  if (key === 'ArrowLeft') return { row, column: Math.max(0, column - 1) }
  if (key === 'ArrowRight') return { row, column: Math.min(getLast(row), column + 1) }
  if (key === 'ArrowUp') return to(row - 1)
  if (key === 'ArrowDown') return to(row + 1)
  if (key === 'Home') return { row, column: 0 }
  return key === 'End' ? { row, column: getLast(row) } : null
}
