import { Select, SimpleGrid, Text, Textarea, TextInput } from '@mantine/core'
import { FormDrawer } from '../../../components/forms/form-modal.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { required } from '../../firm/auth/form-rules.ts'
import { TraderPicker } from '../traders/trader-picker.tsx'
import { type NewTicket, openTicket, type Ticket } from './support.api.ts'
import { categoryChoices } from './ticket-categories.ts'
import { PRIORITIES } from './ticket-words.tsx'
import { say } from './words.ts'

type TicketFormProps = {
  trader?: { id: string; name: string }
  onClose: () => void
  onDone?: (ticket: Ticket) => void
}

/** Has every field of a new ticket, so that a forgotten field does not compile. */
type Values = Required<NewTicket>

/** Opens a ticket for a client, for example after a call. */
export const TicketForm = ({ trader, onClose, onDone }: TicketFormProps) => {
  const refresh = useRefresh()
  const initialValues: Values = {
    traderId: trader?.id ?? '',
    subject: '',
    body: '',
    category: 'general',
    priority: 'normal',
  }
  const state = useApiForm({
    initialValues,
    validate: {
      subject: required(say('support.subject.required')),
      body: required(say('support.message.required')),
    },
    submit: ({ traderId, ...values }) => openTicket({ ...values, ...(traderId && { traderId }) }),
    onDone: (ticket: Ticket) => {
      notify(say('support.new.done'))
      void refresh('support')
      onClose()
      onDone?.(ticket)
    },
  })
  const field = state.form.getInputProps
  return (
    <FormDrawer
      state={state}
      title={say('support.new.title')}
      submitLabel={say('support.new.submit')}
      opened
      onClose={onClose}
    >
      {trader ? (
        <Text size="sm">{say('support.for', { name: trader.name })}</Text>
      ) : (
        <TraderPicker data-autofocus clearable {...field('traderId')} />
      )}
      <TextInput label={say('support.subject')} {...field('subject')} />
      <Textarea
        label={say('support.message')}
        description={say('support.message.hint')}
        autosize
        minRows={4}
        {...field('body')}
      />
      <SimpleGrid cols={2} spacing="sm">
        <Select label={say('support.fields.priority')} data={PRIORITIES} allowDeselect={false} {...field('priority')} />
        <Select
          label={say('support.category.label')}
          data={categoryChoices()}
          allowDeselect={false}
          {...field('category')}
        />
      </SimpleGrid>
    </FormDrawer>
  )
}
