import { useEffect, useState } from 'react'
import { notify } from '../../../lib/api/notify.tsx'
import { useMe } from '../../../lib/api/session.ts'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { useDraft, useKeptField } from '../../../lib/forms/drafts.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { required } from '../../firm/auth/form-rules.ts'
import { addMessage, fetchTicket, type Message, type TicketRecord } from './support.api.ts'
import { say } from './words.ts'

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

type Values = { body: string; keepOpen: boolean }
type Sender = { internal: boolean; authorId: string; isUnanswered: boolean }

/** Sends words to a ticket, or finds in its thread that they came in although their answer was lost. */
const sendOnce = async (ticket: TicketRecord, values: Values, sender: Sender): Promise<Message> => {
  const body = values.body.trim()
  const { internal, authorId, isUnanswered } = sender
  const words = tried.get(ticket.id)
  // Sent another way the same words have another key: only the thread knows whether they are there already.
  if (isUnanswered && words?.body === body && words.internal === internal) {
    const found = foundIn(await fetchTicket(ticket.id), words, authorId)
    if (found) return found
  } else tried.set(ticket.id, { body, internal, before: new Set(ticket.messages.map(({ id }) => id)) })
  return addMessage(ticket, { body, ...(internal ? { internal } : values.keepOpen && { keepOpen: true }) })
}

/** Whether a reply or a note is written, kept with the words of the draft. */
const useKind = (ticketId: string, usual: 'reply' | 'note') => {
  // Only the writer changes it: the ticket may be closed or opened again under the hand, and a note must
  // never become a reply. The kind goes with the words: a note that was begun must not come back as a reply.
  const draft = useDraft(`ticket-kind:${ticketId}`)
  const [chosen, choose] = useState(draft.kept || usual)
  return { chosen, choose, keep: draft.keep }
}

/** The form of an answer to a ticket: its words and their kind, both kept as a draft, and the sending. */
export const useReply = (ticket: TicketRecord) => {
  const refresh = useRefresh()
  const me = useMe()
  const about = `ticket:${ticket.id}`
  const answerable = ticket.status === 'open' || ticket.status === 'pending'
  const kind = useKind(ticket.id, answerable ? 'reply' : 'note')
  const initialValues: Values = { body: '', keepOpen: false }
  const state = useApiForm({
    initialValues,
    validate: { body: required(say('support.reply.required')) },
    submit: (values): Promise<Message> =>
      sendOnce(ticket, values, {
        internal: kind.chosen === 'note',
        authorId: me.id,
        isUnanswered: state.unanswered.some(),
      }),
    about,
    onDone: (message, sent) => {
      tried.delete(ticket.id)
      notify(message.internal ? say('support.note.done') : say('support.reply.done'))
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
    notify(found.internal ? say('support.note.done_before') : say('support.reply.done_before'))
    state.reset()
  })
  useEffect(() => kind.keep(body.trim() ? kind.chosen : ''))
  return { state, kind, answerable }
}
