import { Text, Textarea } from '@mantine/core'
import { FormModal } from '../../components/form-modal.tsx'
import { useApiForm } from '../../lib/use-api-form.ts'
import { required } from '../auth/rules.ts'
import { revokeSubmission, type Submission } from './kyc.api.ts'

type RevokeFormProps = {
  submission: Submission
  name: string
  onDone: () => void
  onClose: () => void
  onReload: () => void
}

/** Takes an approval back: a reason for colleagues, and words for the client where the usual ones do not fit. */
export const RevokeForm = ({ submission, name, onDone, onClose, onReload }: RevokeFormProps) => {
  const state = useApiForm({
    initialValues: { reason: '', detail: '' },
    validate: { reason: required('Say why the approval is taken back') },
    submit: ({ reason, detail }) =>
      revokeSubmission(submission, { reason: reason.trim(), ...(detail.trim() && { detail: detail.trim() }) }),
    onDone,
  })
  const field = state.form.getInputProps
  return (
    <FormModal
      state={state}
      title="Revoke this approval"
      submitLabel="Revoke approval"
      danger
      opened
      onClose={onClose}
      onReload={onReload}
    >
      <Text size="sm">
        <b>{name}</b> falls to the highest level that is still approved. Withdrawals that need more are blocked.
      </Text>
      <Textarea
        label="Reason"
        description="For colleagues; the client never reads it"
        autosize
        minRows={2}
        data-autofocus
        {...field('reason')}
      />
      <Textarea
        label="What the client is told"
        description="Left empty, the text of your catalogue’s reason “revoked”"
        autosize
        minRows={2}
        {...field('detail')}
      />
    </FormModal>
  )
}
