import { saveAnswer } from '../api/save-file.ts'

type Cell = string | number | null

/** A text that matches starts a formula in a spreadsheet, in full-width form too; a negative number does not match. */
const FORMULA = /^[=+@\t\r＝＋－＠]|^-(?!\d+(?:\.\d+)?$)/

/** Returns a cell of a CSV file. An apostrophe keeps a spreadsheet from running a formula. */
function cellText(cell: Cell): string {
  const text = cell === null ? '' : String(cell)
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Returns a result as the text of a CSV file. */
export const csvText = (columns: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [columns, ...rows].map((row) => `${row.map(cellText).join(',')}\n`).join('')

/** Saves rows that are on the page as a CSV file. */
export const saveCsv = (name: string, columns: readonly string[], rows: readonly (readonly Cell[])[]): Promise<void> =>
  saveAnswer(
    new Response(csvText(columns, rows), { headers: { 'content-disposition': `attachment; filename="${name}.csv"` } }),
  )
