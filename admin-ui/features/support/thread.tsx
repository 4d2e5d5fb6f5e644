import { When } from '../../components/when.tsx'
import { useStaff } from '../users/users.api.ts'
import type { Message, TicketRecord } from './support.api.ts'

/** The messages of a ticket, oldest first. Internal notes look different and say so. */
export const Thread = ({ ticket: { messages, traderName } }: { ticket: TicketRecord }) => {
  const staff = useStaff()
  const author = ({ authorKind, authorId }: Message): string => {
    if (authorKind === 'trader') return traderName ?? 'Client'
    if (authorKind === 'system') return 'Brokerbase'
    return staff.nameOf(authorId) ?? 'A program'
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
            {message.internal && <span className="message-mark">Internal note</span>}
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
