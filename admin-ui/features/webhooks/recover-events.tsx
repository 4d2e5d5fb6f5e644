import { Text, TextInput } from '@mantine/core'
import { FormModal } from '../../components/form-modal.tsx'
import { formatCount } from '../../lib/format.ts'
import { notify } from '../../lib/notify.tsx'
import { useApiForm } from '../../lib/use-api-form.ts'
import { useRefresh } from '../../lib/use-record.ts'
import { recoverEvents, type Subscription } from './webhooks.api.ts'

/** Sends again what a receiver has not got since a moment, in the viewer's zone. */
export const RecoverEvents = ({ subscription, onClose }: { subscription: Subscription; onClose: () => void }) => {
  const refresh = useRefresh()
  const state = useApiForm({
    initialValues: { since: '' },
    validate: { since: (text) => (Number.isNaN(Date.parse(text)) ? 'Choose a day and a time' : null) },
    submit: ({ since }) => recoverEvents(subscription.id, new Date(since).toISOString()),
    onDone: ({ queued }) => {
      notify(
        queued === 0
          ? 'Nothing else was missed; what waits is tried again now.'
          : `${formatCount(queued)} ${queued === 1 ? 'event is' : 'events are'} sent.`,
      )
      void refresh('webhooks')
      onClose()
    },
  })
  return (
    <FormModal state={state} title="Recover missed events" submitLabel="Send what was missed" opened onClose={onClose}>
      <Text size="sm">
        Every event of this webhook that it has not received since then is sent. Events are kept for 30 days, updates of
        positions for a day.
      </Text>
      <TextInput label="Since" type="datetime-local" data-autofocus {...state.form.getInputProps('since')} />
    </FormModal>
  )
}
