import { MAX_FILE_MIB } from '../../../../src/words/rule-figures.ts'
import { ApiError, isApiError } from '../../../lib/api/http.ts'
import type { DocumentKind, DocumentSide } from './kyc.api.ts'
import { say } from './words.ts'

/** Describes a chosen file: its kind and its side. */
export type ChosenPaper = { file: File; kind: DocumentKind; side: '' | DocumentSide }
/** Describes a file that the server has taken: for which client, and which document it became. */
export type TakenPaper = ChosenPaper & { traderId: string; documentId: string }

/**
 * Finds the document that a file became already. The same file with another kind or side, or for another client,
 * becomes another document.
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

/** Returns the file with the type that the server knows: browsers give photos of phones no type, or the type HEIF. */
export const asAnnounced = (file: File): File =>
  isHeic(file) ? new File([file], file.name, { type: HEIC, lastModified: file.lastModified }) : file

const TYPES = ['application/pdf', 'image/jpeg', 'image/png', 'image/webp', 'image/heic']
// Not every system knows a type for these two endings.
export const ACCEPT = [...TYPES, '.heic', '.heif'].join(',')
const LIMIT = MAX_FILE_MIB * 1024 * 1024

/** Says why a file cannot be uploaded; null if it can. */
export const paperRefusal = ({ name, type, size }: File): string | null => {
  if (!TYPES.includes(type)) return say('kyc.file.wrong_type', { name })
  if (size === 0) return say('kyc.file.empty', { name })
  return size > LIMIT ? say('kyc.file.too_large', { name }) : null
}

/** Adds the name of the refused file to a refusal of the server. */
export const withFileName = (error: unknown, { name }: File): unknown => {
  if (!isApiError(error) || error.status === 0 || error.unanswered !== null || error.status === 401) return error
  const { detail, title, errors, ...problem } = error.problem
  // A field of the upload is not a field of the form, so only its message can be shown.
  const words = errors?.[0]?.message ?? detail ?? title
  return new ApiError({ ...problem, title, detail: `${name}: ${words}` }, error.retryAfter)
}
