import { useNavigate } from '@tanstack/react-router'
import { Confirm } from '../../components/confirm.tsx'
import { notify } from '../../lib/notify.tsx'
import { useRefresh } from '../../lib/use-record.ts'
import { convertLead, deleteLead, type Lead, leadName } from './leads.api.ts'

type AskLeadProps = { lead: Lead; opened: boolean; onClose: () => void }

/** Asks before a lead becomes a client, and goes on to that client. */
export const AskConvert = ({ lead, opened, onClose }: AskLeadProps) => {
  const navigate = useNavigate()
  const refresh = useRefresh()
  const convert = async (): Promise<void> => {
    const { traderId, created } = await convertLead(lead)
    notify(created ? 'The lead is a client now.' : 'Linked to the client with that e-mail address.')
    await refresh('leads')
    await navigate({ to: '/traders/$id', params: { id: traderId } })
  }
  return (
    <Confirm
      title="Convert this lead to a client"
      confirmLabel="Convert to client"
      danger={false}
      opened={opened}
      onClose={onClose}
      onReload={() => void refresh('leads')}
      action={convert}
    >
      <b>{leadName(lead)}</b> becomes a client. If a client with this e-mail address exists, the lead is linked to it.
    </Confirm>
  )
}

/** Asks before a lead is taken out of the list and the board. */
export const AskRemove = ({ lead, opened, onClose, onRemoved }: AskLeadProps & { onRemoved: () => void }) => {
  const refresh = useRefresh()
  const remove = async (): Promise<void> => {
    await deleteLead(lead)
    notify('Lead removed.')
    onRemoved()
    void refresh('leads')
  }
  return (
    <Confirm
      title="Remove this lead"
      confirmLabel="Remove lead"
      opened={opened}
      onClose={onClose}
      onReload={() => void refresh('leads')}
      action={remove}
    >
      <b>{leadName(lead)}</b> is taken out of the list and the board.
    </Confirm>
  )
}
