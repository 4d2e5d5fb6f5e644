import { seenBy } from '../../../platform/access/principal.ts'
import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { Page, readPage } from '../../../platform/http/lists/page.ts'
import { Bytes, Csv, op } from '../../../platform/http/openapi/openapi.ts'
import { IdParam } from '../../../platform/wire/fields.ts'
import { UploadOut } from '../../base/files/files.model.ts'
import { exportRows, withNames } from '../traders/traders.rows.ts'
import { confirmDocument, startDocumentUpload, viewDocument } from './kyc.documents.ts'
import {
  ApproveIn,
  BulkApproveIn,
  BulkOut,
  BulkRejectIn,
  DocumentConfirmIn,
  DocumentOut,
  DocumentUploadIn,
  ReasonsOut,
  RejectIn,
  RevokeIn,
  SubmissionDetail,
  SubmissionIn,
  SubmissionOut,
  SubmissionRowOut,
  submissionList,
  toDocument,
  toOwnSubmission,
  toSubmission,
} from './kyc.model.ts'
import {
  approve,
  bulkApprove,
  bulkReject,
  readReasons,
  readSubmission,
  reject,
  revoke,
  setReasons,
  submit,
} from './kyc.service.ts'
import { kycDocuments } from './kyc.table.ts'
import { RejectReasons } from './reject-reasons.ts'

const read = { scope: 'kyc:read', role: 'viewer', audience: ['trader'] } as const
const hand = { scope: 'kyc:write', role: 'operator', audience: ['trader'] } as const
const decide = { scope: 'kyc-decisions:write', role: 'manager' } as const

const submissionRoutes = declareRoutes('KYC')
  .get(
    '/v1/kyc/submissions',
    ({ ctx, query }) =>
      withNames(ctx, readPage(ctx, submissionList, query, seenBy(ctx.principal, toSubmission, toOwnSubmission))),
    {
      access: read,
      query: submissionList.query,
      ...op('kyc.submissions.list', 'Queue and history', { 200: Page(SubmissionRowOut) }),
    },
  )
  .get(
    '/v1/kyc/submissions/export.csv',
    ({ ctx, query }) => exportRows(ctx, submissionList, query, 'kyc_submission', toSubmission),
    {
      access: { scope: 'kyc:read', role: 'manager', fresh: true },
      query: submissionList.exportQuery,
      ...op('kyc.submissions.export', 'Export identity checks as CSV', { 200: Csv }),
    },
  )
  .post('/v1/kyc/submissions', ({ ctx, body }) => submit(ctx, body), {
    access: hand,
    creates: true,
    body: SubmissionIn,
    ...op('kyc.submissions.create', 'Hand papers in for a level', { 201: SubmissionOut }, [409]),
  })
  .get('/v1/kyc/submissions/:id', ({ ctx, params }) => readSubmission(ctx, params.id), {
    access: read,
    params: IdParam,
    ...op('kyc.submissions.get', 'One submission with its documents', { 200: SubmissionDetail }, [404]),
  })

const decisionRoutes = declareRoutes('KYC')
  .post(
    '/v1/kyc/submissions/:id/approve',
    ({ ctx, params, body, expect }) => approve(ctx, params.id, body.note, expect),
    {
      access: decide,
      params: IdParam,
      body: ApproveIn,
      ...op('kyc.submissions.approve', 'Approve; raises the trader’s level', { 200: SubmissionOut }, [404, 409, 412]),
    },
  )
  .post('/v1/kyc/submissions/:id/reject', ({ ctx, params, body, expect }) => reject(ctx, params.id, body, expect), {
    access: decide,
    params: IdParam,
    body: RejectIn,
    ...op(
      'kyc.submissions.reject',
      'Reject with a reason, to retry or for good',
      { 200: SubmissionOut },
      [404, 409, 412],
    ),
  })
  .post('/v1/kyc/submissions/:id/revoke', ({ ctx, params, body, expect }) => revoke(ctx, params.id, body, expect), {
    access: decide,
    params: IdParam,
    body: RevokeIn,
    ...op(
      'kyc.submissions.revoke',
      'Take an approval back; the trader’s level falls to the highest that still stands',
      { 200: SubmissionOut },
      [404, 409, 412],
    ),
  })

const documentRoutes = declareRoutes('KYC')
  .post('/v1/kyc/documents/upload', ({ ctx, body }) => startDocumentUpload(ctx, body), {
    access: hand,
    body: DocumentUploadIn,
    ...op('kyc.documents.upload', 'A signed address that takes one paper', { 200: UploadOut }, [409]),
  })
  .post('/v1/kyc/documents/confirm', ({ ctx, body }) => confirmDocument(ctx, body), {
    access: hand,
    creates: true,
    body: DocumentConfirmIn,
    ...op('kyc.documents.confirm', 'Record the uploaded paper', { 201: DocumentOut }, [404, 409, 410]),
  })
  .get('/v1/kyc/documents/:id', ({ ctx, params }) => toDocument(ctx.db.get(kycDocuments, params.id)), {
    access: read,
    params: IdParam,
    ...op('kyc.documents.get', 'Facts of a document', { 200: DocumentOut }, [404]),
  })
  .get('/v1/kyc/documents/:id/file', ({ ctx, params }) => viewDocument(ctx, params.id), {
    access: { scope: 'kyc:read', role: 'operator', audience: ['trader'], closedToViews: true },
    params: IdParam,
    ...op('kyc.documents.file', 'The paper itself; every view is audited', { 200: Bytes }, [404]),
  })

const reasonRoutes = declareRoutes('KYC')
  .get('/v1/kyc/reject-reasons', ({ ctx }) => readReasons(ctx), {
    access: { scope: 'kyc:read', role: 'viewer' },
    ...op('kyc.rejectReasons.get', 'Catalogue: staff text, client text, retry or final', { 200: ReasonsOut }),
  })
  .put('/v1/kyc/reject-reasons', ({ ctx, body, expect }) => setReasons(ctx, body, expect), {
    access: { scope: 'kyc-decisions:write', role: 'admin' },
    body: RejectReasons,
    ...op('kyc.rejectReasons.set', 'Set the catalogue', { 200: ReasonsOut }, [412]),
  })

const bulkRoutes = declareRoutes('KYC')
  .post('/v1/admin/traders/bulk-approve-kyc', ({ ctx, body }) => bulkApprove(ctx, body), {
    access: { ...decide, fresh: true },
    body: BulkApproveIn,
    ...op('kyc.bulkApprove', 'Approve the waiting submissions of several traders', { 200: BulkOut }),
  })
  .post('/v1/admin/traders/bulk-reject-kyc', ({ ctx, body }) => bulkReject(ctx, body), {
    access: decide,
    body: BulkRejectIn,
    ...op('kyc.bulkReject', 'Reject the waiting submissions of several traders', { 200: BulkOut }),
  })

/** Documents and the identity that they prove. RULES “KYC”. */
export const kycRoutes = submissionRoutes.and(decisionRoutes).and(documentRoutes).and(reasonRoutes).and(bulkRoutes)
