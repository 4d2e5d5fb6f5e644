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
      title={say('webhooks.rotate.title')}
      submitLabel={say('webhooks.rotate.submit')}
      opened
      onClose={onClose}
    >
      <Text size="sm">{say('webhooks.rotate.about')}</Text>
      <Radio.Group label={say('webhooks.rotate.overlap')} {...state.form.getInputProps('overlapHours')}>
        <Stack gap="xs" mt="xs">
          <Radio value="24" label={say('webhooks.rotate.overlap.day')} />
          <Radio value="1" label={say('webhooks.rotate.overlap.hour')} />
          <Radio value="0" label={say('webhooks.rotate.overlap.none')} />
        </Stack>
      </Radio.Group>
    </FormModal>
  )
}
