import { Text } from '@mantine/core'
import { ReasonForm } from '../../../components/forms/reason-form.tsx'
import { useDecided } from '../../../lib/forms/use-decided.ts'
import { approveSubmission, rejectSubmission, type SubmissionRecord } from './kyc.api.ts'
import { paperNames } from './paper-names.ts'
import { RejectForm } from './reject-form.tsx'
import { RevokeForm } from './revoke-form.tsx'
import { say, tell } from './words.ts'

export type Decision = 'approve' | 'reject' | 'revoke'

type DecideProps = {
  as: Decision
  submission: SubmissionRecord
  /** This is the client's name. */
  name: string
  onClose: () => void
  onDecided?: () => void
}

/** Asks for what a decision needs, and sends it with the version that was shown. */
export const Decide = ({ as, submission, name, onClose, onDecided }: DecideProps) => {
  const { reload, done } = useDecided('kyc', onClose, onDecided)
  const common = { onClose, onReload: reload }
  if (as === 'revoke')
    return (
      <RevokeForm
        submission={submission}
        name={name}
        onDone={() => done(say('kyc.revoke.done', { name }))}
        {...common}
      />
    )
  if (as === 'reject')
    return (
      <RejectForm
        title={say('kyc.reject.title')}
        papers={[...paperNames(submission.documents).values()]}
        submit={(rejection) => rejectSubmission(submission, rejection)}
        onDone={() => done(say('kyc.reject.done', { name }))}
        {...common}
      />
    )
  return (
    <ReasonForm
      title={say('kyc.approve.title')}
      submitLabel={say('common.approve')}
      label={say('common.note')}
      description={say('common.note.hint')}
      submit={(note) => approveSubmission(submission, note)}
      onDone={() => done(say('kyc.approve.done', { name, level: submission.level }))}
      {...common}
    >
      <Text size="sm">{tell('kyc.approve.about', { name: <b>{name}</b>, level: submission.level })}</Text>
    </ReasonForm>
  )
}
