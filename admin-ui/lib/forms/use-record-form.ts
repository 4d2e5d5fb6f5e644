import { useEffect, useRef, useState } from 'react'
import type { Resource } from '../api/stale-queries.ts'
import { useRefresh } from '../api/use-record.ts'
import { same, withTypedOn } from './merge-values.ts'
import { type ApiForm, type ApiFormInput, useApiForm } from './use-api-form.ts'

type RecordFormInput<T, V extends Record<string, unknown>> = Pick<ApiFormInput<V, T>, 'validate'> & {
  /** The record as it was last read; it may be read again at any moment. */
  live: T
  /** The resource that is read again after a save, and to see a colleague's version. */
  resource: Resource
  toValues: (record: T) => V
  /** Saves over the version `over`, and returns the new one. */
  save: (values: V, over: T) => Promise<T>
  /** Gets the new version, the one that it replaced, and what saves the former values over the new version. */
  onSaved: (saved: T, over: T, undo: () => Promise<T>) => void
}

export type RecordForm<V extends Record<string, unknown>> = ApiForm<V> & {
  /** Drops what was typed and shows the newest version. */
  reload: () => void
}

/**
 * Makes a form that stays on its page while its record is read again behind it. A newer version is shown if nothing was
 * typed; otherwise the text is kept, and saving it reports that a colleague changed the record.
 */
export const useRecordForm = <T extends { version: number }, V extends Record<string, unknown>>({
  live,
  resource,
  toValues,
  validate,
  save,
  onSaved,
}: RecordFormInput<T, V>): RecordForm<V> => {
  const refresh = useRefresh()
  const [record, setRecord] = useState(live)
  const over = useRef(record)
  const told = (saved: T): void => {
    const before = over.current
    onSaved(saved, before, () => save(toValues(before), saved))
  }
  const take = (next: T): void => {
    setRecord(next)
    state.form.setInitialValues(toValues(next))
    state.reset()
  }
  const state = useApiForm({
    initialValues: toValues(record),
    ...(validate && { validate }),
    submit: (values) => {
      over.current = record
      return save(values, record)
    },
    onDone: (saved, sent) => {
      const now = state.form.getValues()
      take(saved)
      if (!same(now, sent)) state.form.setValues(withTypedOn(now, sent, toValues(saved)))
      told(saved)
      void refresh(resource)
    },
  })
  useEffect(() => {
    // A read that began before the last save may arrive after it.
    if (live.version <= record.version) return
    const before = toValues(record)
    // Another form's part of the record changed: nothing that is shown here would be overwritten.
    if (same(toValues(live), before)) setRecord(live)
    else if (same(state.form.getValues(), before)) take(live)
    // The record has what was sent without an answer, so it was saved.
    else if (state.unanswered.some() && same(state.form.getValues(), toValues(live))) {
      state.unanswered.forget()
      take(live)
      told(live)
    }
  })
  return {
    ...state,
    reload: () => {
      state.reset()
      void refresh(resource)
    },
  }
}
