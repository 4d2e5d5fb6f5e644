import { Text, TextInput } from '@mantine/core'
import { FormModal } from '../../../components/forms/form-modal.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { recoverEvents, type Subscription } from './webhooks.api.ts'
import { say } from './words.ts'

/** Sends again what a receiver has missed since a moment, which is typed in the reader's time zone. */
export const RecoverEvents = ({ subscription, onClose }: { subscription: Subscription; onClose: () => void }) => {
  const refresh = useRefresh()
  const state = useApiForm({
    initialValues: { since: '' },
    validate: { since: (text) => (Number.isNaN(Date.parse(text)) ? say('webhooks.recover.since_required') : null) },
    submit: ({ since }) => recoverEvents(subscription.id, new Date(since).toISOString()),
    onDone: ({ queued }) => {
      notify(queued === 0 ? say('webhooks.recover.done_none') : say('webhooks.recover.done', { queued }))
      void refresh('webhooks')
      onClose()
    },
  })
  return (
    <FormModal
      state={state}
      title={say('webhooks.recover.title')}
      submitLabel={say('webhooks.recover.submit')}
      opened
      onClose={onClose}
    >
      <Text size="sm">{say('webhooks.recover.about')}</Text>
      <TextInput
        label={say('common.since')}
        type="datetime-local"
        data-autofocus
        {...state.form.getInputProps('since')}
      />
    </FormModal>
  )
}
