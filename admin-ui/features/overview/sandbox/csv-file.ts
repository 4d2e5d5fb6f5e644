type Cell = string | number | null

/** Starts a formula in a spreadsheet, in full-width form too; a negative number does not. */
const FORMULA = /^[=+@\t\r＝＋－＠]|^-(?!\d+(?:\.\d+)?$)/

/** One cell of a file: what a spreadsheet would run is defused with an apostrophe. */
function cellText(cell: Cell): string {
  const text = cell === null ? '' : String(cell)
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A result as the text of a CSV file. */
export const csvText = (columns: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [columns, ...rows].map((row) => `${row.map(cellText).join(',')}\n`).join('')
