import { TextInput } from '@mantine/core'
import { FormDrawer } from '../../../components/forms/form-modal.tsx'
import { useToldChange } from '../../../components/forms/use-undo.ts'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { EventsField } from './events-field.tsx'
import {
  createSubscription,
  type EventName,
  type NewSubscription,
  type Subscription,
  updateSubscription,
} from './webhooks.api.ts'
import { say } from './words.ts'

type SubscriptionFormProps = {
  subscription?: Subscription
  onClose: () => void
  onMade?: (made: NewSubscription) => void
}

type Values = { url: string; events: EventName[] }

const pickValues = ({ url, events }: Subscription): Values => ({ url, events })

/** Adds a receiver of events, or changes one. */
export const SubscriptionForm = ({ subscription, onClose, onMade }: SubscriptionFormProps) => {
  const refresh = useRefresh()
  const tellChange = useToldChange('webhooks')
  const initialValues: Values = { url: subscription?.url ?? '', events: subscription?.events ?? [] }
  const reload = (): void => {
    void refresh('webhooks')
    onClose()
  }
  const state = useApiForm({
    initialValues,
    validate: {
      url: (text) => (URL.canParse(text.trim()) ? null : say('webhooks.address.required')),
      events: (events) => (events.length > 0 ? null : say('webhooks.events.required')),
    },
    submit: async ({ url, events }) => {
      const body = { url: url.trim(), events }
      if (subscription) return updateSubscription(subscription, body)
      onMade?.(await createSubscription(body))
      return null
    },
    onDone: (after) => {
      if (subscription && after) {
        const before = pickValues(subscription)
        tellChange({
          before,
          after: pickValues(after),
          undo: () => updateSubscription(after, before),
          done: say('webhooks.edit.done'),
          labels: { url: say('common.address') },
        })
      }
      reload()
    },
  })
  return (
    <FormDrawer
      state={state}
      title={subscription ? say('webhooks.edit.title') : say('webhooks.new.title')}
      submitLabel={subscription ? say('common.save') : say('webhooks.new.submit')}
      wide
      opened
      onClose={onClose}
      onReload={reload}
    >
      <TextInput
        label={say('common.address')}
        description={say('webhooks.address.hint')}
        placeholder={say('webhooks.address.placeholder')}
        type="url"
        data-autofocus
        {...state.form.getInputProps('url')}
      />
      <EventsField {...state.form.getInputProps('events')} />
    </FormDrawer>
  )
}
