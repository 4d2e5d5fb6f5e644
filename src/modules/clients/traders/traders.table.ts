import { type Static, Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { integer, text } from 'drizzle-orm/sqlite-core'
import { column, flag, id, json, line, metadata, shownAs, stamps, takenAs, time } from '../../../platform/db/columns.ts'
import { colleague, fact, ours, personal, personalAs, stays, untold } from '../../../platform/db/erasure.ts'
import { type Row, tenantTable } from '../../../platform/db/tenant-table.ts'
import { Country, Language, Line, Phone, Strict } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { MOST_LABELS } from '../../../words/rule-figures.ts'

export const TRADER_STATUS = ['active', 'suspended', 'closed'] as const
export const KYC_STATUS = ['none', 'requested', 'approved', 'rejected'] as const
export const RISK_LEVEL = ['low', 'medium', 'high'] as const

const Address = nameSchema(
  'AddressIn',
  Strict({
    street: Type.Optional(Line()),
    city: Type.Optional(Line(100)),
    region: Type.Optional(Line(100)),
    postalCode: Type.Optional(Line(20)),
  }),
)
const Level = Type.Integer({ minimum: 0, maximum: 3 })
const DateOnly = Type.String({ format: 'date', description: 'YYYY-MM-DD' })
// `\p{L}` is not used, since the validator compiles patterns without the unicode flag
export const Label = Type.String({
  pattern: `^[^\\s,"'<>][^,"'<>\\n\\r\\t]{0,49}$`,
  description: 'up to 50 characters, no comma, quote, bracket or line break',
})
export const Labels = nameSchema('Labels', Type.Array(Label, { maxItems: MOST_LABELS, uniqueItems: true }))
const labels = () => takenAs(shownAs(json<string[]>(), Type.Array(Type.String())), Labels)
const PAPERS = stays('what was found of papers, without whose')
const POINTS = stays('points at rows that are erased themselves')

export const traders = tenantTable(
  'traders',
  'trd',
  {
    email: column(text(), personal, 'api csv sql'),
    /** The colleague who chose the address, to which links are mailed. */
    emailBy: column(id(), colleague, 'hidden'),
    phone: column(takenAs(text(), Phone), personal, 'api csv', 'create patch'),
    firstName: column(line(100), personal, 'api csv sql', 'create patch'),
    lastName: column(line(100), personal, 'api csv sql', 'create patch'),
    country: column(takenAs(text(), Country), personal, 'api csv sql', 'create patch'),
    language: column(takenAs(text(), Language), personal, 'api csv sql', 'create patch'),
    dateOfBirth: column(takenAs(text(), DateOnly), personal, 'api csv', 'create patch'),
    // in the file each part of the address is a column
    address: column(shownAs(json<Static<typeof Address>>(), Address), personal, 'api', 'create patch'),
    status: column(text({ enum: TRADER_STATUS }).notNull().default('active'), personalAs(`'closed'`), 'api csv sql'),
    kycLevel: column(shownAs(integer(), Level).notNull().default(0), PAPERS, 'api csv sql'),
    kycStatus: column(text({ enum: KYC_STATUS }).notNull().default('none'), PAPERS, 'api csv sql'),
    riskLevel: column(
      text({ enum: RISK_LEVEL }).notNull().default('low'),
      ours(stays('what was found of risk, without whose')),
      'api csv sql',
      'create patch',
    ),
    segments: column(labels().notNull().default([]), ours(personal), 'api csv sql', 'create patch'),
    tags: column(labels().notNull().default([]), ours(personal), 'api csv sql', 'create patch'),
    assignedTo: column(id(), colleague, 'api csv sql', 'create patch'),
    affiliateId: column(id(), POINTS, 'api csv sql'),
    leadId: column(id(), POINTS, 'api sql'),
    source: column(line(100), personal, 'api csv sql', 'create patch'),
    metadata: column(metadata().notNull().default({}), ours(personal), 'api', 'create patch'),
    legalHold: column(flag().notNull().default(false), ours(stays('why the person was kept')), 'api sql'),
    /** Whether a manager suspended or closed the client, so that only a manager may reopen. */
    heldByManager: column(flag().notNull().default(false), ours(stays('who may open the account again')), 'hidden'),
    mergedInto: column(id(), POINTS, 'api'),
    /**
     * The time of the last sign-in, movement of money or trade, kept to the hour by triggers of the schema. RULES
     * “Traders”.
     */
    lastActiveAt: column(time().notNull().default(0), fact, 'api csv sql'),
    /** Family name and given name, else the address, in small letters, for sorting. */
    nameOrder: column(
      text().generatedAlwaysAs(sql`in the migration`),
      ours(stays('made from name and address, and empty once they are')),
      'hidden',
    ),
    /** The rank of the risk, for sorting. */
    riskOrder: column(
      integer().generatedAlwaysAs(sql`in the migration`),
      ours(stays('what was found of risk, without whose')),
      'hidden',
    ),
    ...stamps,
    deletedAt: column(time(), untold, 'api sql'),
    erasedAt: column(time(), stays('why the person was kept, or is not any more'), 'hidden'),
  },
  {
    entity: 'trader',
    veil: 'identity',
    clientColumn: 'id',
    owner: 'id',
    softDelete: true,
    fileOrder: 'createdAt firstName lastName',
    person: { of: 'id', own: {} },
  },
)
export type TraderRow = Row<typeof traders>

/** Internal notes. The rows have no owner, so a client's session cannot read them. */
export const traderNotes = tenantTable(
  'trader_notes',
  'not',
  {
    traderId: column(id().notNull(), untold, 'api'),
    authorId: column(id(), colleague, 'api'),
    body: column(text().notNull(), personal, 'api'),
    createdAt: stamps.createdAt,
  },
  { entity: 'trader_note', person: { of: 'traderId', row: 'goes' } },
)
