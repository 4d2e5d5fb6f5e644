import { Button, Group, SegmentedControl, Stack, Textarea } from '@mantine/core'
import { useEffect, useState } from 'react'
import { FormNotice } from '../../components/form-modal.tsx'
import { useDraft, useKeptField } from '../../lib/drafts.ts'
import { notify } from '../../lib/notify.tsx'
import { useMe } from '../../lib/session.ts'
import { useApiForm } from '../../lib/use-api-form.ts'
import { useRefresh } from '../../lib/use-record.ts'
import { required } from '../auth/rules.ts'
import { addMessage, fetchTicket, type Message, type TicketRecord } from './support.api.ts'

const MODES = [
  { value: 'reply', label: 'Reply to the client' },
  { value: 'note', label: 'Internal note' },
]

const describe = (internal: boolean, answerable: boolean): string => {
  if (internal) return 'Only colleagues see it'
  return answerable ? 'The client gets it' : 'The client gets it, but the ticket has to be opened again first'
}

/** Words that were sent, as a note or not, and the messages that the thread had before. */
type Tried = { body: string; internal: boolean; before: ReadonlySet<string> }
/** By ticket: they are looked for in its thread when their answer was lost, also when the form was left meanwhile. */
const tried = new Map<string, Tried>()

/** The message by which these words reached the thread, if they did. */
const foundIn = ({ messages }: TicketRecord, words: Tried | undefined, authorId: string): Message | undefined =>
  messages.find(
    (message) =>
      message.authorId === authorId &&
      message.body === words?.body &&
      message.internal === words.internal &&
      !words.before.has(message.id),
  )

// Its own form for each ticket: words and kind must not go along to the next one.
/** A reply, after which the ticket waits for the client unless it is kept open; or a note that no client ever sees. */
export const ReplyForm = ({ ticket }: { ticket: TicketRecord }) => <Compose key={ticket.id} ticket={ticket} />

const Compose = ({ ticket }: { ticket: TicketRecord }) => {
  const refresh = useRefresh()
  const me = useMe()
  const about = `ticket:${ticket.id}`
  const answerable = ticket.status === 'open' || ticket.status === 'pending'
  // Only the writer changes it: the ticket may be closed or opened again under the hand, and a note must
  // never become a reply. The kind goes with the words: a note that was begun must not come back as a reply.
  const kind = useDraft(`ticket-kind:${ticket.id}`)
  const [chosen, setChosen] = useState(kind.kept || (answerable ? 'reply' : 'note'))
  const internal = chosen === 'note'
  const initialValues: { body: string; keepOpen: boolean } = { body: '', keepOpen: false }
  const state = useApiForm({
    initialValues,
    validate: { body: required('Write something first') },
    submit: async (values) => {
      const body = values.body.trim()
      const words = tried.get(ticket.id)
      // Sent another way the same words have another key: only the thread knows whether they are there already.
      if (state.unanswered.some() && words?.body === body && words.internal === internal) {
        const found = foundIn(await fetchTicket(ticket.id), words, me.id)
        if (found) return found
      } else tried.set(ticket.id, { body, internal, before: new Set(ticket.messages.map(({ id }) => id)) })
      return addMessage(ticket, { body, ...(internal ? { internal } : values.keepOpen && { keepOpen: true }) })
    },
    about,
    onDone: (message, sent) => {
      tried.delete(ticket.id)
      notify(message.internal ? 'Note added.' : 'Reply sent.')
      field.sent(sent.body)
      void refresh('support')
    },
  })
  const { body } = state.form.getValues()
  const field = useKeptField({
    about,
    value: body,
    restore: (text) => state.form.setFieldValue('body', text),
    unanswered: state.unanswered,
  })
  useEffect(() => {
    if (state.pending || !state.unanswered.some()) return
    const found = foundIn(ticket, tried.get(ticket.id), me.id)
    if (!found || found.body !== body.trim()) return
    tried.delete(ticket.id)
    notify(found.internal ? 'The note had been added.' : 'The reply had been sent.')
    state.reset()
  })
  useEffect(() => kind.keep(body.trim() ? chosen : ''))
  const sendAs = (keepOpen: boolean) => (): void => state.form.setFieldValue('keepOpen', keepOpen)
  return (
    <form onSubmit={state.onSubmit} noValidate className="reply" data-internal={internal || undefined}>
      <Stack gap="sm">
        <SegmentedControl
          aria-label="Kind of message"
          data={MODES}
          value={chosen}
          onChange={setChosen}
          style={{ alignSelf: 'flex-start' }}
        />
        <Textarea
          label={internal ? 'Internal note' : 'Reply'}
          description={describe(internal, answerable)}
          autosize
          minRows={3}
          maxRows={16}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
            event.preventDefault()
            event.currentTarget.form?.requestSubmit()
          }}
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
