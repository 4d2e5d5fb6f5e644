import { type Answer, type Body, buildUrl, call, type QueryOf, type Row } from '../../../api.ts'
import { apiFetch } from '../../../lib/api/http.ts'
import type { WithClientName } from '../traders/trader-names.ts'

export type Submission = Omit<Row<'kyc.submissions.list'>, 'traderName'>
export type NamedSubmission = WithClientName<Submission>
export type SubmissionRecord = Answer<'kyc.submissions.get'>
export type KycDocument = Answer<'kyc.documents.get'>
export type DocumentKind = KycDocument['kind']
export type DocumentSide = NonNullable<KycDocument['side']>
export type Rejection = Body<'kyc.submissions.reject'>
export type BulkAnswer = Answer<'kyc.bulkApprove'>

type Asked = QueryOf<'kyc.submissions.list'>

export const fetchSubmissions = (query: Asked) => call('kyc.submissions.list', { query })
export const fetchSubmission = (id: string) => call('kyc.submissions.get', { params: { id } })
export const submitPapers = (body: Body<'kyc.submissions.create'>) => call('kyc.submissions.create', { body })
export const approveSubmission = ({ id, version }: Submission, note: string) =>
  call('kyc.submissions.approve', { params: { id }, body: note ? { note } : {}, ifMatch: version })
export const rejectSubmission = ({ id, version }: Submission, body: Rejection) =>
  call('kyc.submissions.reject', { params: { id }, body, ifMatch: version })
export const revokeSubmission = ({ id, version }: Submission, body: Body<'kyc.submissions.revoke'>) =>
  call('kyc.submissions.revoke', { params: { id }, body, ifMatch: version })
export const bulkApproveKyc = (traderIds: string[], note: string) =>
  call('kyc.bulkApprove', { body: { ids: traderIds, ...(note && { note }) } })
export const bulkRejectKyc = (traderIds: string[], body: Rejection) =>
  call('kyc.bulkReject', { body: { ids: traderIds, ...body } })

/** Reads the file of a document. The audit log records every call as a view. */
export const fetchFile = async (id: string): Promise<Blob> =>
  (await apiFetch(buildUrl('kyc.documents.file', { params: { id } }))).blob()

/** Uploads one document in three steps: it gets a signed address, sends the bytes, and confirms the document. */
export const uploadDocument = async (
  traderId: string,
  file: File,
  about: Pick<Body<'kyc.documents.confirm'>, 'kind' | 'side'>,
): Promise<KycDocument> => {
  const upload = await call('kyc.documents.upload', {
    body: { traderId, contentType: file.type, fileSize: file.size },
  })
  await apiFetch(upload.uploadUrl, { method: upload.method, headers: upload.headers, body: file })
  return call('kyc.documents.confirm', { body: { traderId, key: upload.key, ...about } })
}
