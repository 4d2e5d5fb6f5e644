import { useNavigate } from '@tanstack/react-router'
import { Confirm } from '../../../components/forms/confirm.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { convertLead, deleteLead, type Lead, leadName } from './leads.api.ts'
import { say, tell } from './words.ts'

type AskLeadProps = { lead: Lead; opened: boolean; onClose: () => void }

/** Asks before a lead becomes a client, and goes on to that client. */
export const AskConvert = ({ lead, opened, onClose }: AskLeadProps) => {
  const navigate = useNavigate()
  const refresh = useRefresh()
  const convert = async (): Promise<void> => {
    const { traderId, created } = await convertLead(lead)
    notify(created ? say('leads.lead_client_now') : say('leads.linked_to_client_with'))
    await refresh('leads')
    await navigate({ to: '/traders/$id', params: { id: traderId } })
  }
  return (
    <Confirm
      title={say('leads.convert_this_lead_to')}
      confirmLabel={say('leads.convert_to_client')}
      danger={false}
      opened={opened}
      onClose={onClose}
      onReload={() => void refresh('leads')}
      action={convert}
    >
      {tell('leads.becomes_client_if_client', { leadName: <b>{leadName(lead)}</b> })}
    </Confirm>
  )
}

/** Asks before a lead is taken out of the list and the board. */
export const AskRemove = ({ lead, opened, onClose, onRemoved }: AskLeadProps & { onRemoved: () => void }) => {
  const refresh = useRefresh()
  const remove = async (): Promise<void> => {
    await deleteLead(lead)
    notify(say('leads.lead_removed'))
    onRemoved()
    void refresh('leads')
  }
  return (
    <Confirm
      title={say('leads.remove_this_lead')}
      confirmLabel={say('leads.remove_lead')}
      opened={opened}
      onClose={onClose}
      onReload={() => void refresh('leads')}
      action={remove}
    >
      {tell('leads.taken_out_list_board', { leadName: <b>{leadName(lead)}</b> })}
    </Confirm>
  )
}
