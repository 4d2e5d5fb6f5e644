import { integer, text } from 'drizzle-orm/sqlite-core'
import { colleagues, ours, personal } from '../../../platform/db/erasure.ts'
import { type Row, tenantTable, time } from '../../../platform/db/tenant-table.ts'

export const SUBMISSION_STATUS = ['requested', 'approved', 'rejected'] as const
export const DOCUMENT_KINDS = [
  'passport',
  'identity_card',
  'driving_licence',
  'residence_permit',
  'proof_of_address',
  'selfie',
  'source_of_funds',
  'other',
] as const

export const kycSubmissions = tenantTable(
  'kyc_submissions',
  'kyc',
  {
    traderId: text().notNull(),
    level: integer().notNull(),
    status: text({ enum: SUBMISSION_STATUS }).notNull().default('requested'),
    rejectionKind: text({ enum: ['retry', 'final'] }),
    rejectionCode: text(),
    rejectionDetail: text(),
    rejectionNote: text(),
    decidedBy: text(),
    decidedAt: time(),
    note: text(),
    /** Who of the staff handed them in, themselves or by a key. */
    handedBy: text(),
    /** When approved papers began to wait again, since the client is called otherwise. */
    reopenedAt: time(),
    version: integer().notNull().default(1),
    createdAt: time().notNull().default(0),
    updatedAt: time().notNull().default(0),
  },
  {
    entity: 'kyc_submission',
    owner: 'traderId',
    person: {
      of: 'traderId',
      columns: {
        note: ours(personal),
        rejectionNote: ours(personal),
        rejectionDetail: personal,
        rejectionCode: ours({ goes: null, why: 'a word of the catalogue' }),
        ...colleagues('decidedBy', 'handedBy'),
      },
    },
  },
)
export type SubmissionRow = Row<typeof kycSubmissions>

/** Papers: the bytes lie sealed in the file store. */
export const kycDocuments = tenantTable(
  'kyc_documents',
  'doc',
  {
    traderId: text().notNull(),
    submissionId: text(),
    fileId: text().notNull(),
    kind: text({ enum: DOCUMENT_KINDS }).notNull(),
    side: text({ enum: ['front', 'back'] }),
    contentType: text().notNull(),
    size: integer().notNull(),
    uploadedBy: text(),
    createdAt: time().notNull().default(0),
  },
  // the row goes here, its bytes with the purge of files
  { entity: 'kyc_document', owner: 'traderId', person: { of: 'traderId', row: 'goes' } },
)
export type DocumentRow = Row<typeof kycDocuments>
