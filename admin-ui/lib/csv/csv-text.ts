import { declaredSeparator } from '../../../src/words/csv-dialect.ts'
import { call } from '../../api.ts'
import { isApiError } from '../api/http.ts'
import { formatMessage } from '../forms/use-api-form.ts'
import { type Encoding, rankEncodings } from './csv-encoding.ts'

/**
 * A chosen file as CSV: its possible encodings, the most likely first, and the one that is used; for an Excel workbook
 * also its sheets, and the one that was read.
 */
export type CsvFile = {
  name: string
  bytes: Uint8Array<ArrayBuffer>
  encodings: readonly Encoding[]
  encoding: Encoding
  text: string
  workbook?: { file: File; sheets: readonly string[]; sheet: string }
}

/** Excel writes this line above the headings to name the separator; it is not part of the table. */
const DECLARATION = /^"?sep=[^\r\n]?"?[,;\t]*(\r\n|\n|\r)/i

/**
 * Decodes the same file in another encoding, without its byte order mark. Excel's line is kept if it names a separator
 * that the server knows, which would otherwise have to guess.
 */
export const readAs = (file: Omit<CsvFile, 'text'>, encoding: Encoding): CsvFile => {
  const text = new TextDecoder(encoding).decode(file.bytes)
  return { ...file, encoding, text: declaredSeparator(text) === undefined ? text.replace(DECLARATION, '') : text }
}

/** Workbooks of Excel begin with these bytes; the second are older or protected ones, which the server refuses. */
const WORKBOOKS = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
]

/** Lets the server read a sheet of a workbook; without a name, the first sheet that is not empty. */
export const readSheet = async (file: File, bytes: Uint8Array<ArrayBuffer>, sheet?: string): Promise<CsvFile> => {
  const body = { content: bytes.toBase64(), ...(sheet !== undefined && { sheet }) }
  const { csv, ...read } = await call('workbooks.read', { body })
  return { name: file.name, bytes, encodings: ['utf-8'], encoding: 'utf-8', text: csv, workbook: { file, ...read } }
}

/** Reads a chosen file, a CSV in its most likely encoding; a refusal of the server is thrown. */
export const readCsvFile = async (file: File): Promise<CsvFile> => {
  const bytes = new Uint8Array(await file.arrayBuffer())
  if (WORKBOOKS.some((mark) => mark.every((byte, at) => bytes[at] === byte))) return readSheet(file, bytes)
  const encodings = rankEncodings(bytes)
  const [encoding] = encodings
  return readAs({ name: file.name, bytes, encodings, encoding }, encoding)
}

/** Returns in words why the server did not read a workbook. */
export const explainRefusal = (error: unknown): string => {
  const [fault] = isApiError(error) ? (error.problem.errors ?? []) : []
  return fault ? formatMessage(fault.message) : error instanceof Error ? error.message : String(error)
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
export const pickPreviewLines = (text: string): Line[] => {
  const skipped = declaredSeparator(text) === undefined ? 0 : 1
  const lines = text
    .slice(0, LOOKED_AT)
    .split(/\r\n|\n|\r/)
    .map((line, index): Line => ({ number: index + 1, text: line }))
    .filter((line) => line.number > skipped && line.text.trim() !== '')
  const [first, ...rest] = lines
  if (!first) return []
  const doubtful = rest.filter((line) => BEYOND_ASCII.test(line.text)).slice(0, LINES_SHOWN - 1)
  const others = rest.slice(0, LINES_SHOWN - 1).filter((line) => !doubtful.includes(line))
  return [first, ...[...doubtful, ...others].slice(0, LINES_SHOWN - 1).toSorted((a, b) => a.number - b.number)]
}
