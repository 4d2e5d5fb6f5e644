import { declaredSeparator, FIRST_LINES, guessSeparator, unwrapText } from '../../../src/words/csv-dialect.ts'

/** Only this many characters are read, more than headings need, so that an unclosed quote is not read to its end. */
const MOST_CHARACTERS = 200_000

/** A record of a file, with the line where it begins. */
export type CsvRecord = { line: number; cells: string[] }

/**
 * Returns the first records of a CSV file that have a value, as the server reads them, so that both use the same
 * headings.
 */
export const readFirstRecords = (file: string): CsvRecord[] => {
  const text = file.slice(0, MOST_CHARACTERS)
  const declared = declaredSeparator(text)
  const separator = declared ?? guessSeparator(text)
  const records: CsvRecord[] = []
  let cells: string[] = []
  let cell = ''
  let isQuoted = false
  let wasQuoted = false
  let line = 1
  let begin = 1
  const endCell = (): void => {
    // a quoted cell keeps its blanks, as on the server
    cells.push(unwrapText(wasQuoted ? cell : cell.trimEnd()))
    cell = ''
    wasQuoted = false
  }
  const endRecord = (): void => {
    endCell()
    if (cells.some((one) => one.trim() !== '')) records.push({ line: begin, cells })
    cells = []
    begin = line
  }
  for (let index = 0; index < text.length && records.length < FIRST_LINES; index++) {
    const char = text.charAt(index)
    const isLineEnd = char === '\n' || (char === '\r' && text.charAt(index + 1) !== '\n')
    if (isLineEnd) line += 1
    if (isQuoted) {
      if (char !== '"') cell += char
      else if (text.charAt(index + 1) === '"') {
        cell += char
        index++
      } else isQuoted = false
    } else if (isLineEnd) endRecord()
    else if (char === separator) endCell()
    else if (char === '"' && cell === '') {
      isQuoted = true
      wasQuoted = true
    } else if (!wasQuoted && (cell !== '' || !/\s/.test(char))) cell += char
  }
  if (records.length < FIRST_LINES) endRecord()
  // the line that names the separator for Excel is not part of the table
  return declared === undefined ? records : records.filter((record) => record.line > 1)
}

/** Returns the record with the headings: the one that `rate` rates highest, or the first of several. */
export const findHeadings = (
  records: readonly CsvRecord[],
  rate: (cells: readonly string[]) => number,
): CsvRecord | undefined => {
  const rates = records.map(({ cells }) => rate(cells))
  return records[rates.indexOf(Math.max(...rates))]
}

/** Returns the named columns, each name once, since the server knows columns only by their names. */
export const namedColumns = (headings: readonly string[]): string[] => [...new Set(headings.filter(Boolean))]
