import { Confirm } from '../../../components/forms/confirm.tsx'
import { useUndo } from '../../../components/forms/use-undo.ts'
import { notify } from '../../../lib/api/notify.tsx'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { followInvitation, type HeldInvitation } from './invite-link.tsx'
import { LeavesBehindFacts } from './leaves-behind.tsx'
import type { UserAct } from './user-acts.ts'

type AskUserActProps = {
  act: UserAct | null
  /** Called after an invitation was sent again: with the invitation if the reader has to pass it on, else with null. */
  onHeld: (invitation: HeldInvitation | null) => void
  onClose: () => void
}

/** Asks before an act on a colleague, and reports the outcome. */
export const AskUserAct = ({ act, onHeld, onClose }: AskUserActProps) => {
  const refresh = useRefresh()
  const offerUndo = useUndo('users')
  const run = async (): Promise<void> => {
    if (!act) return
    await act.run()
    if (act.undo) offerUndo(act.done, act.undo)
    else if (act.done) notify(act.done)
    await refresh('users')
    if (act.invited) onHeld(await followInvitation(act.invited))
  }
  return (
    <Confirm
      title={act?.title ?? ''}
      confirmLabel={act?.label ?? ''}
      danger={act?.danger ?? false}
      opened={act !== null}
      onClose={onClose}
      onReload={() => void refresh('users')}
      action={run}
    >
      {act?.text}
      {act?.leaver && <LeavesBehindFacts id={act.leaver.id} />}
    </Confirm>
  )
}
