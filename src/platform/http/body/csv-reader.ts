import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { CsvError, parse } from 'csv-parse'
import { say } from '../../../words/say.ts'
import { KIB } from '../../bytes.ts'
import { invalid } from '../../problem.ts'
import { csvFault } from './csv-fault.ts'

/** A record of a CSV file, with its last line: blank lines and cells of several lines count. */
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

/**
 * The limits of a line in bytes and of a record in characters: what a parser makes of more cells would fill the memory.
 */
const LONGEST_LINE = 128 * KIB
const [LINE_FEED, CARRIAGE_RETURN] = [10, 13]

/** Passes a file on up to a line that is too long, before it is parsed. */
async function* withoutLongLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let length = 0
  for await (const piece of pieces) {
    const end = Math.max(piece.lastIndexOf(LINE_FEED), piece.lastIndexOf(CARRIAGE_RETURN))
    const begin = Math.min(...[LINE_FEED, CARRIAGE_RETURN].map((mark) => piece.indexOf(mark)).filter((at) => at >= 0))
    // a piece is shorter than the longest line, so only one that began before can be too long
    if (length + (end < 0 ? piece.length : begin) > LONGEST_LINE)
      throw invalid('csv', 'too_long', say('problems.field.csv_long_line', { most: LONGEST_LINE }))
    length = end < 0 ? length + piece.length : piece.length - end - 1
    yield piece
  }
}

/** Excel reads `sep=;` in the first line as the separator, which is no line of the file. */
const SAYS_MARK = /^\ufeff?sep=([,;\t])\r?$/i

/** Returns the separator by the file's first line: Excel writes semicolons if the comma is decimal. */
async function guessDialect(source: CsvSource): Promise<{ delimiter: string; from_line: number }> {
  const start = 'path' in source ? await Bun.file(source.path).slice(0, PIECE).text() : source.text.slice(0, PIECE)
  const [first = ''] = start.split(/\r?\n|\r/, 1)
  const [, said] = SAYS_MARK.exec(first) ?? []
  if (said !== undefined) return { delimiter: said, from_line: 2 }
  const count = (mark: string): number => first.split(mark).length
  const delimiter = [',', ';', '\t'].reduce((best, mark) => (count(mark) > count(best) ? mark : best))
  return { delimiter, from_line: 1 }
}

/**
 * Yields the records of a CSV file, its header first, at most `most` after it; the file is read meanwhile. 422 on `csv`
 * if it cannot be read, or has more.
 */
export async function* readCsv(source: CsvSource, most: number): AsyncGenerator<CsvLine> {
  const parser = parse({
    ...(await guessDialect(source)),
    // a file that several programs wrote may have several line ends
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: LONGEST_LINE,
    info: true,
    bom: true,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
  })
  const whole = openSource(source)
  const stream = Readable.from(withoutLongLines(whole))
  // a pipe passes no failure on
  stream.on('error', (error) => parser.destroy(error))
  let count = -1
  try {
    for await (const one of stream.pipe(parser)) {
      if (!Parsed.Check(one)) throw invalid('csv', 'csv', say('problems.field.csv_rows_no_text'))
      count += 1
      if (count > most) throw invalid('csv', 'too_many', say('problems.field.csv_most_rows', { most }))
      yield { cells: one.record, line: one.info.lines }
    }
  } catch (error) {
    const place = csvFault(error)
    if (place) throw invalid('csv', 'csv', say('problems.field.csv_unreadable', place))
    throw error instanceof CsvError ? invalid('csv', 'csv', say('problems.field.csv_malformed')) : error
  } finally {
    stream.destroy()
    whole.destroy()
  }
}

/**
 * Returns which column, by its place, fills which field. 422 names a mapped column that the file lacks, or that fills a
 * field twice.
 */
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
