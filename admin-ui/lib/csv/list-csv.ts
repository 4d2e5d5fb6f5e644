import { defuseText } from '../../../src/words/csv-guard.ts'
import { stateName } from '../text/state-name.ts'
import { say } from '../text/words.ts'
import { toClockText } from '../text/zone.ts'
import { type CsvForm, csvText, type FileHead } from './csv-writing.ts'

/** A row of the file that the API makes of a list: its cells by the names of the interface. */
export type FileRow = Readonly<Record<string, string>>
/** What a column of the screen is in a file, by the names of the API's file. */
export type FileCell =
  | {
      /** The API's column; by default the one with the key of the screen's column. */
      from?: string
      /** Names a value for people. */
      words?: (value: string) => string
      /** The API's column with the currency of this amount, which gets a column of its own. */
      currency?: string
    }
  | ((row: FileRow, findName: (id: string) => string) => string)
  | LoadedCell
/** Makes the cells of what the screen reads beside its rows, which the API's file does not have. */
export type LoadedCell = { load: (rows: readonly FileRow[]) => Promise<(row: FileRow) => string> }
/** A column of the screen, by which its column in a file is made. */
export type ShownColumn = FileHead & { key: string; file?: FileCell | undefined }
type Made = FileHead & { cell: (row: FileRow) => string }

/** Reads the text of a CSV file that the API made, into rows by the names in its first line. */
export function readFileRows(text: string): FileRow[] {
  const lines: string[][] = []
  let line: string[] = []
  const cell = /("(?:[^"]|"")*"|[^",\n]*)(,|\n|$)/y
  const body = text.replace(/^\ufeff/, '')
  for (cell.lastIndex = 0; cell.lastIndex < body.length; ) {
    const [matched = '', value = '', end] = cell.exec(body) ?? []
    if (matched === '') break
    line.push(value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value)
    if (end === ',') continue
    lines.push(line)
    line = []
  }
  const [heads = [], ...rows] = lines
  return rows.map((values) => Object.fromEntries(heads.map((head, at) => [head, values[at] ?? ''])))
}

const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

/** Returns the columns of a file for people: those of the screen that the API's file has, with their currencies. */
function makeColumns(
  shown: readonly ShownColumn[],
  heads: ReadonlySet<string>,
  names: ReadonlyMap<string, string>,
): Made[] {
  const currencies = new Set<string>()
  // the API has made its own cells harmless, but not the names of colleagues
  const nameOne = (value: string): string => {
    const name = names.get(value)
    return name === undefined ? value : defuseText(name)
  }
  const tell = (value: string): string => (MOMENT.test(value) ? toClockText(new Date(value)) : nameOne(value))
  const read = (from: string) => (row: FileRow) => tell(row[from] ?? '')
  return shown.flatMap(({ key, title, align, file = {} }): Made[] => {
    if (typeof file === 'function') return [{ title, align, cell: (row) => tell(file(row, nameOne)) }]
    // such a cell is a function once it is loaded
    if ('load' in file) return []
    const { from = key, words, currency } = file
    if (!heads.has(from)) return []
    const cell = words ? (row: FileRow) => (row[from] ? words(row[from]) : '') : read(from)
    const isNew = currency !== undefined && !currencies.has(currency)
    if (isNew) currencies.add(currency)
    return [{ title, align, cell }, ...(isNew ? [{ title: say('common.currency'), cell: read(currency) }] : [])]
  })
}

/** Returns the columns of a file once what they need beside its rows is read. */
export function loadColumns(text: string, shown: readonly ShownColumn[]): Promise<ShownColumn[]> {
  const rows = readFileRows(text)
  return Promise.all(
    shown.map(async (column) => {
      const { file } = column
      return typeof file === 'object' && 'load' in file ? { ...column, file: await file.load(rows) } : column
    }),
  )
}

const NOBODY: ReadonlyMap<string, string> = new Map()
type Choice = { names?: ReadonlyMap<string, string>; keep?: (row: FileRow) => boolean; form?: CsvForm }

/**
 * Returns the API's file as people see its rows: the columns of the screen in their order under their headings, with
 * names for ids and states, and times of the firm's zone. Amounts stay plain numbers, with which a spreadsheet can
 * count. `keep` chooses among the rows.
 */
export function toShownCsv(
  text: string,
  shown: readonly ShownColumn[],
  { names = NOBODY, keep = () => true, form }: Choice = {},
): string {
  const rows = readFileRows(text).filter(keep)
  const heads = new Set(
    text
      .replace(/^\ufeff/, '')
      .split('\n', 1)[0]
      ?.split(','),
  )
  const columns = makeColumns(shown, heads, names)
  return csvText(
    columns,
    rows.map((row) => columns.map(({ cell }) => cell(row))),
    form,
  )
}

type Names = Readonly<Record<string, string | { label: string }>>

/** The cell of a word of the interface, by the names that the list shows. */
export const nameCell = (names: Names, from?: string): FileCell => ({
  ...(from !== undefined && { from }),
  words: (value) => {
    const name = names[value]
    return typeof name === 'object' ? name.label : (name ?? value)
  },
})
/** The cell of a state, risk or priority that has the same name everywhere. */
export const STATE_CELL: FileCell = { words: stateName }
/** The cell of the client of a row. */
export const CLIENT_CELL: FileCell = { from: 'traderName' }
/** The cell of an amount, with its currency beside it. */
export const AMOUNT_CELL: FileCell = { currency: 'currency' }
