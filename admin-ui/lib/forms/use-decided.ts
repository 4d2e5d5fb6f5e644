import { useNavigate, useRouterState } from '@tanstack/react-router'
import { notify, notifyWithLink } from '../api/notify.tsx'
import type { Resource } from '../api/stale-queries.ts'
import { useRefresh } from '../api/use-record.ts'
import { useBeside } from '../lists/use-beside.ts'
import { useQueue } from '../lists/use-queue.ts'

type Decided = {
  /** Closes the dialog and reads the decided record again. */
  reload: () => void
  /**
   * Also shows what was done, and opens the next record of the queue, or the next row beside the list. If the decided
   * record is no longer on screen, the notice links to its page: to `to`, else to the page that was open.
   */
  done: (message: string, to?: string) => void
}

/**
 * Returns what follows a decision in a dialog, or its refusal because a colleague was first. `onDecided` is called only
 * after a decision, and `onClose` after both.
 */
export const useDecided = (resource: Resource, onClose: () => void, onDecided?: () => void): Decided => {
  const refresh = useRefresh()
  const beside = useBeside()
  const queue = useQueue()
  const navigate = useNavigate()
  const path = useRouterState({ select: (state) => state.location.pathname })
  const reload = (): void => {
    void refresh(resource)
    onClose()
  }
  return {
    reload,
    done: (message, to) => {
      const place = beside ?? queue
      const open = beside ? beside.href : path
      const page = to ?? open
      onDecided?.()
      reload()
      if (page === null || (!place?.next && page === open)) notify(message)
      else notifyWithLink(message, () => void navigate({ to: page }))
      if (place?.next) place.go('next')
    },
  }
}
