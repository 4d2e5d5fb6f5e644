import { Radio, Select, Stack, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { say } from '../../../src/words/say.ts'
import { FormModal } from '../../components/form-modal.tsx'
import { useApiForm } from '../../lib/use-api-form.ts'
import { required } from '../auth/rules.ts'
import { fetchReasons } from '../settings/policies.api.ts'
import type { Rejection } from './kyc.api.ts'

type RejectFormProps = {
  title: string
  children?: ReactNode
  submit: (rejection: Rejection) => Promise<unknown>
  onDone: () => void
  onClose: () => void
  onReload?: () => void
}

type Values = { code: string; detail: string; kind: 'retry' | 'final'; note: string }

const KINDS = [
  { value: 'retry', label: 'The client may try again' },
  { value: 'final', label: 'Final: no further try' },
]
const EMPTY: Values = { code: '', detail: '', kind: 'retry', note: '' }

/** A rejection: a reason of the catalogue fills in what the client reads, and can be changed for this one. */
export const RejectForm = ({ title, children, submit, onDone, onClose, onReload }: RejectFormProps) => {
  const catalogue = useQuery({ queryKey: ['kyc-reasons'], queryFn: fetchReasons, staleTime: 60_000 })
  const reasons = catalogue.data?.reasons ?? []
  const state = useApiForm({
    initialValues: EMPTY,
    validate: { detail: required('Say what the client is told') },
    submit: ({ code, detail, kind, note }) =>
      submit({
        ...(code && { code }),
        detail: detail.trim(),
        kind,
        ...(note.trim() && { note: note.trim() }),
      }),
    onDone,
  })
  const choose = (code: string): void => {
    const reason = reasons.find((one) => one.code === code)
    state.form.setValues({ code, ...(reason && { detail: reason.clientText, kind: reason.kind }) })
  }
  const field = state.form.getInputProps
  return (
    <FormModal
      state={state}
      title={title}
      submitLabel="Reject"
      danger
      opened
      onClose={onClose}
      {...(onReload && { onReload })}
    >
      {children}
      {catalogue.data && (
        <Radio.Group label={say('kyc.reject.reason')} value={state.form.getValues().code} onChange={choose}>
          <Stack gap={6} mt={4} className="reasons">
            {reasons.map(({ code, staffText }, index) => (
              <Radio
                key={code}
                value={code}
                label={staffText}
                size="sm"
                {...(index === 0 && { 'data-autofocus': true })}
              />
            ))}
            <Radio value="" label={say('kyc.reject.own')} size="sm" />
          </Stack>
        </Radio.Group>
      )}
      <Textarea
        label="What the client is told"
        description="The client and your webhooks read this"
        autosize
        minRows={2}
        {...field('detail')}
      />
      <Select label="Afterwards" data={KINDS} allowDeselect={false} {...field('kind')} />
      <Textarea label="Internal note" description="For colleagues" autosize minRows={2} {...field('note')} />
    </FormModal>
  )
}
