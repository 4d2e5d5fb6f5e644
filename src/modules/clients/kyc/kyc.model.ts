import { type Static, Type } from '@sinclair/typebox'
import { ownMapper, wireFields, wireMapper } from '../../../platform/db/wire-form.ts'
import { BulkResults } from '../../../platform/http/answers/bulk-results.ts'
import { equals } from '../../../platform/http/lists/list-filters.ts'
import { defineList } from '../../../platform/http/lists/page.ts'
import { Id, Nullable, OneOf, Prose, QueryInt, Strict } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { buildRowSchema, rowSearch } from '../traders/traders.rows.ts'
import { DOCUMENT_KINDS, kycDocuments, kycSubmissions, Level, SIDES, type SubmissionRow } from './kyc.table.ts'
import { RejectReasons } from './reject-reasons.ts'

export const SubmissionIn = nameSchema(
  'KycSubmissionIn',
  Strict({
    traderId: Type.Optional(Id),
    level: Level,
    documentIds: Type.Array(Id, { minItems: 1, maxItems: 20, uniqueItems: true }),
    note: Type.Optional(Prose(1000)),
  }),
)
export const ApproveIn = nameSchema('KycApproveIn', Strict({ note: Type.Optional(Prose(1000)) }))
const reason = {
  code: Type.Optional(Type.String({ maxLength: 50, description: 'of the catalogue' })),
  detail: Type.Optional(Prose(500)),
  kind: Type.Optional(OneOf(['retry', 'final'])),
  note: Type.Optional(Prose(1000)),
}
export const RejectIn = nameSchema('KycRejectIn', Strict(reason))
export const RevokeIn = nameSchema(
  'KycRevokeIn',
  Strict({
    reason: Prose(1000),
    detail: Type.Optional(Prose(500)),
  }),
)
const Ids = Type.Array(Id, { minItems: 1, maxItems: 500, uniqueItems: true, description: 'ids of traders' })
export const BulkApproveIn = nameSchema('KycBulkApproveIn', Strict({ ids: Ids, note: Type.Optional(Prose(1000)) }))
export const BulkRejectIn = nameSchema('KycBulkRejectIn', Strict({ ids: Ids, ...reason }))
export const BulkOut = nameSchema('KycBulkResult', BulkResults({ submissionId: Type.Optional(Id) }))

export const DocumentUploadIn = nameSchema(
  'KycDocumentUploadIn',
  Strict({
    traderId: Type.Optional(Id),
    contentType: Type.String({ minLength: 1, maxLength: 100, examples: ['application/pdf'] }),
    fileSize: Type.Integer({ minimum: 1, description: 'bytes' }),
  }),
)
export const DocumentConfirmIn = nameSchema(
  'KycDocumentConfirmIn',
  Strict({
    traderId: Type.Optional(Id),
    key: Id,
    kind: OneOf(DOCUMENT_KINDS),
    side: Type.Optional(OneOf(SIDES)),
  }),
)

export const DocumentOut = nameSchema('KycDocument', Type.Object(wireFields(kycDocuments)))
/** The wire form of a document, without its bytes. */
export const toDocument = wireMapper(kycDocuments)

const submission = wireFields(kycSubmissions)
export const SubmissionOut = nameSchema('KycSubmission', Type.Object(submission))
export type Submission = Static<typeof SubmissionOut>
export const SubmissionRowOut = buildRowSchema(SubmissionOut)
export const toSubmission = wireMapper(kycSubmissions)
/** The client's form of a submission, without the note for colleagues. */
export const toOwnSubmission = ownMapper(kycSubmissions)

export const SubmissionDetail = nameSchema(
  'KycSubmissionDetail',
  Type.Object({
    ...submission,
    documents: Type.Array(DocumentOut),
    staff: Nullable(
      Type.Object({
        rejectionCode: Nullable(Type.String()),
        rejectionNote: Nullable(Type.String()),
        decidedBy: Nullable(Id),
        decidedByName: Nullable(Type.String()),
      }),
    ),
  }),
)

/** Returns the payload of the KYC events. */
export const kycPayload = (row: SubmissionRow) => ({ submissionId: row.id, traderId: row.traderId, level: row.level })

export const submissionList = defineList({
  name: 'kyc_submissions',
  table: kycSubmissions,
  filters: {
    status: equals(kycSubmissions.status),
    traderId: equals(kycSubmissions.traderId, Id),
    level: equals(kycSubmissions.level, QueryInt(1, 3), Number),
    q: rowSearch(kycSubmissions, { description: 'the id' }),
  },
})

export const ReasonsOut = nameSchema(
  'KycRejectReasons',
  Type.Object({ ...RejectReasons.properties, version: Type.Integer() }),
)
