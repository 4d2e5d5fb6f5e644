import { integer, text } from 'drizzle-orm/sqlite-core'
import { column, currency, id, money, time } from '../../../platform/db/columns.ts'
import { fact, internal, untold } from '../../../platform/db/erasure.ts'
import { type Row, tenantTable } from '../../../platform/db/tenant-table.ts'

const DAY_STATES = ['clean', 'owned', 'open'] as const

/** What lay on each terminal at the end of each day, by currency, and what explains it. RULES “Days of a terminal”. */
export const terminalDays = tenantTable(
  'terminal_days',
  'tdy',
  {
    connectionId: column(id().notNull(), internal, 'api csv sql'),
    /** The day of the firm's zone, YYYY-MM-DD. */
    day: column(text().notNull(), fact, 'api csv sql'),
    currency: column(currency().notNull(), fact, 'api csv sql'),
    revision: column(integer().notNull(), fact, 'api csv sql'),
    accounts: column(integer().notNull(), fact, 'api csv sql'),
    balance: column(money().notNull(), fact, 'api csv sql'),
    negative: column(money().notNull(), fact, 'api csv sql'),
    credit: column(money().notNull(), fact, 'api csv sql'),
    equity: column(money().notNull(), fact, 'api csv sql'),
    equityAt: column(time(), fact, 'api csv sql'),
    owed: column(money().notNull(), fact, 'api csv sql'),
    transfersIn: column(money().notNull(), fact, 'api csv sql'),
    transfersOut: column(money().notNull(), fact, 'api csv sql'),
    trading: column(money().notNull(), fact, 'api csv sql'),
    owned: column(money().notNull(), fact, 'api csv sql'),
    unknown: column(money().notNull(), fact, 'api csv sql'),
    unexplained: column(money().notNull(), fact, 'api csv sql'),
    inFlight: column(money().notNull(), fact, 'api csv sql'),
    state: column(text({ enum: DAY_STATES }).notNull(), fact, 'api csv sql'),
    /** When a correction took its place; null of the revision in force. */
    replacedAt: column(time(), internal, 'api csv sql'),
    createdAt: column(time().notNull().default(0), fact, 'api csv sql'),
    updatedAt: column(time().notNull().default(0), untold, 'hidden'),
  },
  { entity: 'terminal_day', audited: false },
)
export type DayRow = Row<typeof terminalDays>

/** What a revision says; where one of these is another one, there is a new revision. */
export const FIGURES = [
  'accounts',
  'balance',
  'negative',
  'credit',
  'equity',
  'equityAt',
  'owed',
  'transfersIn',
  'transfersOut',
  'trading',
  'owned',
  'unknown',
  'unexplained',
  'inFlight',
  'state',
] as const satisfies readonly (keyof DayRow)[]
export type Figures = Pick<DayRow, (typeof FIGURES)[number]>
