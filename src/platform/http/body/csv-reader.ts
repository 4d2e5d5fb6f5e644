import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { CsvError, parse } from 'csv-parse'
import { declaredSeparator, FIRST_LINES, guessSeparator, unwrapText } from '../../../words/csv-dialect.ts'
import { say } from '../../../words/say.ts'
import { KIB } from '../../bytes.ts'
import { invalid } from '../../problem.ts'
import { csvFault } from './csv-fault.ts'

/** A record of a CSV file and the line where it begins; blank lines and lines inside cells are counted too. */
export type CsvLine = { cells: string[]; line: number }

/** The text of a file, or its path. */
export type CsvSource = { text: string } | { path: string }

const Parsed = TypeCompiler.Compile(
  Type.Object({ record: Type.Array(Type.String()), info: Type.Object({ lines: Type.Integer() }) }),
)

const PIECE = 32 * KIB

/** Yields a text in pieces: parsed at once, a million commas would block other requests. */
async function* splitText(text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += PIECE) {
    yield bytes.subarray(at, at + PIECE)
    await Bun.sleep(0)
  }
}

const openSource = (source: CsvSource): Readable =>
  'path' in source ? createReadStream(source.path, { highWaterMark: PIECE }) : Readable.from(splitText(source.text))

/** The longest line in bytes and record in characters; what a parser makes of a longer one would fill the memory. */
const LONGEST_LINE = 128 * KIB
const [LINE_FEED, CARRIAGE_RETURN] = [10, 13]

/** Yields the pieces of a file, and throws before a line that is too long reaches the parser. */
async function* withoutLongLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let length = 0
  for await (const piece of pieces) {
    const end = Math.max(piece.lastIndexOf(LINE_FEED), piece.lastIndexOf(CARRIAGE_RETURN))
    const begin = Math.min(...[LINE_FEED, CARRIAGE_RETURN].map((mark) => piece.indexOf(mark)).filter((at) => at >= 0))
    // a piece is shorter than the longest line, so only a line that began in an earlier piece can be too long
    if (length + (end < 0 ? piece.length : begin) > LONGEST_LINE)
      throw invalid('csv', 'too_long', say('problems.field.csv_long_line', { most: LONGEST_LINE }))
    length = end < 0 ? length + piece.length : piece.length - end - 1
    yield piece
  }
}

/** Returns the separator of a file, and the line where it begins. */
async function readDialect(source: CsvSource): Promise<{ delimiter: string; from_line: number }> {
  const start = 'path' in source ? await Bun.file(source.path).slice(0, PIECE).text() : source.text.slice(0, PIECE)
  const said = declaredSeparator(start)
  return said === undefined ? { delimiter: guessSeparator(start), from_line: 1 } : { delimiter: said, from_line: 2 }
}

const BREAKS = /\r\n|\r|\n/g
/** Counts the line ends inside the cells of a record, and those of two characters among them. */
const countBreaks = (cells: readonly string[]): { breaks: number; pairs: number } => {
  const breaks = cells.flatMap((cell) => cell.match(BREAKS) ?? [])
  return { breaks: breaks.length, pairs: breaks.filter((mark) => mark.length === 2).length }
}

const unreadable = (place: { line: number; column: number }) =>
  invalid('csv', 'csv', say('problems.field.csv_unreadable', place))
const tooMany = (most: number) => invalid('csv', 'too_many', say('problems.field.csv_most_rows', { most }))

/**
 * Yields the records of a CSV file while it is read, at most `most` after the first. Records without a value are
 * skipped. 422 on `csv` if the file cannot be read or has more records.
 */
export async function* readCsv(source: CsvSource, most: number): AsyncGenerator<CsvLine> {
  const parser = parse({
    ...(await readDialect(source)),
    // a file that several programs wrote may have several line ends
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: LONGEST_LINE,
    info: true,
    bom: true,
    relax_column_count: true,
    // a quote inside of a cell is a letter
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    trim: true,
  })
  const whole = openSource(source)
  const stream = Readable.from(withoutLongLines(whole))
  // a pipe does not pass a failure on
  stream.on('error', (error) => parser.destroy(error))
  let count = -1
  // the parser counts a line end of two characters inside a cell as two lines
  let surplus = 0
  try {
    for await (const one of stream.pipe(parser)) {
      if (!Parsed.Check(one)) throw invalid('csv', 'csv', say('problems.field.csv_rows_no_text'))
      count += 1
      if (count > most) throw tooMany(most)
      const { breaks, pairs } = countBreaks(one.record)
      surplus += pairs
      const line = one.info.lines - surplus - breaks
      // the parser would take a quote that is never closed as one cell up to the next quote
      const open = one.record.findIndex((cell) => cell.startsWith('"') && /[\r\n]/.test(cell))
      if (open >= 0) throw unreadable({ line, column: open + 1 })
      yield { cells: one.record.map(unwrapText), line }
    }
  } catch (error) {
    const place = csvFault(error)
    if (place) throw unreadable(place)
    throw error instanceof CsvError ? invalid('csv', 'csv', say('problems.field.csv_malformed')) : error
  } finally {
    stream.destroy()
    whole.destroy()
  }
}

/** A table of a file: its header row, the first lines of the file, and the lines below the header row until `close`. */
type Table = { heads: CsvLine; first: readonly CsvLine[]; lines: AsyncGenerator<CsvLine>; close: () => void }

/**
 * Opens a CSV file as a table of at most `most` lines below its header row. The header row is the line `at`, or the one
 * among the first lines that `rate` rates highest, since titles may stand above it. 422 on `csv` if the file has no
 * line, on `headLine` if `at` is none of the first lines.
 */
export async function openTable(
  source: CsvSource,
  most: number,
  rate: (cells: readonly string[]) => number,
  at?: number,
): Promise<Table> {
  const records = readCsv(source, most + FIRST_LINES)
  const first: CsvLine[] = []
  while (first.length < FIRST_LINES) {
    const { value, done } = await records.next()
    if (done) break
    first.push(value)
  }
  const rates = first.map(({ cells }) => rate(cells))
  const index = at === undefined ? rates.indexOf(Math.max(...rates)) : first.findIndex(({ line }) => line === at)
  const heads = first[index]
  const close = (): void => void records.return(undefined)
  if (heads === undefined) close()
  if (first.length === 0) throw invalid('csv', 'csv', say('problems.field.csv_empty'))
  if (heads === undefined)
    throw invalid('headLine', 'unknown', say('problems.field.csv_no_head', { most: FIRST_LINES }))
  async function* readLines(): AsyncGenerator<CsvLine> {
    let count = 0
    const counted = (line: CsvLine): CsvLine => {
      count += 1
      if (count > most) throw tooMany(most)
      return line
    }
    for (const line of first.slice(index + 1)) yield counted(line)
    for await (const line of records) yield counted(line)
  }
  return { heads, first, lines: readLines(), close }
}

/** Returns which column, by index, fills which field; 422 on a column that the file lacks or a field filled twice. */
export function mapColumns<F extends string>(
  head: readonly string[],
  mapping: Readonly<Record<string, F>>,
): Map<number, F> {
  const fields = new Map<number, F>()
  for (const [column, field] of Object.entries(mapping)) {
    const index = head.indexOf(column)
    if (index === -1) throw invalid(`mapping.${column}`, 'unknown_column', say('problems.field.csv_no_column'))
    if ([...fields.values()].includes(field))
      throw invalid(`mapping.${column}`, 'repeated', say('problems.field.csv_filled_twice', { field }))
    fields.set(index, field)
  }
  return fields
}
