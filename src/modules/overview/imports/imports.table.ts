import { integer, text } from 'drizzle-orm/sqlite-core'
import { flag, json, money, time } from '../../../platform/db/columns.ts'
import { kept, ours, personal } from '../../../platform/db/erasure.ts'
import { type Row, tenantTable } from '../../../platform/db/tenant-table.ts'
import type { Cells, ImportField, Reading } from './imports.fields.ts'

export const IMPORT_STATUS = [
  ...(['receiving', 'checking', 'checked', 'loading', 'loaded', 'posting'] as const),
  ...(['done', 'undoing', 'undone', 'failed'] as const),
] as const
/** The states in which a job works on an import. */
export const AT_WORK = ['checking', 'loading', 'posting', 'undoing'] as const
/** The states in which a file is open; a firm has one open file. */
export const OPEN_IMPORT = ['receiving', ...AT_WORK, 'loaded'] as const

/** The sums of one currency, in minor units as decimal text. */
export type Tally = { rows: number; inFile: string; refused: string; known: string; posted: string; undone: string }

/** One file of clients, accounts and opening balances, from upload to end. RULES “Moving in”. */
export const imports = tenantTable(
  'imports',
  'imp',
  {
    fileName: text(),
    /** The platform of accounts whose line does not name one. */
    platform: text(),
    status: text({ enum: IMPORT_STATUS }).notNull().default('receiving'),
    dryRun: flag().notNull().default(false),
    skipErrors: flag().notNull().default(false),
    columns: json<string[]>().notNull().default([]),
    mapping: json<Record<string, ImportField>>().notNull().default({}),
    /** What the uploader says about all lines, and which line has the headers. */
    reading: json<Reading>().notNull().default({}),
    /** The control totals by currency, as entered, in decimal text. */
    controlTotals: json<Record<string, string>>().notNull().default({}),
    tallies: json<Record<string, Tally>>().notNull().default({}),
    /** The number of lines after the header. */
    lines: integer().notNull().default(0),
    /** The line that the present step has reached. */
    cursor: integer().notNull().default(0),
    refused: integer().notNull().default(0),
    created: integer().notNull().default(0),
    known: integer().notNull().default(0),
    accounts: integer().notNull().default(0),
    undone: integer().notNull().default(0),
    /** How many clients an undo left because of later activity. */
    left: integer().notNull().default(0),
    failure: text(),
    createdBy: text(),
    confirmedBy: text(),
    confirmedAt: time(),
    note: text(),
    undoneBy: text(),
    finishedAt: time(),
    /** What was removed of lines that made nothing: 1 their texts, 2 their mistakes too. */
    forgotten: integer().notNull().default(0),
    version: integer().notNull().default(1),
    createdAt: time().notNull().default(0),
    updatedAt: time().notNull().default(0),
  },
  { entity: 'import' },
)
export type ImportRow = Row<typeof imports>

const LINE_STATUS = ['waiting', 'ready', 'refused', 'known', 'done', 'undone', 'left'] as const
const POSTED = ['no', 'earlier', 'here'] as const
/** The code of a note that a value was kept as text; the line is not refused for it. */
export const KEPT = 'kept'
export type LineError = { field: ImportField | null; code: string; message: string }

/** One line of a file and its result. Its text is removed once the line is done. */
export const importLines = tenantTable(
  'import_lines',
  'iml',
  {
    importId: text().notNull(),
    line: integer().notNull(),
    status: text({ enum: LINE_STATUS }).notNull().default('waiting'),
    cells: json<Cells>().notNull().default({}),
    /**
     * The client's id in the other system, as a keyed hash. It stays when the client is erased, so that the balance is
     * not posted a second time.
     */
    externalId: text().notNull(),
    emailKey: text(),
    accountKey: text(),
    currency: text(),
    balance: money(),
    traderId: text(),
    accountId: text(),
    /** Whether this line made the client. */
    isMaker: flag().notNull().default(false),
    /** Whether the line's balance is posted, and by which file. */
    posted: text({ enum: POSTED }).notNull().default('no'),
    errors: json<LineError[]>().notNull().default([]),
    createdAt: time().notNull().default(0),
  },
  {
    entity: 'import_line',
    audited: false,
    person: {
      of: 'traderId',
      columns: {
        cells: ours({ ...personal }),
        emailKey: personal,
        accountKey: personal,
        errors: ours({ ...personal }),
        ...kept('what the books were opened with', 'currency'),
        ...kept('a keyed hash, by which the books are not opened twice', 'externalId'),
        ...kept('points at rows that are erased themselves', 'accountId', 'importId'),
      },
    },
  },
)
export type ImportLineRow = Row<typeof importLines>
