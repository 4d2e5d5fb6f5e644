import { isConflict } from '../../lib/api/http.ts'
import { notify, notifyFailure, notifyWithUndo } from '../../lib/api/notify.tsx'
import type { Resource } from '../../lib/api/stale-queries.ts'
import { useRefresh } from '../../lib/api/use-record.ts'
import { say } from '../../lib/text/words.ts'
import { errorText } from '../page/error-state.tsx'

/**
 * Returns a function that shows what was done, with a button that undoes it. `undo` sends the former values with the
 * version that the action made: if a colleague has changed the record since, nothing is overwritten, and the notice
 * says so. The button also works after its page was left.
 */
export const useUndo = (resource: Resource): ((message: string, undo: () => Promise<unknown>) => void) => {
  const refresh = useRefresh()
  const takeBack = async (undo: () => Promise<unknown>): Promise<void> => {
    try {
      await undo()
      notify(say('parts.undo_done'))
    } catch (error) {
      notifyFailure(isConflict(error) ? say('parts.undo_conflict') : errorText(error))
    }
    await refresh(resource)
  }
  return (message, undo) => notifyWithUndo(message, () => void takeBack(undo))
}
