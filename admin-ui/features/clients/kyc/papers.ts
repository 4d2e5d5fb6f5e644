import { MAX_FILE_MIB } from '../../../../src/words/rule-figures.ts'
import { ApiError, isApiError } from '../../../lib/api/http.ts'
import type { DocumentKind, DocumentSide } from './kyc.api.ts'
import { say } from './words.ts'

/** A file and what it is. */
export type ChosenPaper = { file: File; kind: DocumentKind; side: '' | DocumentSide }
/** A paper that the server has, for whom, and its document. */
export type TakenPaper = ChosenPaper & { traderId: string; documentId: string }

/**
 * The document that a paper has become already. The same file
 * as another kind, side or for another client is another paper.
 */
export const takenDocument = (
  taken: readonly TakenPaper[],
  traderId: string,
  { file, kind, side }: ChosenPaper,
): string | undefined =>
  taken.find((one) => one.file === file && one.traderId === traderId && one.kind === kind && one.side === side)
    ?.documentId

const HEIC = 'image/heic'
const isHeic = ({ name, type }: File): boolean =>
  type === 'image/heif' || ((type === '' || type === 'application/octet-stream') && /\.hei[cf]$/i.test(name))

/** The file under the type that the server knows it by: for the photos of phones browsers say none, or HEIF. */
export const asAnnounced = (file: File): File =>
  isHeic(file) ? new File([file], file.name, { type: HEIC, lastModified: file.lastModified }) : file

const TYPES = ['application/pdf', 'image/jpeg', 'image/png', 'image/webp', 'image/heic']
// Not every system knows a type for these.
export const ACCEPT = [...TYPES, '.heic', '.heif'].join(',')
const LIMIT = MAX_FILE_MIB * 1024 * 1024

/** Why this file cannot be a paper; null when it can. */
export const paperRefusal = ({ name, type, size }: File): string | null => {
  if (!TYPES.includes(type)) return say('kyc.file.wrong_type', { name })
  if (size === 0) return say('kyc.file.empty', { name })
  return size > LIMIT ? say('kyc.file.too_large', { name }) : null
}

/** What the server refused, with the name of the file that it refused. */
export const naming = (error: unknown, { name }: File): unknown => {
  if (!isApiError(error) || error.status === 0 || error.unanswered !== null || error.status === 401) return error
  const { detail, title, errors, ...problem } = error.problem
  // A field of the upload is none of the form's: its words are all that can be told.
  const words = errors?.[0]?.message ?? detail ?? title
  return new ApiError({ ...problem, title, detail: `${name}: ${words}` }, error.retryAfter)
}
