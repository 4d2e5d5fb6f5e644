import type { DocumentKind, DocumentSide } from './kyc.api.ts'

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
