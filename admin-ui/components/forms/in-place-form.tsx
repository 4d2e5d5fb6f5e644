import { ActionIcon, Tooltip } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { sendByKey } from '../../lib/forms/send-by-key.ts'
import type { RecordForm } from '../../lib/forms/use-record-form.ts'
import { takeEsc } from '../../lib/screen/escape-key.ts'
import { useLatest } from '../../lib/screen/use-latest.ts'
import { say } from '../../lib/text/words.ts'
import { useFormGuard } from './discard-guard.tsx'
import { FormNotice } from './form-modal.tsx'

type InPlaceFormProps<V extends Record<string, unknown>> = {
  state: RecordForm<V>
  /** The name of the value, for screen readers: its label is shown beside the form already. */
  label: string
  /** `choice` is saved as soon as it is chosen; leaving a `long` text or `several` fields with labels asks first. */
  kind?: 'text' | 'long' | 'choice' | 'several'
  /** The table that merges a colleague's changes. */
  merge?: ReactNode
  onClose: () => void
  children: ReactNode
}

type Leaving<V extends Record<string, unknown>> = Required<Pick<InPlaceFormProps<V>, 'state' | 'kind' | 'onClose'>>

/** Returns the function that leaves the form, for its button and Esc, and the question that it may ask. */
const useLeaving = <V extends Record<string, unknown>>({ state, kind, onClose }: Leaving<V>) => {
  const { close, question } = useFormGuard(state, onClose)
  // Losing one typed line needs no question; losing more, or a change that may have been saved already, does.
  const leave = useLatest((): void => {
    if (kind === 'several' || kind === 'long' || state.unanswered.some() || state.isSending()) close()
    else onClose()
  })
  return { leave, question }
}

/**
 * Changes one value of a record in its place on the page, with the same field as in the record's whole form. Enter
 * saves, Esc leaves it as it was; leaving the page with something typed asks first.
 */
export const InPlaceForm = <V extends Record<string, unknown>>({
  state,
  label,
  kind = 'text',
  merge,
  onClose,
  children,
}: InPlaceFormProps<V>) => {
  const form = useRef<HTMLFormElement>(null)
  const { leave, question } = useLeaving({ state, kind, onClose })
  useEffect(() => {
    const input = form.current?.querySelector<HTMLInputElement>('input:not([type="hidden"]), textarea')
    input?.focus()
    // A choice opens its list at once, and the first typed letter replaces the text.
    if (input?.getAttribute('role') === 'combobox') input.click()
    input?.select()
    return form.current ? takeEsc(form.current, leave) : undefined
  }, [leave])
  const values = JSON.stringify(state.form.getValues())
  const isChosen = useLatest(() => kind === 'choice' && state.isDirty())
  useEffect(() => {
    if (values && isChosen()) form.current?.requestSubmit()
  }, [values, isChosen])
  return (
    <form
      ref={form}
      className="in-place"
      data-kind={kind}
      aria-label={say('parts.facts.change', { label })}
      onSubmit={state.onSubmit}
      onKeyDown={sendByKey}
      noValidate
    >
      <div className="in-place-row">
        <div className="in-place-fields">{children}</div>
        <Buttons label={label} pending={state.pending} onLeave={leave} />
      </div>
      <FormNotice error={state.error} conflict={state.conflict} onReload={state.reload} merge={merge} />
      {question}
    </form>
  )
}

const Buttons = ({ label, pending, onLeave }: { label: string; pending: boolean; onLeave: () => void }) => (
  <>
    <Tooltip label={say('parts.facts.save', { label })}>
      <ActionIcon
        type="submit"
        variant="filled"
        color="accent"
        loading={pending}
        aria-label={say('parts.facts.save', { label })}
      >
        <IconCheck size={16} />
      </ActionIcon>
    </Tooltip>
    <Tooltip label={say('parts.facts.leave')}>
      <ActionIcon variant="default" disabled={pending} aria-label={say('parts.cancel')} onClick={onLeave}>
        <IconX size={16} />
      </ActionIcon>
    </Tooltip>
  </>
)
