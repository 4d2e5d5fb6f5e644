import { text } from 'drizzle-orm/sqlite-core'
import { column, currency, flag, id, json, money, stamps, time } from '../../../platform/db/columns.ts'
import { colleague, fact, freeText, internal, stays } from '../../../platform/db/erasure.ts'
import { type Row, tenantTable } from '../../../platform/db/tenant-table.ts'

/** What does not fit; those of transfers come from the money that is sent to a terminal. */
const FINDING_KINDS = [
  'movement_unknown',
  'transfer_missing',
  'transfer_unresolved',
  'transfer_twice',
  'transfer_differs',
  'reference_unknown',
  'booked_after_refusal',
  'balance_differs',
  'login_gone',
  'login_archived',
  'login_reused',
  'currency_differs',
  'position_impossible',
  'position_vanished',
  'deal_changed',
  'agent_commission',
  'clock',
  'mass_vanish',
] as const
export type FindingKind = (typeof FINDING_KINDS)[number]
const FINDING_STATES = ['open', 'closed'] as const

const SUBJECT = stays('what of the terminal it is about')
/** What does not fit between a terminal and our books, until it heals or a person closes it. */
export const terminalFindings = tenantTable(
  'terminal_findings',
  'trf',
  {
    connectionId: column(id().notNull(), internal, 'api csv sql'),
    kind: column(text({ enum: FINDING_KINDS }).notNull(), fact, 'api csv sql'),
    subject: column(text().notNull(), SUBJECT, 'api csv sql'),
    login: column(text(), SUBJECT, 'api csv sql'),
    currency: column(currency(), fact, 'api csv sql'),
    amount: column(money(), fact, 'api csv sql'),
    detail: column(json<Record<string, string>>().notNull(), SUBJECT, 'hidden'),
    state: column(text({ enum: FINDING_STATES }).notNull().default('open'), fact, 'api csv sql'),
    healed: column(flag().notNull().default(false), fact, 'api csv sql'),
    closedBy: column(id(), colleague, 'api csv sql'),
    closedAt: column(time(), fact, 'api csv sql'),
    reason: column(text(), freeText, 'api csv'),
    transferId: column(id(), internal, 'api csv sql'),
    ...stamps,
  },
  { entity: 'terminal_finding', audited: false },
)
export type FindingRow = Row<typeof terminalFindings>
