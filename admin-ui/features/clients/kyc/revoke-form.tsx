import { Text, Textarea } from '@mantine/core'
import { FormModal } from '../../../components/forms/form-modal.tsx'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { required } from '../../firm/auth/form-rules.ts'
import { revokeSubmission, type Submission } from './kyc.api.ts'
import { say, tell } from './words.ts'

type RevokeFormProps = {
  submission: Submission
  name: string
  onDone: () => void
  onClose: () => void
  onReload: () => void
}

/** Revokes an approval, with a reason for colleagues, and a text for the client if the usual one does not fit. */
export const RevokeForm = ({ submission, name, onDone, onClose, onReload }: RevokeFormProps) => {
  const state = useApiForm({
    initialValues: { reason: '', detail: '' },
    validate: { reason: required(say('kyc.revoke.reason_required')) },
    submit: ({ reason, detail }) =>
      revokeSubmission(submission, { reason: reason.trim(), ...(detail.trim() && { detail: detail.trim() }) }),
    onDone,
  })
  const field = state.form.getInputProps
  return (
    <FormModal
      state={state}
      title={say('kyc.revoke.title')}
      submitLabel={say('kyc.revoke.action')}
      danger
      opened
      onClose={onClose}
      onReload={onReload}
    >
      <Text size="sm">{tell('kyc.revoke.about', { name: <b>{name}</b> })}</Text>
      <Textarea
        label={say('kyc.reject.reason')}
        description={say('kyc.revoke.reason_hint')}
        autosize
        minRows={2}
        data-autofocus
        {...field('reason')}
      />
      <Textarea
        label={say('kyc.detail.label')}
        description={say('kyc.revoke.detail_hint')}
        autosize
        minRows={2}
        {...field('detail')}
      />
    </FormModal>
  )
}
