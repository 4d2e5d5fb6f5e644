import { notify } from '../api/notify.tsx'
import type { Resource } from '../api/stale-queries.ts'
import { useRefresh } from '../api/use-record.ts'
import { type ApiFormInput, useApiForm } from './use-api-form.ts'

type DialogFormInput<V extends Record<string, unknown>, R> = ApiFormInput<V, R> & {
  /** The message after sending, or what tells it. */
  done: string | ((result: R, sent: V) => void)
  /** The changed resource, which is read again then. */
  reads: Resource
  onClose: () => void
}

/** Makes a form in a dialog that is mounted open: after sending it shows its message, reads again and closes. */
export const useDialogForm = <V extends Record<string, unknown>, R>({
  done,
  reads,
  onClose,
  onDone,
  ...input
}: DialogFormInput<V, R>) => {
  const refresh = useRefresh()
  const reload = (): void => {
    void refresh(reads)
    onClose()
  }
  const state = useApiForm<V, R>({
    ...input,
    onDone: (result, sent) => {
      if (typeof done === 'string') notify(done)
      else done(result, sent)
      reload()
      onDone?.(result, sent)
    },
  })
  return { form: state.form, field: state.form.getInputProps, reload, dialog: { state, opened: true, onClose } }
}
