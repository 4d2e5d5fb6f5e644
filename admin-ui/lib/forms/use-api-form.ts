import { type FormErrors, type UseFormInput, type UseFormReturnType, useForm } from '@mantine/form'
import { type SubmitEvent, useRef, useState } from 'react'
import { ApiError, isApiError, isConflict } from '../api/http.ts'
import { type Unanswered, useUnanswered } from '../api/pending-acts.ts'
import { useSend } from '../api/use-send.ts'
import { say } from '../text/words.ts'
import { isNeeded } from './required-fields.ts'

/** The initial values, rules and request of a form. */
export type ApiFormInput<V extends Record<string, unknown>, R> = {
  initialValues: V
  validate?: NonNullable<UseFormInput<V>['validate']>
  submit: (values: V) => Promise<R>
  /** Also receives what was sent: a form that stays open may contain more by now. */
  onDone?: (result: R, sent: V) => void
  /** The subject of a form that returns with its draft, by which its unanswered change is found again. */
  about?: string
  /** Set for calls before sign-in: their 401 is an answer, not a lost session. */
  isPublic?: boolean
}

export type ApiForm<V extends Record<string, unknown>> = {
  form: UseFormReturnType<V>
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void
  pending: boolean
  /** The error that no field could show, or null. Its `errors` are those that belong to no input. */
  error: unknown
  /** The record changed since it was read: it has a newer version, or a state that does not allow the action. */
  conflict: ApiError | null
  reset: () => void
  /** Returns whether the form has typed text that was not sent. */
  isDirty: () => boolean
  /** The changes of the form without an answer. */
  unanswered: Unanswered
  /** Returns whether the form is being sent now; `pending` is what was drawn last. */
  isSending: () => boolean
  /** Set if the form sends many rows one after another, and stops when its page is left. */
  stopsOnLeave?: boolean
}

/** Returns a path in Mantine's form, a.0.b: `errors[].path` may be a JSON pointer (/a/0/b) or dotted. */
export const fieldPath = (path: string): string => path.replace(/^\/?(body\/)?/, '').replaceAll('/', '.')

/** Returns the API's message about a field in readable form. */
export const formatMessage = (message: string): string =>
  SHAPELESS.test(message) ? say('parts.form.unknown_fault') : capital(message.replace(NULLABLE, ''))

// This message about a value that may have several types tells people nothing.
const SHAPELESS = /^expected union value/i
// People know empty fields and not null.
const NULLABLE = /, or null$/

const capital = (message: string): string => message.charAt(0).toUpperCase() + message.slice(1)

/** Returns the input that shows the error of a path: its own one, or that of the list or group around it. */
const findInput = (inputs: ReadonlySet<string>, path: string): string | null => {
  if (inputs.has(path)) return path
  const end = path.lastIndexOf('.')
  return end === -1 ? null : findInput(inputs, path.slice(0, end))
}

/** Divides a refusal into errors that inputs of the form can show, and the rest for the notice below. */
const splitRefusal = (error: unknown, inputs: ReadonlySet<string>): { shown: FormErrors; left: unknown } => {
  if (!isApiError(error)) return { shown: {}, left: error }
  const { problem, retryAfter, unanswered } = error
  const shown: FormErrors = {}
  const errors = (problem.errors ?? []).filter(({ path, message }) => {
    const input = findInput(inputs, fieldPath(path))
    if (input !== null) shown[input] = formatMessage(message)
    return input === null
  })
  if (Object.keys(shown).length === 0) return { shown, left: error }
  return { shown, left: errors.length === 0 ? null : new ApiError({ ...problem, errors }, retryAfter, unanswered) }
}

/** Makes a Mantine form that sends itself, and shows the API's field errors on the fields that they name. */
export const useApiForm = <V extends Record<string, unknown>, R>({
  initialValues,
  validate,
  submit,
  onDone,
  about,
  isPublic = false,
}: ApiFormInput<V, R>): ApiForm<V> => {
  const form = useForm<V>({ initialValues, ...(validate && { validate }) })
  // A sent form may be left without a question. The ref is set at once, since the form may be closed before it is drawn
  // again.
  const sent = useRef(false)
  // The drawn inputs: each registers itself whenever the form is drawn.
  const inputs = useRef(new Set<string>())
  inputs.current = new Set()
  const [left, setLeft] = useState<unknown>(null)
  const unanswered = useUnanswered(about)
  const { run, start, isSending } = useSend(submit, {
    meta: { public: isPublic },
    onMutate: () => {
      sent.current = false
    },
    onSuccess: (result, values) => {
      sent.current = true
      onDone?.(result, values)
    },
    onError: (error: unknown) => {
      unanswered.note(error)
      const told = splitRefusal(error, inputs.current)
      form.setErrors(told.shown)
      setLeft(told.left)
    },
  })
  // A required field is marked. Before sign-in every field is required, so none is marked.
  const getInputProps: typeof form.getInputProps = (path, options) => {
    inputs.current.add(String(path))
    const isMarked = !isPublic && isNeeded(validate, form.getValues(), String(path))
    return { ...form.getInputProps(path, options), ...(isMarked && { 'aria-required': true }) }
  }
  const conflict = isConflict(run.error) ? run.error : null
  return {
    form: { ...form, getInputProps },
    onSubmit: form.onSubmit(start),
    pending: run.isPending,
    error: conflict || !run.isError ? null : left,
    conflict,
    isDirty: () => !sent.current && form.isDirty(),
    unanswered,
    isSending,
    reset: () => {
      sent.current = false
      form.reset()
      run.reset()
    },
  }
}
