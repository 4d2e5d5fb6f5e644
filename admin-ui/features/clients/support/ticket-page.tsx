import { Button, Stack } from '@mantine/core'
import { IconArrowBackUp, IconCheck, IconLock } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { Confirm } from '../../../components/forms/confirm.tsx'
import { useToldChange, useUndo } from '../../../components/forms/use-undo.ts'
import { ActButton } from '../../../components/page/act-button.tsx'
import { errorText } from '../../../components/page/error-state.tsx'
import { Loaded } from '../../../components/page/loaded.tsx'
import { MoreMenu } from '../../../components/page/more-menu.tsx'
import { RecordPage } from '../../../components/page/record-page.tsx'
import { When } from '../../../components/show/moment.tsx'
import { notifyFailure } from '../../../lib/api/notify.tsx'
import { useCan, useMe } from '../../../lib/api/session.ts'
import { useRecord, useRefresh } from '../../../lib/api/use-record.ts'
import { useSend } from '../../../lib/api/use-send.ts'
import { useAsked } from '../../../lib/forms/use-asked.ts'
import { useStaff } from '../../firm/users/users.api.ts'
import { ClientBeside } from './client-beside.tsx'
import { ReplyForm } from './reply-form.tsx'
import { SlaBadge } from './sla-badge.tsx'
import { closeTicket, fetchTicket, reopenTicket, type TicketRecord, updateTicket } from './support.api.ts'
import { Thread } from './thread.tsx'
import { TicketFields } from './ticket-fields.tsx'
import { TicketStatus } from './ticket-words.tsx'
import { say, tell } from './words.ts'

/** Shows one ticket: its messages, the reply, and its fields. */
export const TicketPage = () => {
  const { id = '' } = useParams({ strict: false })
  return <OpenTicket id={id} />
}

/** Shows a ticket on its page, or beside the list. */
export const OpenTicket = ({ id }: { id: string }) => {
  const ticket = useRecord('support', id, fetchTicket)
  return <Loaded query={ticket}>{(data) => <Talk ticket={data} />}</Loaded>
}

type Asked = 'resolve' | 'close' | 'reopen'

/** These questions are asked before a ticket is closed or opened again. */
const QUESTIONS: Record<Asked, { title: string; label: string; text: string }> = {
  resolve: {
    title: say('support.resolve.title'),
    label: say('support.resolve.title'),
    text: say('support.resolve.about'),
  },
  close: {
    title: say('support.close.title'),
    label: say('support.close.submit'),
    text: say('support.close.about'),
  },
  reopen: {
    title: say('support.reopen.title'),
    label: say('support.reopen.submit'),
    text: say('support.reopen.about'),
  },
}

/** Returns the act that was asked for; Undo closes the ticket again, or opens it. */
const useAct = (asked: Asked | null, record: TicketRecord) => {
  const refresh = useRefresh()
  const offerUndo = useUndo('support')
  const reload = (): void => void refresh('support')
  const act = async (): Promise<void> => {
    if (asked === 'reopen') {
      const opened = await reopenTicket(record)
      const again = record.status === 'closed' ? 'closed' : 'resolved'
      offerUndo(say('support.reopen.done'), () => closeTicket(opened, again))
    } else if (asked) {
      const closed = await closeTicket(record, asked === 'resolve' ? 'resolved' : 'closed')
      const words = { label: say('support.reopen.submit'), done: say('support.reopen.done') }
      offerUndo(say('support.close.done'), () => reopenTicket(closed), words)
    }
    reload()
  }
  return { act, reload }
}

const Talk = ({ ticket }: { ticket: TicketRecord }) => {
  const can = useCan()
  const { asked, record, ask, close } = useAsked<Asked, TicketRecord>(ticket)
  const { act, reload } = useAct(asked, record)
  const words = QUESTIONS[asked ?? 'resolve']
  return (
    <RecordPage
      title={ticket.subject}
      back={{ to: '/support', label: say('support.support') }}
      status={<Standing ticket={ticket} />}
      subtitle={tell('support.opened', {
        traderName: ticket.traderName ?? say('support.client.nobody'),
        when: <When at={ticket.createdAt} as="ago" />,
      })}
      actions={
        can('operator') && (
          <>
            <AssignToMe ticket={ticket} />
            <TicketActs status={ticket.status} onAsk={ask} />
          </>
        )
      }
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

/** Shows the status, and the deadline of an open ticket if it is near or missed. */
const Standing = ({ ticket: { status, sla } }: { ticket: TicketRecord }) => (
  <>
    <TicketStatus status={status} />
    {status === 'open' && sla.standing !== 'fine' && <SlaBadge sla={sla} status={status} />}
  </>
)

/** Assigns to the reader a ticket that a colleague or nobody has; Undo gives it back. */
const AssignToMe = ({ ticket }: { ticket: TicketRecord }) => {
  const me = useMe()
  const refresh = useRefresh()
  const tellChange = useToldChange('support')
  const { findStaffName } = useStaff()
  const { run: assign, start } = useSend((before: TicketRecord) => updateTicket(before, { assignedTo: me.id }), {
    onSuccess: (after, { assignedTo }) => {
      tellChange({
        before: { assignedTo },
        after: { assignedTo: after.assignedTo },
        undo: () => updateTicket(after, { assignedTo }),
        done: say('support.assign.done'),
        nameValue: (_key, id) => findStaffName(id),
      })
      void refresh('support')
    },
    onError: (error) => {
      notifyFailure(errorText(error))
      void refresh('support')
    },
  })
  if (ticket.assignedTo === me.id || ticket.status === 'closed') return null
  return (
    <ActButton hotkey="a" variant="default" loading={assign.isPending} onClick={() => start(ticket)}>
      {say('support.assign.me')}
    </ActButton>
  )
}

type TicketActsProps = { status: TicketRecord['status']; onAsk: (act: Asked) => void }

/** Shows the actions that the ticket's status allows. */
const TicketActs = ({ status, onAsk }: TicketActsProps) => {
  const unanswered = status === 'open' || status === 'pending'
  return (
    <>
      {unanswered && (
        <ActButton hotkey="e" variant="default" leftSection={<IconCheck size={16} />} onClick={() => onAsk('resolve')}>
          {say('support.resolve')}
        </ActButton>
      )}
      {!unanswered && (
        <Button variant="default" leftSection={<IconArrowBackUp size={16} />} onClick={() => onAsk('reopen')}>
          {say('support.reopen.submit')}
        </Button>
      )}
      <MoreMenu
        label={say('common.more')}
        wide
        actions={[
          status !== 'closed' && {
            label: say('support.close.action'),
            icon: <IconLock size={16} />,
            onClick: () => onAsk('close'),
          },
        ]}
      />
    </>
  )
}
