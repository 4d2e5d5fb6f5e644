import { type Encoding, rankEncodings } from './csv-encoding.ts'

/** A chosen CSV file: its possible encodings, the most likely first, and the one that is used. */
export type CsvFile = {
  name: string
  bytes: Uint8Array<ArrayBuffer>
  encodings: readonly Encoding[]
  encoding: Encoding
  text: string
}

/** Excel writes this line above the heads to name the separator; it is no line of the table. */
const DECLARATION = /^"?sep=[^\r\n]?"?[,;\t]*(\r\n|\n|\r)/i

/** Decodes the same file in another encoding, without its byte order mark and Excel's line. */
export const readAs = (file: Omit<CsvFile, 'text'>, encoding: Encoding): CsvFile => ({
  ...file,
  encoding,
  text: new TextDecoder(encoding).decode(file.bytes).replace(DECLARATION, ''),
})

/** Reads a chosen file in its most likely encoding. */
export const readCsvFile = async (file: File): Promise<CsvFile> => {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const encodings = rankEncodings(bytes)
  const [encoding] = encodings
  return readAs({ name: file.name, bytes, encodings, encoding }, encoding)
}

/** A line of a file, by its number. */
type Line = { number: number; text: string }

const LINES_SHOWN = 3
const LOOKED_AT = 1_000_000
const BEYOND_ASCII = /[^\p{ASCII}]/u

/**
 * Returns the lines by which a person sees whether the encoding is right: the first one, and the next ones with letters
 * beyond A to Z, which could be wrong; without any, the lines that follow.
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
