import { Radio, Stack, Text } from '@mantine/core'
import { FormModal } from '../../../components/forms/form-modal.tsx'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { type NewSubscription, rotateSecret, type Subscription } from './webhooks.api.ts'
import { say } from './words.ts'

type RotateSecretProps = {
  subscription: Subscription
  onClose: () => void
  onMade: (made: NewSubscription) => void
}

/** Asks how long the old secret still signs, then replaces it. */
export const RotateSecret = ({ subscription, onClose, onMade }: RotateSecretProps) => {
  const state = useApiForm({
    initialValues: { overlapHours: '24' },
    submit: ({ overlapHours }) => rotateSecret(subscription.id, Number(overlapHours)),
    onDone: (made) => {
      onMade(made)
      onClose()
    },
  })
  return (
    <FormModal
      state={state}
      title={say('webhooks.replace_signing_secret')}
      submitLabel={say('webhooks.replace_secret')}
      opened
      onClose={onClose}
    >
      <Text size="sm">{say('webhooks.you_get_new_secret')}</Text>
      <Radio.Group label={say('webhooks.old_secret')} {...state.form.getInputProps('overlapHours')}>
        <Stack gap="xs" mt="xs">
          <Radio value="24" label={say('webhooks.signs_for_24_hours')} />
          <Radio value="1" label={say('webhooks.signs_for_one_hour')} />
          <Radio value="0" label={say('webhooks.stops_at_once_choose')} />
        </Stack>
      </Radio.Group>
    </FormModal>
  )
}
