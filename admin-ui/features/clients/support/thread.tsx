import { When } from '../../../components/show/moment.tsx'
import { useStaff } from '../../firm/users/users.api.ts'
import type { Message, TicketRecord } from './support.api.ts'
import { say } from './words.ts'

/** Shows the messages of a ticket, the oldest first. Internal notes look different and have a label. */
export const Thread = ({ ticket: { messages, traderName } }: { ticket: TicketRecord }) => {
  const staff = useStaff()
  const author = ({ authorKind, authorId, createdAt }: Message): string => {
    if (authorKind === 'trader') return traderName ?? say('support.client.title')
    if (authorKind === 'system') return say('support.brokerbase')
    return staff.findStaffName(authorId, createdAt) ?? say('common.program')
  }
  return (
    <ol className="thread">
      {messages.map((message) => (
        <li
          key={message.id}
          className="message"
          data-from={message.authorKind}
          data-internal={message.internal || undefined}
        >
          <div className="message-head">
            <b>{author(message)}</b>
            {message.internal && <span className="message-mark">{say('common.internal_note')}</span>}
            <span className="dim">
              <When at={message.createdAt} />
            </span>
          </div>
          <div className="note">{message.body}</div>
        </li>
      ))}
    </ol>
  )
}
