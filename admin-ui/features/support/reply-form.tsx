import { Button, Group, SegmentedControl, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import { FormNotice } from '../../components/form-modal.tsx'
import { notify } from '../../lib/notify.ts'
import { useApiForm } from '../../lib/use-api-form.ts'
import { useRefresh } from '../../lib/use-record.ts'
import { required } from '../auth/rules.ts'
import { addMessage, type TicketRecord } from './support.api.ts'

const MODES = [
  { value: 'reply', label: 'Reply to the client' },
  { value: 'note', label: 'Internal note' },
]

/** A reply, after which the ticket waits for the client unless it is kept open; or a note that no client ever sees. */
export const ReplyForm = ({ ticket }: { ticket: TicketRecord }) => {
  const refresh = useRefresh()
  const answerable = ticket.status === 'open' || ticket.status === 'pending'
  const [chosen, setChosen] = useState('reply')
  const internal = !answerable || chosen === 'note'
  const initialValues: { body: string; keepOpen: boolean } = { body: '', keepOpen: false }
  const state = useApiForm({
    initialValues,
    validate: { body: required('Write something first') },
    submit: ({ body, keepOpen }) =>
      addMessage(ticket, { body: body.trim(), ...(internal ? { internal } : keepOpen && { keepOpen }) }),
    onDone: () => {
      notify(internal ? 'Note added.' : 'Reply sent.')
      state.reset()
      void refresh('support', 'summary')
    },
  })
  const sendAs = (keepOpen: boolean) => (): void => state.form.setFieldValue('keepOpen', keepOpen)
  return (
    <form onSubmit={state.onSubmit} noValidate className="reply" data-internal={internal || undefined}>
      <Stack gap="sm">
        {answerable && (
          <SegmentedControl
            aria-label="Kind of message"
            data={MODES}
            value={chosen}
            onChange={setChosen}
            style={{ alignSelf: 'flex-start' }}
          />
        )}
        <Textarea
          label={internal ? 'Internal note' : 'Reply'}
          description={internal ? 'Only colleagues see it' : 'The client gets it'}
          autosize
          minRows={3}
          maxRows={16}
          {...state.form.getInputProps('body')}
        />
        <FormNotice error={state.error} conflict={state.conflict} onReload={() => void refresh('support')} />
        <Group gap="xs">
          <Button type="submit" loading={state.pending} onClick={sendAs(false)}>
            {internal ? 'Add note' : 'Reply'}
          </Button>
          {!internal && (
            <Button type="submit" variant="default" disabled={state.pending} onClick={sendAs(true)}>
              Reply and keep open
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}
