import { isConflict } from '../../lib/api/http.ts'
import { notify, notifyFailure, notifyWithUndo } from '../../lib/api/notify.tsx'
import type { Resource } from '../../lib/api/stale-queries.ts'
import { useRefresh } from '../../lib/api/use-record.ts'
import { say } from '../../lib/text/words.ts'
import { errorText } from '../page/error-state.tsx'

type Undo = () => Promise<unknown>
/** The button's label and what is said after it, for an act that is reversed but leaves traces. */
type UndoWords = { label?: string; done?: string }

/**
 * Returns a function that shows what was done, with a button that undoes it. `undo` sends the former values with the
 * version that the action made: if a colleague has changed the record since, nothing is overwritten, and the notice
 * says so. The button also works after its page was left.
 */
export const useUndo = (resource: Resource): ((message: string, undo: Undo, words?: UndoWords) => void) => {
  const refresh = useRefresh()
  const takeBack = async (undo: Undo, done: string): Promise<void> => {
    try {
      await undo()
      notify(done)
    } catch (error) {
      notifyFailure(isConflict(error) ? say('parts.undo_conflict') : errorText(error))
    }
    await refresh(resource)
  }
  return (message, undo, { label, done = say('parts.undo_done') } = {}) =>
    notifyWithUndo(message, () => void takeBack(undo, done), label)
}
