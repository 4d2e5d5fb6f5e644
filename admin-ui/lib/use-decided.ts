import { notify } from './notify.ts'
import { useRefresh } from './use-record.ts'

type Decided = {
  /** Closes the dialog and reads again what the decision is about. */
  reload: () => void
  /** The same, and says what was done. */
  done: (message: string) => void
}

/** What follows a decision in a dialog, or its refusal because a colleague was first. */
export const useDecided = (resources: readonly string[], onClose: () => void): Decided => {
  const refresh = useRefresh()
  const reload = (): void => {
    void refresh(...resources)
    onClose()
  }
  return {
    reload,
    done: (message) => {
      notify(message)
      reload()
    },
  }
}
