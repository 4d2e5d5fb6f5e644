import { useEffect, useState } from 'react'
import { notify } from '../../../lib/api/notify.tsx'
import { useMe } from '../../../lib/api/session.ts'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { useDraft, useKeptField } from '../../../lib/forms/drafts.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { required } from '../../firm/auth/form-rules.ts'
import { addMessage, fetchTicket, type Message, type TicketRecord } from './support.api.ts'
import { say } from './words.ts'

/** Holds a text that was sent, as a note or a reply, and the ids of the messages that the thread had before. */
type Tried = { body: string; internal: boolean; before: ReadonlySet<string> }
/**
 * Keeps the sent text by ticket. If its answer was lost, the text is found in the thread, even after the form was left.
 */
const tried = new Map<string, Tried>()

/** Finds the message with which this text reached the thread, if it did. */
const findSentMessage = ({ messages }: TicketRecord, words: Tried | undefined, authorId: string): Message | undefined =>
  messages.find(
    (message) =>
      message.authorId === authorId &&
      message.body === words?.body &&
      message.internal === words.internal &&
      !words.before.has(message.id),
  )

type Values = { body: string; keepOpen: boolean }
type Sender = { internal: boolean; authorId: string; isUnanswered: boolean }

/** Sends a text to a ticket, or finds in the thread that it arrived although its answer was lost. */
const sendOnce = async (ticket: TicketRecord, values: Values, sender: Sender): Promise<Message> => {
  const body = values.body.trim()
  const { internal, authorId, isUnanswered } = sender
  const words = tried.get(ticket.id)
  // The same text sent in another way has another key: only the thread shows whether it has arrived already.
  if (isUnanswered && words?.body === body && words.internal === internal) {
    const found = findSentMessage(await fetchTicket(ticket.id), words, authorId)
    if (found) return found
  } else tried.set(ticket.id, { body, internal, before: new Set(ticket.messages.map(({ id }) => id)) })
  return addMessage(ticket, { body, ...(internal ? { internal } : values.keepOpen && { keepOpen: true }) })
}

/** Keeps with the draft whether a reply or a note is written. */
const useKind = (ticketId: string, usual: 'reply' | 'note') => {
  // Only the writer changes the kind: if a colleague closes or opens the ticket meanwhile, a note must not become a
  // reply. It is kept with the text, so that the draft of a note is not restored as a reply.
  const draft = useDraft(`ticket-kind:${ticketId}`)
  const [chosen, choose] = useState(draft.kept || usual)
  return { chosen, choose, keep: draft.keep }
}

/** Sets up the form of a reply or note, whose text and kind are kept as a draft until it is sent. */
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
    const found = findSentMessage(ticket, tried.get(ticket.id), me.id)
    if (!found || found.body !== body.trim()) return
    tried.delete(ticket.id)
    notify(found.internal ? say('support.note.done_before') : say('support.reply.done_before'))
    state.reset()
  })
  useEffect(() => kind.keep(body.trim() ? kind.chosen : ''))
  return { state, kind, answerable }
}
