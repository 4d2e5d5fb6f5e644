import { TextInput } from '@mantine/core'
import { FormDrawer } from '../../components/form-modal.tsx'
import { notify } from '../../lib/notify.tsx'
import { useApiForm } from '../../lib/use-api-form.ts'
import { useRefresh } from '../../lib/use-record.ts'
import { EventsField } from './events-field.tsx'
import {
  createSubscription,
  type EventName,
  type NewSubscription,
  type Subscription,
  updateSubscription,
} from './webhooks.api.ts'

type SubscriptionFormProps = {
  subscription?: Subscription
  onClose: () => void
  onMade?: (made: NewSubscription) => void
}

type Values = { url: string; events: EventName[] }

/** Adds a receiver of events, or changes one. */
export const SubscriptionForm = ({ subscription, onClose, onMade }: SubscriptionFormProps) => {
  const refresh = useRefresh()
  const initialValues: Values = { url: subscription?.url ?? '', events: subscription?.events ?? [] }
  const reload = (): void => {
    void refresh('webhooks')
    onClose()
  }
  const state = useApiForm({
    initialValues,
    validate: {
      url: (text) => (URL.canParse(text.trim()) ? null : 'Enter an address that begins with https://'),
      events: (events) => (events.length > 0 ? null : 'Choose at least one event'),
    },
    submit: async ({ url, events }) => {
      const body = { url: url.trim(), events }
      if (subscription) await updateSubscription(subscription, body)
      else onMade?.(await createSubscription(body))
    },
    onDone: () => {
      if (subscription) notify('Webhook saved.')
      reload()
    },
  })
  return (
    <FormDrawer
      state={state}
      title={subscription ? 'Edit webhook' : 'New webhook'}
      submitLabel={subscription ? 'Save' : 'Add webhook'}
      wide
      opened
      onClose={onClose}
      onReload={reload}
    >
      <TextInput
        label="Address"
        description="Every event is sent there as a signed POST"
        placeholder="https://example.com/hooks"
        type="url"
        data-autofocus
        {...state.form.getInputProps('url')}
      />
      <EventsField {...state.form.getInputProps('events')} />
    </FormDrawer>
  )
}
