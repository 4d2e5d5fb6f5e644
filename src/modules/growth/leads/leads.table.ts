import { integer, text } from 'drizzle-orm/sqlite-core'
import { colleagues, kept, personal } from '../../../platform/db/erasure.ts'
import { flag, json, type Row, tenantTable, time } from '../../../platform/db/tenant-table.ts'

export const LEAD_STATUS = ['new', 'contacted', 'nurture', 'qualified', 'converted', 'unqualified', 'junk'] as const

export const leads = tenantTable(
  'leads',
  'led',
  {
    email: text(),
    /** Who of the staff entered the address; a client made of this lead is reached by it. */
    emailBy: text(),
    /** Whether they put it in the place of another one. */
    emailChanged: flag().notNull().default(false),
    phone: text(),
    firstName: text(),
    lastName: text(),
    country: text(),
    language: text(),
    status: text({ enum: LEAD_STATUS }).notNull().default('new'),
    source: text(),
    campaign: text(),
    leadGenId: text(),
    assignedTo: text(),
    traderId: text(),
    /** Who brought them, by a code that was named or by a click; their client is that affiliate's too. */
    affiliateId: text(),
    affiliateVia: text({ enum: ['code', 'click'] }),
    note: text(),
    metadata: json<Record<string, unknown>>().notNull().default({}),
    convertedAt: time(),
    version: integer().notNull().default(1),
    createdAt: time().notNull().default(0),
    updatedAt: time().notNull().default(0),
    deletedAt: time(),
  },
  {
    entity: 'lead',
    veil: 'identity',
    softDelete: true,
    person: {
      of: 'traderId',
      own: {
        email: personal,
        phone: personal,
        firstName: personal,
        lastName: personal,
        note: personal,
        leadGenId: personal,
        campaign: personal,
        metadata: personal,
        ...kept('what became of it, for the funnel', 'status', 'convertedAt', 'country', 'language', 'source'),
        ...colleagues('emailBy', 'assignedTo'),
        ...kept('what others earned by', 'affiliateId', 'affiliateVia'),
        ...kept('says nothing of the person', 'emailChanged'),
      },
    },
  },
)
export type LeadRow = Row<typeof leads>
