import { readFileSync } from 'node:fs'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { stringify } from 'csv-stringify/sync'
import readXlsxFile from 'read-excel-file/universal'
import { MIB } from '../../../platform/bytes.ts'
import { OneOf } from '../../../platform/wire/fields.ts'

const Given = Type.Object({
  /** The file in base64, or the path of a file with that base64 text. */
  content: Type.Optional(Type.String()),
  path: Type.Optional(Type.String()),
  sheet: Type.Optional(Type.String()),
})
export const WorkbookRead = Type.Union([
  Type.Object({ sheets: Type.Array(Type.String()), sheet: Type.String(), csv: Type.String() }),
  Type.Object({ refused: OneOf(['unreadable', 'no_sheet', 'too_large']) }),
])

/** The most characters that a sheet may have as text; 200,000 usual lines take half of them. */
const MOST_TEXT = 48 * MIB

/** Excel keeps fifteen digits; further digits in a file are rounding errors. */
const DIGITS = new Intl.NumberFormat('en-US', { useGrouping: false, maximumSignificantDigits: 15 })

/** With the comma as decimal sign, the point of a number with three decimals would be read as one for thousands. */
const MISREAD = /^-?[1-9]\d{0,2}\.\d{3}$/
const writeNumber = (value: number): string => {
  const text = DIGITS.format(value)
  return MISREAD.test(text) ? `${text}0` : text
}

/** Writes a cell: a day without its midnight, and text in one line, so that a line of the text is one row. */
function writeCell(value: unknown): string {
  if (value instanceof Date) return value.toISOString().replace(/T00:00:00\.000Z$/, '')
  if (typeof value === 'number') return writeNumber(value)
  return value === null || value === undefined ? '' : String(value).replaceAll(/\s*[\r\n]+\s*/g, ' ')
}

/**
 * Reads a sheet of an .xlsx file as CSV text, in a child with limited time and memory, since a small file may unpack to
 * a huge one. Formulas have the values that were saved with them.
 */
export async function readWorkbookTask(input: unknown): Promise<Static<typeof WorkbookRead>> {
  const { content, path, sheet } = Value.Decode(Given, input)
  const bytes = Uint8Array.fromBase64(content ?? readFileSync(path ?? '', 'utf8'))
  const read = await readXlsxFile(bytes.buffer).catch(() => null)
  if (read === null) return { refused: 'unreadable' }
  const chosen = sheet === undefined ? (read.find(({ data }) => data.length > 0) ?? read[0]) : undefined
  const found = chosen ?? read.find((one) => one.sheet === sheet)
  if (!found) return { refused: 'no_sheet' }
  const csv = stringify(found.data.map((row) => row.map(writeCell)))
  if (csv.length > MOST_TEXT) return { refused: 'too_large' }
  return { sheets: read.map((one) => one.sheet), sheet: found.sheet, csv }
}
