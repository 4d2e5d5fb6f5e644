import { type Static, Type } from '@sinclair/typebox'
import { MIB } from '../../../platform/bytes.ts'
import { toIso } from '../../../platform/clock.ts'
import { formatAmount } from '../../../platform/money.ts'
import {
  Amount,
  Currency,
  Id,
  Line,
  Nullable,
  OneOf,
  Prose,
  Strict,
  Time,
  Version,
} from '../../../platform/wire/fields.ts'
import { nameSchema, worded } from '../../../platform/wire/schema-name.ts'
import { say } from '../../../words/say.ts'
import { PlatformName } from '../../books/accounts/accounts.model.ts'
import { DATE_ORDERS, DECIMAL_MARKS, IMPORT_FIELDS } from './imports.fields.ts'
import { IMPORT_STATUS, type ImportRow, type Tally } from './imports.table.ts'

/** A file may have this many lines below its header. */
export const MOST_LINES = 200_000
export const FILE_BYTES = 64 * MIB
/** An answer lists this many mistakes; the file of mistakes has all of them. */
export const ERRORS_SHOWN = 200

const Mapping = Type.Record(
  Type.String({ maxLength: 200, description: 'column of the file' }),
  OneOf(IMPORT_FIELDS, { description: 'what it fills' }),
)
const ControlTotals = Type.Record(Currency, Amount, {
  description: 'what the opening balances of the file must come to, by currency',
})

export const ImportIn = nameSchema(
  'TraderImportIn',
  Strict({
    csv: Type.String({
      minLength: 1,
      maxLength: FILE_BYTES,
      description: `the file’s text, at most ${MOST_LINES} lines; one of the first ones names the columns`,
    }),
    fileName: Type.Optional(Line(200)),
    platform: Type.Optional({ ...PlatformName, description: 'of accounts whose line names none' }),
    headLine: Type.Optional(
      Type.Integer({ minimum: 1, description: 'the line that names the columns, if it is not the one that is found' }),
    ),
    currency: Type.Optional(worded(Currency, 'of lines that name none')),
    dates: Type.Optional(OneOf(DATE_ORDERS, { description: 'how days such as 03/04/1990 are read' })),
    decimals: Type.Optional(OneOf(DECIMAL_MARKS, { description: 'how amounts such as 1,234 are read' })),
    mapping: Type.Optional({
      ...Mapping,
      description: 'without it, that of the last file with the same heads, or what the heads say',
    }),
    controlTotals: Type.Optional(ControlTotals),
    skipErrors: Type.Optional(
      Type.Boolean({ description: 'import the lines without mistakes; else one mistake stops the file' }),
    ),
    dryRun: Type.Optional(Type.Boolean({ description: 'say what would happen, change nothing' })),
  }),
)
export type ImportInput = Static<typeof ImportIn>

export const ConfirmIn = nameSchema(
  'TraderImportConfirmIn',
  Strict({ note: Type.Optional({ ...Prose(1000), description: 'what the second person compared it with' }) }),
)

const Balance = nameSchema(
  'TraderImportBalance',
  Type.Object(
    {
      currency: Currency,
      control: Nullable(Amount),
      lines: Type.Integer(),
      inFile: Amount,
      refused: Amount,
      known: Amount,
      toPost: Amount,
      posted: Amount,
      undone: Amount,
      agrees: Type.Boolean({ description: 'whether what is not refused comes to the control total' }),
    },
    { description: 'opening balances of one currency; `known` was posted by an earlier file' },
  ),
)

const Fault = Type.Object({
  line: Type.Integer({ description: 'line of the file where it begins, counted from 1' }),
  field: Nullable(OneOf(IMPORT_FIELDS)),
  column: Nullable(Type.String({ description: 'the column that fills the field' })),
  code: Type.String(),
  message: Type.String(),
})

