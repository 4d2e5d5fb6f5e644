import { type Encoding, encodingsOf } from './csv-encoding.ts'

/** A CSV file that was chosen: the ways in which it can be read, the likeliest first, and what it is read as. */
export type CsvFile = {
  name: string
  bytes: Uint8Array<ArrayBuffer>
  encodings: readonly Encoding[]
  encoding: Encoding
  text: string
}

/** What Excel writes above the heads to say what parts the columns; no line of the table. */
const DECLARATION = /^"?sep=[^\r\n]?"?[,;\t]*(\r\n|\n|\r)/i

/** The same file, read in another way: without its mark and without what Excel writes above. */
export const readAs = (file: Omit<CsvFile, 'text'>, encoding: Encoding): CsvFile => ({
  ...file,
  encoding,
  text: new TextDecoder(encoding).decode(file.bytes).replace(DECLARATION, ''),
})

/** A file that was chosen, read as it is most likely written. */
export const readCsvFile = async (file: File): Promise<CsvFile> => {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const encodings = encodingsOf(bytes)
  const [encoding] = encodings
  return readAs({ name: file.name, bytes, encodings, encoding }, encoding)
}

/** A line of a file, by its number. */
type Line = { number: number; text: string }

const LINES_SHOWN = 3
const LOOKED_AT = 1_000_000
const BEYOND_ASCII = /[^\p{ASCII}]/u

/**
 * Lines by which a person sees whether a file was read rightly: the first one, and the next ones with letters beyond
 * A to Z, which are what could be wrong; where there are none, those that follow.
 */
export const telling = (text: string): Line[] => {
  const lines = text
    .slice(0, LOOKED_AT)
    .split(/\r\n|\n|\r/)
    .map((line, index): Line => ({ number: index + 1, text: line }))
    .filter((line) => line.text.trim() !== '')
  const [first, ...rest] = lines
  if (!first) return []
  const doubtful = rest.filter((line) => BEYOND_ASCII.test(line.text)).slice(0, LINES_SHOWN - 1)
  const others = rest.slice(0, LINES_SHOWN - 1).filter((line) => !doubtful.includes(line))
  return [first, ...[...doubtful, ...others].slice(0, LINES_SHOWN - 1).toSorted((a, b) => a.number - b.number)]
}
