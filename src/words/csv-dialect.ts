/** The separator is guessed from this many lines, and the header row is among them, since titles may stand above it. */
export const FIRST_LINES = 20

/** Excel takes the separator from `sep=;` in the first line; other programs add quotes and separators to that line. */
const SAYS_MARK = /^\ufeff?"?sep=([,;\t])"?[,;\t]*$/i
const LINE_END = /\r?\n|\r/

/** Returns the separator that a file names in its first line for Excel. */
export function declaredSeparator(start: string): string | undefined {
  const [first = ''] = start.split(LINE_END, 1)
  return SAYS_MARK.exec(first)?.[1]
}

/** Returns how many lines have the same number of cells with this separator, and that number of cells. */
function countCells(lines: readonly string[], mark: string): { lines: number; cells: number } {
  const widths = lines.map((line) => line.split(mark).length).filter((cells) => cells > 1)
  const best = { lines: 0, cells: 0 }
  for (const cells of new Set(widths)) {
    const same = widths.filter((width) => width === cells).length
    if (same > best.lines || (same === best.lines && cells > best.cells)) Object.assign(best, { lines: same, cells })
  }
  return best
}

/** Returns the separator with which the first lines are a table; Excel writes semicolons if the comma is decimal. */
export function guessSeparator(start: string): string {
  const lines = start
    .replace(/"[^"]*"/g, '')
    .split(LINE_END)
    .filter((line) => line.trim() !== '')
    .slice(0, FIRST_LINES)
  // if two separators fit equally well, the comma is the decimal sign
  const [best] = ['\t', ';', ',']
    .map((mark) => ({ mark, ...countCells(lines, mark) }))
    .toSorted((a, b) => b.lines - a.lines || b.cells - a.cells)
  return best?.mark ?? ','
}

/** Returns the content of a cell: programs write `="0012"` so that Excel shows the digits unchanged. */
export const unwrapText = (cell: string): string => /^="([^"]*)"$/.exec(cell)?.[1] ?? cell
