import { type Static, Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { MIB } from '../../../platform/bytes.ts'
import { createFields, patchFields, wireFields, wireMapper } from '../../../platform/db/wire-form.ts'
import { BulkResults } from '../../../platform/http/answers/bulk-results.ts'
import { Countries } from '../../../platform/http/lists/comma-filters.ts'
import { assignedTo, equals, equalsAny, filter } from '../../../platform/http/lists/list-filters.ts'
import { defineList } from '../../../platform/http/lists/page.ts'
import { Email, Id, Line, Nullable, OneOf, Strict, Version } from '../../../platform/wire/fields.ts'
import { nameSchema, worded } from '../../../platform/wire/schema-name.ts'
import { referral } from '../../clients/traders/referral.model.ts'
import { personParams } from '../../clients/traders/traders.search.ts'
import { LEADS_FOUND } from './leads.search.ts'
import { leads } from './leads.table.ts'

export const LeadIn = nameSchema(
  'LeadIn',
  Strict({
    email: Type.Optional(Nullable(Email)),
    source: Type.Optional(Line(100)),
    campaign: Type.Optional(Line(200)),
    leadGenId: Type.Optional(Line(100)),
    ...createFields(leads),
    ...referral,
  }),
)
/** A change of a lead; it has no source, which is set only once. */
export const LeadPatch = nameSchema(
  'LeadPatch',
  Strict({
    email: Type.Optional(Nullable(Email)),
    status: Type.Optional(
      OneOf(['new', 'contacted', 'nurture', 'qualified', 'unqualified', 'junk'], {
        description: 'converted is reached by convert only',
      }),
    ),
    ...patchFields(leads),
  }),
)

export const LeadOut = nameSchema('Lead', Type.Object(wireFields(leads)))
export type Lead = Static<typeof LeadOut>
export const toLead = wireMapper(leads)

export const ConversionOut = nameSchema(
  'LeadConversion',
  Type.Object({
    lead: LeadOut,
    traderId: Id,
    created: Type.Boolean({ description: 'false: linked to the trader with that e-mail, or converted before' }),
  }),
)

export const leadList = defineList({
  name: 'leads',
  table: leads,
  sorts: { createdAt: 'createdAt', name: 'nameOrder', status: 'statusOrder' },
  filters: {
    status: equals(leads.status),
    source: equals(leads.source, Line(100)),
    assignedTo: assignedTo(leads.assignedTo),
    country: equalsAny(leads.country, Countries),
    q: filter(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'words of name or e-mail, four or more digits of the phone, or the id',
      }),
      sql`leads.rid IN (${LEADS_FOUND})`,
      (text, scope) => personParams(scope, text),
      'leads.rid',
    ),
  },
})

export const BulkAssignIn = nameSchema(
  'LeadBulkAssignIn',
  Strict({
    ids: Type.Array(Id, { minItems: 1, maxItems: 500, uniqueItems: true }),
    assignedTo: Nullable(Id),
  }),
)
export const BulkAssignOut = nameSchema(
  'LeadBulkAssignResult',
  BulkResults({
    version: Type.Optional(worded(Version, 'of a changed lead')),
    assignedBefore: Type.Optional(Nullable(worded(Id, 'who had a changed lead'))),
  }),
)

/** The fields of a lead that a column can fill. */
const IMPORT_FIELDS = [
  'email',
  'phone',
  'firstName',
  'lastName',
  'country',
  'language',
  'campaign',
  'leadGenId',
  'note',
  'affiliateCode',
  'visitorId',
] as const
/** Enough for a million characters, some of them written as escapes. */
export const IMPORT_BYTES = 4 * MIB
export const ImportIn = nameSchema(
  'LeadImportIn',
  Strict({
    csv: Type.String({
      minLength: 1,
      maxLength: 1_000_000,
      description: 'the file’s text; one of the first lines names the columns',
    }),
    mapping: Type.Record(Type.String({ maxLength: 200, description: 'column of the file' }), OneOf(IMPORT_FIELDS)),
    source: Line(100),
    assignedTo: Type.Optional(Nullable(Id)),
    dryRun: Type.Optional(Type.Boolean({ description: 'say what would happen, change nothing' })),
  }),
)
const RowFault = Type.Object({
  row: Type.Integer({ description: 'line of the file where it begins, counted from 1' }),
  path: Type.String(),
  code: Type.String(),
  message: Type.String(),
})
export const ImportOut = nameSchema(
  'LeadImport',
  Type.Object({
    dryRun: Type.Boolean(),
    rows: Type.Integer(),
    created: Type.Integer(),
    duplicates: Type.Integer(),
    failed: Type.Integer(),
    columns: Type.Array(Type.String()),
    errors: Type.Array(RowFault, { description: 'at most 200' }),
    notes: Type.Array(RowFault, { description: 'what is kept as text in the metadata, at most 200' }),
  }),
)
