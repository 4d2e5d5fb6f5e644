import { sql } from 'drizzle-orm'
import { integer, text } from 'drizzle-orm/sqlite-core'
import { column, flag, id, line, metadata, stamps, takenAs, time } from '../../../platform/db/columns.ts'
import { colleague, personal, stays, untold } from '../../../platform/db/erasure.ts'
import { type Row, tenantTable } from '../../../platform/db/tenant-table.ts'
import { Country, Language, Phone, Prose } from '../../../platform/wire/fields.ts'

const LEAD_STATUS = ['new', 'contacted', 'nurture', 'qualified', 'converted', 'unqualified', 'junk'] as const

const FUNNEL = stays('what became of it, for the funnel')
const EARNED = stays('what others earned by')
export const leads = tenantTable(
  'leads',
  'led',
  {
    email: column(text(), personal, 'api csv sql'),
    /** The colleague who entered the address, with which the converted client signs in. */
    emailBy: column(id(), colleague, 'hidden'),
    /** Whether that colleague replaced another address. */
    emailChanged: column(flag().notNull().default(false), stays('says nothing of the person'), 'hidden'),
    phone: column(takenAs(text(), Phone), personal, 'api csv', 'create patch'),
    firstName: column(line(100), personal, 'api csv sql', 'create patch'),
    lastName: column(line(100), personal, 'api csv sql', 'create patch'),
    country: column(takenAs(text(), Country), FUNNEL, 'api csv sql', 'create patch'),
    language: column(takenAs(text(), Language), FUNNEL, 'api csv sql', 'create patch'),
    status: column(text({ enum: LEAD_STATUS }).notNull().default('new'), FUNNEL, 'api csv sql'),
    source: column(text(), FUNNEL, 'api csv sql'),
    campaign: column(text(), personal, 'api csv sql'),
    leadGenId: column(text(), personal, 'api'),
    assignedTo: column(id(), colleague, 'api csv sql', 'create patch'),
    traderId: column(id(), untold, 'api csv sql'),
    /** The affiliate of a given code or a click, to whom the converted client then belongs. */
    affiliateId: column(id(), EARNED, 'api csv'),
    affiliateVia: column(text({ enum: ['code', 'click'] }), EARNED, 'hidden'),
    note: column(takenAs(text(), Prose()), personal, 'api csv', 'create patch'),
    metadata: column(metadata().notNull().default({}), personal, 'api', 'create patch'),
    convertedAt: column(time(), FUNNEL, 'api csv sql'),
    /** Family name and given name, else the address or the number, in small letters, for sorting. */
    nameOrder: column(
      text().generatedAlwaysAs(sql`in the migration`),
      stays('made from name and contact, and empty once they are'),
      'hidden',
    ),
    /** The place of the status on the way to a client; the given-up ones come last. */
    statusOrder: column(integer().generatedAlwaysAs(sql`in the migration`), FUNNEL, 'hidden'),
    ...stamps,
    deletedAt: column(time(), untold, 'sql'),
  },
  {
    entity: 'lead',
    veil: 'identity',
    softDelete: true,
    fileOrder: 'createdAt firstName lastName',
    person: { of: 'traderId', own: {} },
  },
)
export type LeadRow = Row<typeof leads>
