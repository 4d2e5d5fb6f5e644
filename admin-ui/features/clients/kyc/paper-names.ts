import type { KycDocument } from './kyc.api.ts'
import { KIND_LABELS, SIDE_LABELS } from './kyc-words.tsx'
import { say } from './words.ts'

type NamedPaper = Pick<KycDocument, 'id' | 'kind' | 'side'>

const formatPaperName = ({ kind, side }: NamedPaper): string =>
  side ? `${KIND_LABELS[kind]}, ${SIDE_LABELS[side]}` : KIND_LABELS[kind]

/** What papers are called, by their ids: several that would have one name are counted. */
export const paperNames = (documents: readonly NamedPaper[]): ReadonlyMap<string, string> =>
  new Map(
    documents.map((one) => {
      const alike = documents.filter((other) => formatPaperName(other) === formatPaperName(one))
      const name = formatPaperName(one)
      const at = alike.indexOf(one) + 1
      return [one.id, alike.length > 1 ? say('kyc.of', { name, at, count: alike.length }) : name]
    }),
  )