export const ImportOut = nameSchema(
  'TraderImport',
  Type.Object({
    id: Id,
    fileName: Nullable(Type.String()),
    platform: Nullable(Type.String()),
    status: OneOf(IMPORT_STATUS),
    dryRun: Type.Boolean(),
    skipErrors: Type.Boolean(),
    columns: Type.Array(Type.String(), { description: 'heads of the file' }),
    headLine: Nullable(Type.Integer({ description: 'the line of the file that they are on' })),
    currency: Nullable(Currency),
    dates: Nullable(OneOf(DATE_ORDERS)),
    decimals: Nullable(OneOf(DECIMAL_MARKS)),
    mapping: Mapping,
    lines: Type.Integer({ description: 'behind the head' }),
    progress: Type.Integer({ description: 'lines that the present work has done' }),
    refused: Type.Integer({ description: 'lines with mistakes' }),
    created: Type.Integer({ description: 'clients' }),
    known: Type.Integer({ description: 'lines of clients who were there already' }),
    accounts: Type.Integer({ description: 'accounts that were linked' }),
    undone: Type.Integer({ description: 'clients whom the undo took back' }),
    left: Type.Integer({ description: 'clients whom the undo left, for something had happened to them' }),
    balances: Type.Array(Balance),
    errors: Type.Array(Fault, { description: `at most ${ERRORS_SHOWN}` }),
    notes: Type.Array(Fault, { description: `what is kept as text, at most ${ERRORS_SHOWN}` }),
    failure: Nullable(Type.String({ description: 'why nothing was imported, or some balances were not posted' })),
    createdBy: Nullable(Id),
    confirmedBy: Nullable(Id),
    confirmedAt: Nullable(Time),
    note: Nullable(Type.String()),
    undoneBy: Nullable(Id),
    createdAt: Time,
    finishedAt: Nullable(Time),
    version: Version,
  }),
)
export type Import = Static<typeof ImportOut>

const timeOrNull = (at: number | null): string | null => (at === null ? null : toIso(at))

/** Returns the part of a sum that will be posted when the second person confirms. */
export const toPost = ({ inFile, refused, known }: Tally): bigint => BigInt(inFile) - BigInt(refused) - BigInt(known)

/** Returns the balances of an import by currency, with their control totals. */
export function toBalances({ tallies, controlTotals }: ImportRow): Static<typeof Balance>[] {
  const currencies = [...new Set([...Object.keys(tallies), ...Object.keys(controlTotals)])].toSorted()
  return currencies.map((currency) => {
    const tally = tallies[currency] ?? NOTHING
    const control = controlTotals[currency] ?? null
    const shown = (minor: string | bigint): string => formatAmount(BigInt(minor), currency)
    const counted = BigInt(tally.inFile) - BigInt(tally.refused)
    return {
      currency,
      control,
      lines: tally.rows,
      inFile: shown(tally.inFile),
      refused: shown(tally.refused),
      known: shown(tally.known),
      toPost: shown(toPost(tally) - BigInt(tally.posted)),
      posted: shown(tally.posted),
      undone: shown(tally.undone),
      agrees: control === null ? counted === 0n : control === shown(counted),
    }
  })
}

export const NOTHING: Tally = { rows: 0, inFile: '0', refused: '0', known: '0', posted: '0', undone: '0' }

export const toImport = (row: ImportRow, errors: Static<typeof Fault>[], notes: Static<typeof Fault>[]): Import => ({
  id: row.id,
  fileName: row.fileName,
  platform: row.platform,
  status: row.status,
  dryRun: row.dryRun,
  skipErrors: row.skipErrors,
  columns: row.columns,
  headLine: row.reading.headLine ?? null,
  currency: row.reading.currency ?? null,
  dates: row.reading.dates ?? null,
  decimals: row.reading.decimals ?? null,
  mapping: row.mapping,
  lines: row.lines,
  progress: row.cursor,
  refused: row.refused,
  created: row.created,
  known: row.known,
  accounts: row.accounts,
  undone: row.undone,
  left: row.left,
  balances: toBalances(row),
  errors,
  notes,
  failure: row.failure,
  createdBy: row.createdBy,
  confirmedBy: row.confirmedBy,
  confirmedAt: timeOrNull(row.confirmedAt),
  note: row.note,
  undoneBy: row.undoneBy,
  createdAt: toIso(row.createdAt),
  finishedAt: timeOrNull(row.finishedAt),
  version: row.version,
})

/** Returns why a file that was checked completely is not imported; null if it is. */
export function findFailure(row: ImportRow): string | null {
  if (row.refused > 0 && !row.skipErrors) return say('imports.failure.lines', { count: row.refused })
  const off = toBalances(row).find(({ agrees }) => !agrees)
  if (!off) return null
  const { currency, control, inFile } = off
  // a dry run shows which control total will be needed
  if (control === null && row.dryRun) return null
  if (control === null) return say('imports.failure.no_control', { currency, inFile })
  return say('imports.failure.totals', { currency, control, inFile, refused: off.refused })
}
