import { integer, text } from 'drizzle-orm/sqlite-core'
import { colleagues, kept, ours, personal, personalAs } from '../../../platform/db/erasure.ts'
import { flag, json, type Row, tenantTable, time } from '../../../platform/db/tenant-table.ts'

export const TRADER_STATUS = ['active', 'suspended', 'closed'] as const
export const KYC_STATUS = ['none', 'requested', 'approved', 'rejected'] as const
export const RISK_LEVEL = ['low', 'medium', 'high'] as const

type Address = { street?: string; city?: string; region?: string; postalCode?: string }

export const traders = tenantTable(
  'traders',
  'trd',
  {
    email: text(),
    /** Who of the staff chose the address that links go to. */
    emailBy: text(),
    phone: text(),
    firstName: text(),
    lastName: text(),
    country: text(),
    language: text(),
    dateOfBirth: text(),
    address: json<Address>(),
    status: text({ enum: TRADER_STATUS }).notNull().default('active'),
    kycLevel: integer().notNull().default(0),
    kycStatus: text({ enum: KYC_STATUS }).notNull().default('none'),
    riskLevel: text({ enum: RISK_LEVEL }).notNull().default('low'),
    segments: json<string[]>().notNull().default([]),
    tags: json<string[]>().notNull().default([]),
    assignedTo: text(),
    affiliateId: text(),
    leadId: text(),
    source: text(),
    metadata: json<Record<string, unknown>>().notNull().default({}),
    legalHold: flag().notNull().default(false),
    /** Suspended or closed by a manager, so that only one reopens. */
    heldByManager: flag().notNull().default(false),
    /** The client who has what was this one's. */
    mergedInto: text(),
    version: integer().notNull().default(1),
    createdAt: time().notNull().default(0),
    updatedAt: time().notNull().default(0),
    deletedAt: time(),
    erasedAt: time(),
  },
  {
    entity: 'trader',
    veil: 'identity',
    tellsOf: 'id',
    owner: 'id',
    softDelete: true,
    person: {
      of: 'id',
      own: {
        email: personal,
        phone: personal,
        firstName: personal,
        lastName: personal,
        dateOfBirth: personal,
        country: personal,
        language: personal,
        address: personal,
        source: personal,
        segments: ours(personal),
        tags: ours(personal),
        metadata: ours(personal),
        status: personalAs(`'closed'`),
        ...kept('what was found of papers, without whose', 'kycLevel', 'kycStatus'),
        riskLevel: ours({ goes: null, why: 'what was found of risk, without whose' }),
        ...kept('points at rows that are erased themselves', 'affiliateId', 'leadId', 'mergedInto'),
        ...colleagues('assignedTo', 'emailBy'),
        ...kept('why the person was kept, or is not any more', 'erasedAt'),
        legalHold: ours({ goes: null, why: 'why the person was kept' }),
        heldByManager: ours({ goes: null, why: 'who may open the account again' }),
      },
    },
  },
)
export type TraderRow = Row<typeof traders>

/** Internal notes: no owner, so no trader session can read them. */
export const traderNotes = tenantTable(
  'trader_notes',
  'not',
  {
    traderId: text().notNull(),
    authorId: text(),
    body: text().notNull(),
    createdAt: time().notNull().default(0),
  },
  { entity: 'trader_note', person: { of: 'traderId', row: 'goes' } },
)
export type TraderNoteRow = Row<typeof traderNotes>
