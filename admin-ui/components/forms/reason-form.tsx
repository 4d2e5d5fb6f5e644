import { Textarea } from '@mantine/core'
import type { ReactNode } from 'react'
import { required } from '../../features/firm/auth/form-rules.ts'
import { useApiForm } from '../../lib/forms/use-api-form.ts'
import { say } from '../../lib/text/words.ts'
import { FormModal } from './form-modal.tsx'

type ReasonFormProps = {
  title: string
  submitLabel: string
  /** The name of the text: "Reason", "Note". */
  label?: string
  description?: string
  /** The error of an empty text; without it the text is optional. */
  missing?: string
  danger?: boolean
  children?: ReactNode
  submit: (text: string) => Promise<unknown>
  onDone: () => void
  onClose: () => void
  onReload?: () => void
}

/** A form for a decision with one text: a reason, or a note. */
export const ReasonForm = ({
  label = say('common.reason'),
  missing,
  description,
  children,
  submit,
  onDone,
  ...form
}: ReasonFormProps) => {
  const state = useApiForm({
    initialValues: { text: '' },
    ...(missing && { validate: { text: required(missing) } }),
    submit: ({ text }) => submit(text.trim()),
    onDone,
  })
  return (
    <FormModal state={state} opened {...form}>
      {children}
      <Textarea
        label={label}
        description={description}
        autosize
        minRows={2}
        maxRows={10}
        data-autofocus
        {...state.form.getInputProps('text')}
      />
    </FormModal>
  )
}
