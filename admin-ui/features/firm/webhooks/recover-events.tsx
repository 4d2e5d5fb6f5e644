import { Text, TextInput } from '@mantine/core'
import { FormModal } from '../../../components/forms/form-modal.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { recoverEvents, type Subscription } from './webhooks.api.ts'
import { say } from './words.ts'

/** Sends again what a receiver has not got since a moment, in the viewer's zone. */
export const RecoverEvents = ({ subscription, onClose }: { subscription: Subscription; onClose: () => void }) => {
  const refresh = useRefresh()
  const state = useApiForm({
    initialValues: { since: '' },
    validate: { since: (text) => (Number.isNaN(Date.parse(text)) ? say('webhooks.choose_day_time') : null) },
    submit: ({ since }) => recoverEvents(subscription.id, new Date(since).toISOString()),
    onDone: ({ queued }) => {
      notify(queued === 0 ? say('webhooks.nothing_else_was_missed') : say('webhooks.events_sent', { queued }))
      void refresh('webhooks')
      onClose()
    },
  })
  return (
    <FormModal
      state={state}
      title={say('webhooks.recover_missed_events')}
      submitLabel={say('webhooks.send_what_was_missed')}
      opened
      onClose={onClose}
    >
      <Text size="sm">{say('webhooks.every_event_this_webhook')}</Text>
      <TextInput
        label={say('common.since')}
        type="datetime-local"
        data-autofocus
        {...state.form.getInputProps('since')}
      />
    </FormModal>
  )
}
