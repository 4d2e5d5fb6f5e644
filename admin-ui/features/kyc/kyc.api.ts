import type { Static } from '@sinclair/typebox'
import type { Upload } from '../../../src/modules/files/files.model.ts'
import type {
  BulkOut,
  DocumentConfirmIn,
  DocumentOut,
  RejectIn,
  RevokeIn,
  Submission,
  SubmissionDetail,
  SubmissionIn,
} from '../../../src/modules/kyc/kyc.model.ts'
import { get, type Page, post, type Query } from '../../api.ts'
import { apiFetch } from '../../lib/http.ts'
import { type Named, withTraderNames } from '../traders/trader-names.ts'

export type { Submission }
export type NamedSubmission = Named<Submission>
export type SubmissionRecord = Static<typeof SubmissionDetail>
export type KycDocument = Static<typeof DocumentOut>
export type DocumentKind = KycDocument['kind']
export type DocumentSide = NonNullable<KycDocument['side']>
export type Rejection = Static<typeof RejectIn>
export type BulkAnswer = Static<typeof BulkOut>

const at = (id: string): string => `/v1/kyc/submissions/${id}`

export const fetchSubmissions = (query: Query): Promise<Page<Submission>> => get('/v1/kyc/submissions', query)
export const fetchNamedSubmissions = async (query: Query): Promise<Page<NamedSubmission>> =>
  withTraderNames(await fetchSubmissions(query))
export const fetchSubmission = (id: string): Promise<SubmissionRecord> => get(at(id))
export const submitPapers = (body: Static<typeof SubmissionIn>): Promise<Submission> =>
  post('/v1/kyc/submissions', body)
export const approveSubmission = ({ id, version }: Submission, note: string): Promise<Submission> =>
  post(`${at(id)}/approve`, note ? { note } : {}, version)
export const rejectSubmission = ({ id, version }: Submission, body: Rejection): Promise<Submission> =>
  post(`${at(id)}/reject`, body, version)
export const revokeSubmission = ({ id, version }: Submission, body: Static<typeof RevokeIn>): Promise<Submission> =>
  post(`${at(id)}/revoke`, body, version)
export const bulkApproveKyc = (traderIds: string[], note: string): Promise<BulkAnswer> =>
  post('/v1/admin/traders/bulk-approve-kyc', { ids: traderIds, ...(note && { note }) })
export const bulkRejectKyc = (traderIds: string[], body: Rejection): Promise<BulkAnswer> =>
  post('/v1/admin/traders/bulk-reject-kyc', { ids: traderIds, ...body })

/** The paper itself. Every call is a view in the audit log. */
export const fetchFile = async (id: string): Promise<Blob> => (await apiFetch(`/v1/kyc/documents/${id}/file`)).blob()

/** The three steps of one paper: a signed address, the bytes, the record of it. */
export const uploadDocument = async (
  traderId: string,
  file: File,
  about: Pick<Static<typeof DocumentConfirmIn>, 'kind' | 'side'>,
): Promise<KycDocument> => {
  const upload = await post<Upload>('/v1/kyc/documents/upload', {
    traderId,
    contentType: file.type,
    fileSize: file.size,
  })
  await apiFetch(upload.uploadUrl, { method: upload.method, headers: upload.headers, body: file })
  return post('/v1/kyc/documents/confirm', { traderId, key: upload.key, ...about })
}
