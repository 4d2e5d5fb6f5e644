import { type FormErrors, type UseFormInput, type UseFormReturnType, useForm } from '@mantine/form'
import { type SubmitEvent, useRef } from 'react'
import { type ApiError, isApiError, isConflict } from './http.ts'
import { isNeeded } from './needed.ts'
import { type Unanswered, useUnanswered } from './unanswered.ts'
import { useSend } from './use-send.ts'
import { say } from './words.ts'

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
  /** What no field could show; null when there is nothing. */
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

// `errors[].path` may be a JSON pointer (/a/0/b) or dotted; Mantine wants a.0.b.
const fieldPath = (path: string): string => path.replace(/^\/?(body\/)?/, '').replaceAll('/', '.')

/** What the API says about a field, fit to be read. */
export const inWords = (message: string): string =>
  SHAPELESS.test(message) ? say('parts.this_not_value_that') : capital(message.replace(NULLABLE, ''))

// The API's rule for a value of several forms has no better words than these.
const SHAPELESS = /^expected union value/i
// A form has empty fields and no null.
const NULLABLE = /, or null$/

const capital = (message: string): string => message.charAt(0).toUpperCase() + message.slice(1)

const isGroup = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a path names a field: what is said of a group of them, say an address, stands at none and is told below. */
const isField = (values: Record<string, unknown>, path: string): boolean => {
  const [first = '', ...rest] = path.split('.')
  if (!(first in values)) return false
  const inside = rest.reduce<unknown>((group, part) => (isGroup(group) ? group[part] : null), values[first])
  return !isGroup(inside)
}

const fieldErrors = (error: unknown, values: Record<string, unknown>): FormErrors => {
  if (!isApiError(error)) return {}
  const entries = (error.problem.errors ?? []).map(({ path, message }) => [fieldPath(path), inWords(message)] as const)
  return Object.fromEntries(entries.filter(([path]) => isField(values, path)))
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
      form.setErrors(fieldErrors(error, form.getValues()))
    },
  })
  // A field that may not be left empty says so itself. Before sign-in every field is to be filled in: none is marked.
  const getInputProps: typeof form.getInputProps = (path, options) => ({
    ...form.getInputProps(path, options),
    ...(!isPublic && isNeeded(validate, form.getValues(), String(path)) && { 'aria-required': true }),
  })
  const shownOnFields = run.isError && Object.keys(fieldErrors(run.error, form.getValues())).length > 0
  const conflict = isConflict(run.error) ? run.error : null
  return {
    form: { ...form, getInputProps },
    onSubmit: form.onSubmit(start),
    pending: run.isPending,
    error: shownOnFields || conflict ? null : run.error,
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
