import { SimpleGrid, Text } from '@mantine/core'
import { DateField } from '../../../components/forms/date-field.tsx'
import { FormModal } from '../../../components/forms/form-modal.tsx'
import { TimeField } from '../../../components/forms/time-field.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { neededDay } from '../../../lib/text/day-text.ts'
import { startOfDay } from '../../../lib/text/zone.ts'
import { recoverEvents, type Subscription } from './webhooks.api.ts'
import { say } from './words.ts'

/** Sends again what a receiver has missed since a moment, which is one of the firm's zone. */
export const RecoverEvents = ({ subscription, onClose }: { subscription: Subscription; onClose: () => void }) => {
  const refresh = useRefresh()
  const state = useApiForm({
    initialValues: { since: '', time: '00:00' },
    validate: {
      since: neededDay(say('webhooks.recover.since_required')),
      time: (time) => (time === '' ? say('webhooks.recover.since_required') : null),
    },
    submit: ({ since, time }) => recoverEvents(subscription.id, startOfDay(since, time).toISOString()),
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
      <SimpleGrid cols={2} spacing="sm">
        <DateField label={say('common.since')} data-autofocus {...state.form.getInputProps('since')} />
        <TimeField label={say('webhooks.recover.time')} {...state.form.getInputProps('time')} />
      </SimpleGrid>
    </FormModal>
  )
}
