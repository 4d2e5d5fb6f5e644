/** The separator is guessed by this many lines, and the heads of a table are within them: titles may stand above. */
export const FIRST_LINES = 20

/** Excel reads `sep=;` in the first line as the separator; others who save the file add quotes and separators. */
const SAYS_MARK = /^\ufeff?"?sep=([,;\t])"?[,;\t]*$/i
const LINE_END = /\r?\n|\r/

/** Returns the separator that a file names in its first line for Excel. */
export function declaredSeparator(start: string): string | undefined {
  const [first = ''] = start.split(LINE_END, 1)
  return SAYS_MARK.exec(first)?.[1]
}

/** Returns how many lines a separator cuts into the same number of cells, and into how many. */
function countCells(lines: readonly string[], mark: string): { lines: number; cells: number } {
  const widths = lines.map((line) => line.split(mark).length).filter((cells) => cells > 1)
  const best = { lines: 0, cells: 0 }
  for (const cells of new Set(widths)) {
    const same = widths.filter((width) => width === cells).length
    if (same > best.lines || (same === best.lines && cells > best.cells)) Object.assign(best, { lines: same, cells })
  }
  return best
}

/** Returns the separator by which the first lines are a table: Excel writes semicolons if the comma is decimal. */
export function guessSeparator(start: string): string {
  const lines = start
    .replace(/"[^"]*"/g, '')
    .split(LINE_END)
    .filter((line) => line.trim() !== '')
    .slice(0, FIRST_LINES)
  // of two that fit as well the comma is the decimal one
  const [best] = ['\t', ';', ',']
    .map((mark) => ({ mark, ...countCells(lines, mark) }))
    .toSorted((a, b) => b.lines - a.lines || b.cells - a.cells)
  return best?.mark ?? ','
}

/** Returns a cell as it is meant: programs write `="0012"` so that Excel shows the digits as they are. */
export const unwrapText = (cell: string): string => /^="([^"]*)"$/.exec(cell)?.[1] ?? cell
