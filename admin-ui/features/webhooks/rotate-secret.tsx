import { Radio, Stack, Text } from '@mantine/core'
import { FormModal } from '../../components/form-modal.tsx'
import { useApiForm } from '../../lib/use-api-form.ts'
import { type NewSubscription, rotateSecret, type Subscription } from './webhooks.api.ts'

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
    <FormModal state={state} title="Replace the signing secret" submitLabel="Replace secret" opened onClose={onClose}>
      <Text size="sm">You get a new secret, which takes the place of one that was made and is not in use yet.</Text>
      <Radio.Group label="The old secret" {...state.form.getInputProps('overlapHours')}>
        <Stack gap="xs" mt="xs">
          <Radio value="24" label="signs for 24 hours more, so that the receiver can change over" />
          <Radio value="1" label="signs for one hour more" />
          <Radio value="0" label="stops at once: choose this if somebody else has it" />
        </Stack>
      </Radio.Group>
    </FormModal>
  )
}
