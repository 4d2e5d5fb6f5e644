import { defuseStart, defuseText } from '../../../src/words/csv-guard.ts'
import { saveAnswer } from '../api/save-file.ts'
import { language, locale } from '../text/language.ts'

type Cell = string | number | null
/** A column of a file; one that is aligned to the right on the screen holds figures. */
export type FileHead = { title: string; align?: 'left' | 'right' | 'center' | undefined }
/** How the cells of a file are parted, and its decimal sign. */
export type CsvForm = { separator: string; decimal: string }

/** Excel reads a file with this mark at its beginning as UTF-8, and any other in the code page of its own country. */
const UTF8_MARK = '\ufeff'

/**
 * Returns how a file is written that Excel opens in this language: where the comma is the decimal sign, and everywhere
 * in German, the semicolon is between the cells.
 */
export function findCsvForm(tongue: string, place: string): CsvForm {
  const parts = new Intl.NumberFormat(place).formatToParts(1.5)
  const decimal = parts.find(({ type }) => type === 'decimal')?.value === ',' ? ',' : '.'
  return { separator: decimal === ',' || tongue === 'de' ? ';' : ',', decimal }
}

const FORM = findCsvForm(language, locale)

/** Returns the text of a CSV file: figures are plain numbers with the reader's decimal sign; no cell is a formula. */
export function csvText(
  columns: readonly FileHead[],
  rows: readonly (readonly Cell[])[],
  { separator, decimal }: CsvForm = FORM,
): string {
  const writeCell = (cell: Cell, at: number): string => {
    const isFigure = typeof cell === 'number' || columns[at]?.align === 'right'
    const safe = defuseStart(cell === null ? '' : String(cell))
    const text = isFigure ? safe.replace(/(?<=\d)\.(?=\d)/g, decimal) : safe
    const isSplit = text.includes(separator) || /["\n\r]/.test(text)
    return isSplit ? `"${text.replaceAll('"', '""')}"` : text
  }
  // the headings of columns of figures are words
  const head = columns.map(({ title }) => writeCell(title.replaceAll('\u00ad', ''), -1))
  return (
    UTF8_MARK + [head, ...rows.map((row) => row.map(writeCell))].map((line) => `${line.join(separator)}\n`).join('')
  )
}

/** Saves a text as a CSV file. */
export const saveText = (name: string, text: string): Promise<void> =>
  saveAnswer(
    new Response(text, {
      headers: { 'content-type': 'text/csv', 'content-disposition': `attachment; filename="${name}.csv"` },
    }),
  )

/** Saves rows that are on the page as a CSV file. */
export const saveCsv = (
  name: string,
  columns: readonly FileHead[],
  rows: readonly (readonly Cell[])[],
): Promise<void> =>
  saveText(
    name,
    csvText(
      columns,
      rows.map((row) => row.map((cell) => (typeof cell === 'string' ? defuseText(cell) : cell))),
    ),
  )
