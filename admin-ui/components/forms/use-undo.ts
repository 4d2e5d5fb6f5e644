import { isConflict } from '../../lib/api/http.ts'
import { notify, notifyFailure, notifyWithUndo } from '../../lib/api/notify.tsx'
import type { Resource } from '../../lib/api/stale-queries.ts'
import { useRefresh } from '../../lib/api/use-record.ts'
import { changesText, type NameValue } from '../../lib/text/changes.ts'
import { isSentenceKey, say } from '../../lib/text/words.ts'
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

type Change = {
  /** The values that the reader may have changed, as they were and as they are. */
  before: object
  after: object
  /** Saves the former values over the version that the change made; null if the reader may not. */
  undo: Undo | null
  /** Says what was done: “Client saved.” The changed values follow. */
  done: string
  /** A sentence about what the change sets off. */
  also?: string | undefined
  nameValue?: NameValue
  /** Names the fields that have no name of their own; a field without any is not named. */
  labels?: Readonly<Record<string, string>>
  words?: UndoWords
}

/** Leaves out the fields that have no name for people. */
const pickNamed = (values: object, labels: Readonly<Record<string, string>>): object =>
  Object.fromEntries(Object.entries(values).filter(([key]) => labels[key] ?? isSentenceKey(`field.${key}`)))

/** Returns a function that says what was changed, “Client saved. Risk: Low → High”, and offers to undo it. */
export const useToldChange = (resource: Resource): ((change: Change) => void) => {
  const offerUndo = useUndo(resource)
  return ({ before, after, undo, done, also, nameValue, labels = {}, words }) => {
    const [was, is] = [pickNamed(before, labels), pickNamed(after, labels)]
    const changes = changesText(done, { before: was, after: is, labels, ...(nameValue && { nameValue }) })
    const text = also ? say('parts.change_also', { changes, also }) : changes
    // What was saved without a difference has nothing to undo.
    if (undo && JSON.stringify(before) !== JSON.stringify(after)) offerUndo(text, undo, words)
    else notify(text)
  }
}
