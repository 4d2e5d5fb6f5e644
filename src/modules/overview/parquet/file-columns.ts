import type { ParquetWriter } from 'hyparquet-writer'
import { DAY } from '../../../platform/clock.ts'
import { getFates } from '../../../platform/db/erasure.ts'
import { type Column, getTableMeta, type TenantTable } from '../../../platform/db/tenant-table.ts'
import { getScale, isCurrency } from '../../../platform/money.ts'
import type { SqlValue } from '../../../platform/sqlite.ts'
import { wallClock } from '../../../platform/zone.ts'
import { EXPOSED, getKind, isReadable, nameDay } from '../sandbox/sandbox.catalogue.ts'
import { isFreeText } from './free-text.ts'

/** A row as SQLite gives it, by the names of its columns. */
export type SourceRow = Readonly<Record<string, SqlValue>>
type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number]
/** A value as the writer takes it: of a decimal the digits without the point, of a day its number. */
type FileValue = string | number | bigint | boolean | null
type FileType = keyof typeof TYPES

/** The types of columns, by the names that a manifest has for them. */
const TYPES = {
  string: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  int64: { type: 'INT64' },
  boolean: { type: 'BOOLEAN' },
  date: { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
  'timestamp(ms, UTC)': {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
  'decimal(38,8)': {
    type: 'FIXED_LEN_BYTE_ARRAY',
    type_length: 16,
    converted_type: 'DECIMAL',
    logical_type: { type: 'DECIMAL', precision: 38, scale: 8 },
    precision: 38,
    scale: 8,
  },
} as const satisfies Record<string, Omit<SchemaElement, 'name'>>

/** The decimals of every amount in a file, which are those of the finest currency. */
const SCALE = 8

/** The calendar of a firm: the number of the day of a moment in its time zone. */
export type Calendar = (at: number) => number

/** A column of a file, made of one column of its table, and of the currency beside that where it is an amount. */
export type FileColumn = {
  name: string
  type: FileType
  from: string
  currency: string | null
  convert: (value: SqlValue, currency: SqlValue, calendar: Calendar) => FileValue
}
/** A table as its file has it; `select` has the columns in `read`, and the firm as ?1. */
export type FileTable = {
  name: string
  columns: readonly FileColumn[]
  read: readonly string[]
  select: string
}

/** Returns whether a column tells of a person, by itself or by words that may name one. */
function isPersonal(table: TenantTable, column: Column): boolean {
  const { key, said } = column
  const { person } = getTableMeta(table)
  const fate = said.fate ?? (person && getFates(person)[key])
  return person?.row === 'goes' || (fate?.goes ?? null) !== null || isFreeText(table, column)
}

/** Returns the calendar of a time zone, which remembers days by quarters of an hour. */
export function createCalendar(timeZone: string): Calendar {
  const days = new Map<number, number>()
  return (at) => {
    const quarter = Math.floor(at / 900_000)
    const day = days.get(quarter) ?? Math.floor(wallClock(at, timeZone) / DAY)
    if (days.size < 100_000) days.set(quarter, day)
    return day
  }
}

const FACTORS = Array.from({ length: SCALE + 1 }, (_, scale) => 10n ** BigInt(SCALE - scale))

/** Returns an amount without the point of its eight decimals; null if its currency is not known. */
const toUnscaled: FileColumn['convert'] = (minor, currency) =>
  typeof minor === 'number' && typeof currency === 'string' && isCurrency(currency)
    ? BigInt(minor) * (FACTORS[getScale(currency)] ?? 1n)
    : null
const toBig: FileColumn['convert'] = (value) => (typeof value === 'number' ? BigInt(value) : null)
const toText: FileColumn['convert'] = (value) => (value === null ? null : String(value))
const toFlag: FileColumn['convert'] = (value) => (typeof value === 'number' ? value === 1 : null)
const toDay: FileColumn['convert'] = (at, _, calendar) => (typeof at === 'number' ? calendar(at) : null)

/** Returns the columns that a file has of one of a table: of a time also its day, of an amount also its minor units. */
function listColumns(table: TenantTable, column: Column): FileColumn[] {
  const { sql: from, currency } = column
  const made = (name: string, type: FileType, convert: FileColumn['convert'], beside: string | null = null) => ({
    name,
    type,
    from,
    currency: beside,
    convert,
  })
  switch (getKind(table, column)) {
    case 'time':
      return [made(from, 'timestamp(ms, UTC)', toBig), made(nameDay(from), 'date', toDay)]
    case 'money': {
      const beside = currency === null ? null : (getTableMeta(table).byKey.get(currency)?.sql ?? currency)
      // amounts without a currency are lots, whose unit is their eighth decimal
      const amount = made(from, 'decimal(38,8)', beside === null ? toBig : toUnscaled, beside)
      return [amount, made(`${from}_minor`, 'int64', toBig)]
    }
    case 'integer':
      return [made(from, 'int64', toBig)]
    case 'flag':
      return [made(from, 'boolean', toFlag)]
    default:
      return [made(from, 'string', toText)]
  }
}

function describeTable(table: TenantTable, withPeople: boolean): FileTable {
  const { name, byKey, columns: all } = getTableMeta(table)
  const columns = all
    .filter((column) => isReadable(column) && (withPeople || !isPersonal(table, column)))
    .flatMap((column) => listColumns(table, column))
  const read = [...new Set(columns.flatMap(({ from, currency }) => (currency === null ? from : [from, currency])))]
  // in the order of the primary key, so that nothing is sorted
  const order = byKey.has('seq') ? 'seq' : 'id'
  const select = `SELECT ${read.join(', ')} FROM main.${name} WHERE tenant_id = ?1 ORDER BY ${order}`
  return { name, columns, read, select }
}

/** Returns the tables of the files: those of the SQL page, and of their columns those that tell of no person. */
export const listFileTables = ({ withPeople }: { withPeople: boolean }): readonly FileTable[] =>
  EXPOSED.map((table) => describeTable(table, withPeople))

/** Returns the schema of a table's file. */
export const buildSchema = ({ columns }: FileTable): SchemaElement[] => [
  { name: 'root', num_children: columns.length },
  ...columns.map(({ name, type }): SchemaElement => ({ name, repetition_type: 'OPTIONAL', ...TYPES[type] })),
]
