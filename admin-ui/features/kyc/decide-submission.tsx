import { Text } from '@mantine/core'
import { ReasonForm } from '../../components/reason-form.tsx'
import { useDecided } from '../../lib/use-decided.ts'
import { approveSubmission, rejectSubmission, type SubmissionRecord } from './kyc.api.ts'
import { paperNames } from './paper-names.ts'
import { RejectForm } from './reject-form.tsx'
import { RevokeForm } from './revoke-form.tsx'

/** What can be decided about papers. */
export type Decision = 'approve' | 'reject' | 'revoke'

type DecideProps = {
  as: Decision
  submission: SubmissionRecord
  /** The client's name. */
  name: string
  onClose: () => void
}

/** Asks for what a decision needs, and sends it over the version that was looked at. */
export const Decide = ({ as, submission, name, onClose }: DecideProps) => {
  const { reload, done } = useDecided('kyc', onClose)
  const common = { onClose, onReload: reload }
  if (as === 'revoke')
    return <RevokeForm submission={submission} name={name} onDone={() => done('Approval revoked.')} {...common} />
  if (as === 'reject')
    return (
      <RejectForm
        title="Reject these papers"
        papers={[...paperNames(submission.documents).values()]}
        submit={(rejection) => rejectSubmission(submission, rejection)}
        onDone={() => done('Papers rejected.')}
        {...common}
      />
    )
  return (
    <ReasonForm
      title="Approve these papers"
      submitLabel="Approve"
      label="Note"
      description="For colleagues"
      submit={(note) => approveSubmission(submission, note)}
      onDone={() => done(`Approved for level ${submission.level}.`)}
      {...common}
    >
      <Text size="sm">
        <b>{name}</b> gets identity level {submission.level}.
      </Text>
    </ReasonForm>
  )
}
