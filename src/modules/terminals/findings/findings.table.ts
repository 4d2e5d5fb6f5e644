import { Type } from '@sinclair/typebox'
import { text } from 'drizzle-orm/sqlite-core'
import { column, currency, flag, id, json, money, shownAs, stamps, time } from '../../../platform/db/columns.ts'
import { colleague, fact, freeText, stays } from '../../../platform/db/erasure.ts'
import { type Row, tenantTable } from '../../../platform/db/tenant-table.ts'
import { OF_CLIENT } from '../contract/of-client.ts'

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
/** What does not fit about one deal that moves money: their subject is its number. */
export const MOVEMENT_KINDS = [
  'movement_unknown',
  'reference_unknown',
  'transfer_differs',
  'transfer_twice',
  'booked_after_refusal',
] as const satisfies readonly FindingKind[]
/** Findings whose positive amount is money of a client that came by nobody’s word. */
export const BRINGS_MONEY = [...MOVEMENT_KINDS, 'balance_differs'] as const satisfies readonly FindingKind[]
const FINDING_STATES = ['open', 'closed'] as const

const Detail = Type.Record(Type.String(), Type.String(), {
  description:
    'of `deal_changed` the fields that are others now, after commas, and its state; of `clock` by how many seconds',
})
const SUBJECT = stays('what of the terminal it is about')
/** What does not fit between a terminal and our books, until it heals or a person closes it. */
export const terminalFindings = tenantTable(
  'terminal_findings',
  'tfi',
  {
    connectionId: column(id().notNull(), SUBJECT, 'api csv sql'),
    kind: column(text({ enum: FINDING_KINDS }).notNull(), fact, 'api csv sql'),
    subject: column(text().notNull(), SUBJECT, 'api csv sql'),
    login: column(text(), SUBJECT, 'api csv sql'),
    currency: column(currency(), SUBJECT, 'api csv sql'),
    amount: column(money(), fact, 'api csv sql'),
    detail: column(shownAs(json<Record<string, string>>(), Detail).notNull(), SUBJECT, 'api'),
    state: column(text({ enum: FINDING_STATES }).notNull().default('open'), fact, 'api csv sql'),
    healed: column(flag().notNull().default(false), fact, 'api csv sql'),
    closedBy: column(id(), colleague, 'api csv sql'),
    closedAt: column(time(), fact, 'api csv sql'),
    reason: column(text(), freeText, 'api csv'),
    transferId: column(id(), SUBJECT, 'api csv sql'),
    ...stamps,
  },
  { entity: 'terminal_finding', audited: false, person: { of: { sql: OF_CLIENT } } },
)
/** Who reads findings, and is told how many are open. */
export const READS_FINDINGS = { scope: 'platforms:read', role: 'manager' } as const
export type FindingRow = Row<typeof terminalFindings>
