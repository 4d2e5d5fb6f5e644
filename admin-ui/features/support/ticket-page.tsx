import { Button, Stack } from '@mantine/core'
import { IconArrowBackUp, IconCheck, IconLock } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { Confirm } from '../../components/confirm.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { MoreMenu } from '../../components/more-menu.tsx'
import { RecordPage } from '../../components/record-page.tsx'
import { When } from '../../components/when.tsx'
import { notify } from '../../lib/notify.tsx'
import { useCan } from '../../lib/session.ts'
import { useAsked } from '../../lib/use-asked.ts'
import { useRecord, useRefresh } from '../../lib/use-record.ts'
import { ClientBeside } from './client-beside.tsx'
import { ReplyForm } from './reply-form.tsx'
import { closeTicket, fetchTicket, reopenTicket, type TicketRecord } from './support.api.ts'
import { Thread } from './thread.tsx'
import { TicketFields } from './ticket-fields.tsx'
import { TicketStatus } from './ticket-words.tsx'

/** One ticket: the talk, the answer, and who has it. */
export const TicketPage = () => {
  const { id = '' } = useParams({ strict: false })
  const ticket = useRecord('support', id, fetchTicket)
  return <Loaded query={ticket}>{(data) => <Talk ticket={data} />}</Loaded>
}

type Asked = 'resolve' | 'close' | 'reopen'

/** What is asked before a ticket is closed or opened again. */
const QUESTIONS: Record<Asked, { title: string; label: string; text: string }> = {
  resolve: { title: 'Mark as resolved', label: 'Resolved', text: 'The clocks stop. The client may open it again.' },
  close: {
    title: 'Close this ticket',
    label: 'Close ticket',
    text: 'It is done for good, unless it is opened again.',
  },
  reopen: {
    title: 'Open this ticket again',
    label: 'Open again',
    text: 'It gets the time of its priority once more. This works for 14 days after it was closed.',
  },
}

const Talk = ({ ticket }: { ticket: TicketRecord }) => {
  const can = useCan()
  const refresh = useRefresh()
  const { asked, record, ask, close } = useAsked<Asked, TicketRecord>(ticket)
  const reload = (): void => void refresh('support')
  const act = async (): Promise<void> => {
    if (asked === 'reopen') await reopenTicket(record)
    else if (asked) await closeTicket(record, asked === 'resolve' ? 'resolved' : 'closed')
    notify(asked === 'reopen' ? 'Ticket opened again.' : 'Ticket closed.')
    reload()
  }
  const words = QUESTIONS[asked ?? 'resolve']
  return (
    <RecordPage
      title={ticket.subject}
      back={{ to: '/support', label: 'Support' }}
      status={<TicketStatus status={ticket.status} />}
      subtitle={
        <>
          {ticket.traderName ?? 'Nobody behind it'} · opened <When at={ticket.createdAt} as="ago" />
        </>
      }
      actions={can('operator') && <TicketActs status={ticket.status} onAsk={ask} />}
    >
      <div className="ticket">
        <Stack gap="md">
          <Thread ticket={ticket} />
          {can('operator') && <ReplyForm ticket={ticket} />}
        </Stack>
        <Stack gap="md">
          {ticket.traderId && can('viewer') && <ClientBeside traderId={ticket.traderId} ticket={ticket.id} />}
          <TicketFields key={ticket.id} ticket={ticket} />
        </Stack>
      </div>
      <Confirm
        title={words.title}
        confirmLabel={words.label}
        danger={false}
        opened={asked !== null}
        onClose={close}
        onReload={reload}
        action={act}
      >
        {words.text}
      </Confirm>
    </RecordPage>
  )
}

type TicketActsProps = { status: TicketRecord['status']; onAsk: (act: Asked) => void }

/** What may be done with the ticket as it stands. */
const TicketActs = ({ status, onAsk }: TicketActsProps) => {
  const unanswered = status === 'open' || status === 'pending'
  return (
    <>
      {unanswered && (
        <Button variant="default" leftSection={<IconCheck size={16} />} onClick={() => onAsk('resolve')}>
          Resolve
        </Button>
      )}
      {!unanswered && (
        <Button variant="default" leftSection={<IconArrowBackUp size={16} />} onClick={() => onAsk('reopen')}>
          Open again
        </Button>
      )}
      <MoreMenu
        label="More"
        wide
        actions={[
          status !== 'closed' && {
            label: 'Close for good',
            icon: <IconLock size={16} />,
            onClick: () => onAsk('close'),
          },
        ]}
      />
    </>
  )
}
