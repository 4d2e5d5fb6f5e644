import type { Column } from '../../components/data-list.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { When } from '../../components/when.tsx'
import { choices } from '../../lib/choices.ts'
import type { FilterOf } from '../../lib/filters.ts'
import { shownName } from '../traders/trader-names.ts'
import { KYC_LABELS } from '../traders/trader-words.ts'
import type { DocumentKind, DocumentSide, NamedSubmission, Submission } from './kyc.api.ts'

export const KIND_LABELS: Record<DocumentKind, string> = {
  passport: 'Passport',
  identity_card: 'Identity card',
  driving_licence: 'Driving licence',
  residence_permit: 'Residence permit',
  proof_of_address: 'Proof of address',
  selfie: 'Selfie',
  source_of_funds: 'Source of funds',
  other: 'Other paper',
}
export const SIDE_LABELS: Record<DocumentSide, string> = { front: 'front', back: 'back' }

const { requested, approved, rejected } = KYC_LABELS
const LEVELS = ['1', '2', '3'].map((value) => ({ value, label: `Level ${value}` }))

export const SubmissionStatus = ({ submission }: { submission: Pick<Submission, 'status' | 'rejectionKind'> }) => (
  <StatusBadge
    status={submission.status}
    label={submission.rejectionKind === 'final' ? 'Rejected for good' : KYC_LABELS[submission.status]}
  />
)

export const SUBMISSION_FILTERS: readonly FilterOf<'kyc.submissions.list'>[] = [
  {
    key: 'status',
    label: 'Status',
    options: choices<Submission['status']>({ requested, approved, rejected }),
    fallback: 'requested',
  },
  { key: 'level', label: 'Level', options: LEVELS },
  { key: 'from', until: 'to', label: 'Handed in', kind: 'days' },
]

export const SUBMISSION_COLUMNS: readonly Column<NamedSubmission>[] = [
  { key: 'trader', title: 'Client', render: ({ traderName }) => shownName(traderName) },
  { key: 'status', title: 'Status', render: (row) => <SubmissionStatus submission={row} /> },
  { key: 'level', title: 'Level', align: 'right', wide: true, render: ({ level }) => level },
  {
    key: 'createdAt',
    title: 'Handed in',
    sort: 'createdAt',
    wide: true,
    card: true,
    render: ({ createdAt }) => <When at={createdAt} />,
  },
  { key: 'decidedAt', title: 'Decided', wide: true, render: ({ decidedAt }) => <When at={decidedAt} /> },
]
