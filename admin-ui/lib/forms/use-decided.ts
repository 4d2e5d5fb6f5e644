import { useNavigate, useRouterState } from '@tanstack/react-router'
import { notify, notifyWithLink } from '../api/notify.tsx'
import type { Resource } from '../api/stale-queries.ts'
import { useRefresh } from '../api/use-record.ts'
import { useQueue } from '../lists/use-queue.ts'

type Decided = {
  /** Closes the dialog and reads the decided record again. */
  reload: () => void
  /** Also shows what was done, and opens the next record of the queue that this one was opened from. */
  done: (message: string) => void
}

/** Returns what follows a decision in a dialog, or its refusal because a colleague was first. */
export const useDecided = (resource: Resource, onClose: () => void): Decided => {
  const refresh = useRefresh()
  const queue = useQueue()
  const navigate = useNavigate()
  const path = useRouterState({ select: (state) => state.location.pathname })
  const reload = (): void => {
    void refresh(resource)
    onClose()
  }
  return {
    reload,
    done: (message) => {
      reload()
      if (!queue?.next) return notify(message)
      // The next record opens, and the decided one is a click away.
      notifyWithLink(message, () => void navigate({ to: path }))
      queue.go('next')
    },
  }
}
