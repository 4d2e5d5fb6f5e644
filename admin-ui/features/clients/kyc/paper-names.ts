import type { KycDocument } from './kyc.api.ts'
import { KIND_LABELS, SIDE_LABELS } from './kyc-words.tsx'
import { say } from './words.ts'

type NamedPaper = Pick<KycDocument, 'id' | 'kind' | 'side'>

const formatPaperName = ({ kind, side }: NamedPaper): string =>
  side ? `${KIND_LABELS[kind]}, ${SIDE_LABELS[side]}` : KIND_LABELS[kind]

/** Names documents by their ids; those that would have the same name are numbered. */
export const paperNames = (documents: readonly NamedPaper[]): ReadonlyMap<string, string> =>
  new Map(
    documents.map((one) => {
      const alike = documents.filter((other) => formatPaperName(other) === formatPaperName(one))
      const name = formatPaperName(one)
      const at = alike.indexOf(one) + 1
      return [one.id, alike.length > 1 ? say('kyc.of', { name, at, count: alike.length }) : name]
    }),
  )
