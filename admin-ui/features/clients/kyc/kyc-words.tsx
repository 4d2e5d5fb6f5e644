import type { Column } from '../../../components/lists/data-list.tsx'
import { When } from '../../../components/show/moment.tsx'
import { StatusBadge } from '../../../components/show/status-badge.tsx'
import { CLIENT_CELL, nameCell } from '../../../lib/csv/list-csv.ts'
import type { FilterOf } from '../../../lib/lists/filters.ts'
import { choices } from '../../../lib/text/choices.ts'
import { humanize } from '../../../lib/text/format.ts'
import { shownName } from '../traders/trader-names.ts'
import { KYC_LABELS } from '../traders/trader-words.ts'
import type { DocumentKind, DocumentSide, NamedSubmission, Submission } from './kyc.api.ts'
import { say } from './words.ts'

export const KIND_LABELS: Record<DocumentKind, string> = {
  passport: say('kyc.document.passport'),
  identity_card: say('kyc.document.identity_card'),
  driving_licence: say('kyc.document.driving_licence'),
  residence_permit: say('kyc.document.residence_permit'),
  proof_of_address: say('kyc.document.proof_of_address'),
  selfie: say('kyc.document.selfie'),
  source_of_funds: say('kyc.document.source_of_funds'),
  other: say('kyc.document.other'),
}
const isKind = (text: string): text is DocumentKind => Object.hasOwn(KIND_LABELS, text)

/** Names a kind of document; one that is not known is shown as readable text. */
export const kindName = (kind: string): string => (isKind(kind) ? KIND_LABELS[kind] : humanize(kind))

export const SIDE_LABELS: Record<DocumentSide, string> = {
  front: say('kyc.paper_side.front'),
  back: say('kyc.paper_side.back'),
}

const { requested, approved, rejected } = KYC_LABELS
const LEVELS = ['1', '2', '3'].map((value) => ({ value, label: say('kyc.level', { level: value }) }))

export const SubmissionStatus = ({ submission }: { submission: Pick<Submission, 'status' | 'rejectionKind'> }) => (
  <StatusBadge
    status={submission.status}
    label={submission.rejectionKind === 'final' ? say('kyc.status.rejected_final') : KYC_LABELS[submission.status]}
  />
)

export const SUBMISSION_FILTERS: readonly FilterOf<'kyc.submissions.list'>[] = [
  {
    key: 'status',
    label: say('field.status'),
    options: choices<Submission['status']>({ requested, approved, rejected }),
    fallback: 'requested',
  },
  { key: 'level', label: say('kyc.level_column'), options: LEVELS },
  { key: 'from', until: 'to', label: say('kyc.submitted.label'), kind: 'days' },
]

export const SUBMISSION_COLUMNS: readonly Column<NamedSubmission>[] = [
  { key: 'trader', file: CLIENT_CELL, title: say('common.client'), render: ({ traderName }) => shownName(traderName) },
  {
    key: 'status',
    file: nameCell(KYC_LABELS),
    title: say('field.status'),
    render: (row) => <SubmissionStatus submission={row} />,
  },
  {
    key: 'level',
    title: say('kyc.level_column'),
    align: 'right',
    wide: true,
    render: ({ level }) => level,
    renderCard: ({ level }) => say('kyc.level', { level }),
  },
  {
    key: 'createdAt',
    title: say('kyc.submitted.label'),
    sort: 'createdAt',
    wide: true,
    card: true,
    render: ({ createdAt }) => <When at={createdAt} />,
  },
  { key: 'decidedAt', title: say('kyc.decided'), wide: true, render: ({ decidedAt }) => <When at={decidedAt} /> },
]
