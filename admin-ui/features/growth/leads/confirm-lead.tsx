import { useNavigate } from '@tanstack/react-router'
import { Confirm } from '../../../components/forms/confirm.tsx'
import { useUndo } from '../../../components/forms/use-undo.ts'
import { notify } from '../../../lib/api/notify.tsx'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { convertLead, deleteLead, type Lead, leadName, restoreLead } from './leads.api.ts'
import { say, tell } from './words.ts'

type AskLeadProps = { lead: Lead; opened: boolean; onClose: () => void }

/** Asks before a lead becomes a client, and opens that client. */
export const AskConvert = ({ lead, opened, onClose }: AskLeadProps) => {
  const navigate = useNavigate()
  const refresh = useRefresh()
  const convert = async (): Promise<void> => {
    const { traderId, created } = await convertLead(lead)
    notify(created ? say('leads.convert.done') : say('leads.convert.done_linked'))
    await refresh('leads')
    await navigate({ to: '/traders/$id', params: { id: traderId } })
  }
  return (
    <Confirm
      title={say('leads.convert.title')}
      confirmLabel={say('leads.convert.submit')}
      danger={false}
      opened={opened}
      onClose={onClose}
      onReload={() => void refresh('leads')}
      action={convert}
    >
      {tell('leads.convert.about', { leadName: <b>{leadName(lead)}</b> })}
    </Confirm>
  )
}

/** Asks before a lead is removed from the list and the board. */
export const AskRemove = ({ lead, opened, onClose, onRemoved }: AskLeadProps & { onRemoved: () => void }) => {
  const refresh = useRefresh()
  const offerUndo = useUndo('leads')
  const remove = async (): Promise<void> => {
    await deleteLead(lead)
    offerUndo(say('leads.remove.done'), () => restoreLead(lead.id))
    onRemoved()
    void refresh('leads')
  }
  return (
    <Confirm
      title={say('leads.remove.title')}
      confirmLabel={say('leads.remove.submit')}
      opened={opened}
      onClose={onClose}
      onReload={() => void refresh('leads')}
      action={remove}
    >
      {tell('leads.remove.about', { leadName: <b>{leadName(lead)}</b> })}
    </Confirm>
  )
}
