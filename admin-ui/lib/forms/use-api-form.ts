import { type FormErrors, type UseFormInput, type UseFormReturnType, useForm } from '@mantine/form'
import { type SubmitEvent, useRef, useState } from 'react'
import { ApiError, isApiError, isConflict } from '../api/http.ts'
import { type Unanswered, useUnanswered } from '../api/pending-acts.ts'
import { useSend } from '../api/use-send.ts'
import { say } from '../text/words.ts'
import { isNeeded } from './required-fields.ts'

/** What a form starts with, checks, and sends. */
export type ApiFormInput<V extends Record<string, unknown>, R> = {
  initialValues: V
  validate?: NonNullable<UseFormInput<V>['validate']>
  submit: (values: V) => Promise<R>
  /** Also told what was sent: a form that stays may hold more by now. */
  onDone?: (result: R, sent: V) => void
  /** Names a form that comes back with its draft: what it sent without an answer is then still known. */
  about?: string
  /** Set for calls made before anybody is signed in: their 401 is an answer, not a lost session. */
  isPublic?: boolean
}

export type ApiForm<V extends Record<string, unknown>> = {
  form: UseFormReturnType<V>
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void
  pending: boolean
  /** What no field could show; null when there is nothing. Its `errors` are those that belong to no input. */
  error: unknown
  /** The record changed since it was read: a newer version, or a state that no longer allows this. */
  conflict: ApiError | null
  reset: () => void
  /** Whether something was typed that has not been sent. */
  isDirty: () => boolean
  /** What it sent and was never answered. */
  unanswered: Unanswered
  /** Whether it is on its way at this very moment; `pending` is what was drawn last. */
  isSending: () => boolean
}

/** A path as Mantine wants it, a.0.b: `errors[].path` may be a JSON pointer (/a/0/b) or dotted. */
export const fieldPath = (path: string): string => path.replace(/^\/?(body\/)?/, '').replaceAll('/', '.')

/** What the API says about a field, fit to be read. */
export const inWords = (message: string): string =>
  SHAPELESS.test(message) ? say('parts.form.unknown_fault') : capital(message.replace(NULLABLE, ''))

// The API's rule for a value of several forms has no better words than these.
const SHAPELESS = /^expected union value/i
// A form has empty fields and no null.
const NULLABLE = /, or null$/

const capital = (message: string): string => message.charAt(0).toUpperCase() + message.slice(1)

/** The input that shows what is said of a path: its own one, or that of the list or group which it is inside of. */
const inputOf = (inputs: ReadonlySet<string>, path: string): string | null => {
  if (inputs.has(path)) return path
  const end = path.lastIndexOf('.')
  return end === -1 ? null : inputOf(inputs, path.slice(0, end))
}

/** What a refusal says, parted into what inputs of the form can show and what is left to be told below. */
const parted = (error: unknown, inputs: ReadonlySet<string>): { shown: FormErrors; left: unknown } => {
  if (!isApiError(error)) return { shown: {}, left: error }
  const { problem, retryAfter, unanswered } = error
  const shown: FormErrors = {}
  const errors = (problem.errors ?? []).filter(({ path, message }) => {
    const input = inputOf(inputs, fieldPath(path))
    if (input !== null) shown[input] = inWords(message)
    return input === null
  })
  if (Object.keys(shown).length === 0) return { shown, left: error }
  return { shown, left: errors.length === 0 ? null : new ApiError({ ...problem, errors }, retryAfter, unanswered) }
}

/** A Mantine form that sends itself, and shows the API's field errors on the fields they name. */
export const useApiForm = <V extends Record<string, unknown>, R>({
  initialValues,
  validate,
  submit,
  onDone,
  about,
  isPublic = false,
}: ApiFormInput<V, R>): ApiForm<V> => {
  const form = useForm<V>({ initialValues, ...(validate && { validate }) })
  // What was sent is no longer lost by leaving; known at once,
  // since whoever closes the form does so before it is drawn again.
  const sent = useRef(false)
  // The inputs that are drawn: each asks for what it needs whenever the form is drawn.
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
      const told = parted(error, inputs.current)
      form.setErrors(told.shown)
      setLeft(told.left)
    },
  })
  // A field that may not be left empty says so itself. Before sign-in every field is to be filled in: none is marked.
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
