import { Type } from '@sinclair/typebox'
import { integer, text } from 'drizzle-orm/sqlite-core'
import { column, described, id, shownAs, stamps, time } from '../../../platform/db/columns.ts'
import { colleague, fact, internal, ours, personal, stays, untold } from '../../../platform/db/erasure.ts'
import { type Row, tenantTable } from '../../../platform/db/tenant-table.ts'

export const Level = Type.Integer({ minimum: 1, maximum: 3 })
const SUBMISSION_STATUS = ['requested', 'approved', 'rejected'] as const
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

export const SIDES = ['front', 'back'] as const

export const kycSubmissions = tenantTable(
  'kyc_submissions',
  'kyc',
  {
    traderId: column(id().notNull(), untold, 'api csv sql'),
    level: column(shownAs(integer(), Level).notNull(), fact, 'api csv sql'),
    status: column(text({ enum: SUBMISSION_STATUS }).notNull().default('requested'), fact, 'api csv sql'),
    rejectionKind: column(text({ enum: ['retry', 'final'] }), fact, 'api csv sql'),
    rejectionCode: column(text(), ours(stays('a word of the catalogue')), 'sql'),
    rejectionDetail: column(described('what the client is told'), personal, 'api csv'),
    rejectionNote: column(text(), ours(personal), 'hidden'),
    decidedBy: column(id(), colleague, 'sql'),
    decidedAt: column(time(), fact, 'api csv sql'),
    note: column(text(), ours(personal), 'api csv'),
    /** The colleague who submitted the documents, directly or by a key. */
    handedBy: column(id(), colleague, 'hidden'),
    /** When approved documents began to wait again because the client's identity changed. */
    reopenedAt: column(time(), internal, 'hidden'),
    ...stamps,
  },
  { entity: 'kyc_submission', owner: 'traderId', person: { of: 'traderId' } },
)
export type SubmissionRow = Row<typeof kycSubmissions>

/** Documents of clients; the sealed bytes are in the file store. */
export const kycDocuments = tenantTable(
  'kyc_documents',
  'doc',
  {
    traderId: column(id().notNull(), untold, 'api'),
    submissionId: column(id(), fact, 'api'),
    fileId: column(id().notNull(), fact, 'hidden'),
    kind: column(text({ enum: DOCUMENT_KINDS }).notNull(), fact, 'api'),
    side: column(text({ enum: SIDES }), fact, 'api'),
    contentType: column(text().notNull(), fact, 'api'),
    size: column(integer().notNull(), fact, 'api'),
    uploadedBy: column(id(), colleague, 'hidden'),
    createdAt: stamps.createdAt,
  },
  // erasing removes this row; the purge of files removes the bytes
  { entity: 'kyc_document', owner: 'traderId', person: { of: 'traderId', row: 'goes' } },
)
