import { Checkbox, Group, Radio, Select, Stack, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { FormDrawer } from '../../../components/forms/form-modal.tsx'
import { NoteField } from '../../../components/forms/note-field.tsx'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { required } from '../../firm/auth/form-rules.ts'
import { fetchReasons } from '../../firm/settings/policies.api.ts'
import type { Rejection } from './kyc.api.ts'
import { say } from './words.ts'

type RejectFormProps = {
  title: string
  children?: ReactNode
  /** These are the names of the documents, if the wrong ones of several can be named. */
  papers?: readonly string[]
  submit: (rejection: Rejection) => Promise<unknown>
  onDone: () => void
  onClose: () => void
  onReload?: () => void
}

/** `code` is empty for a text of the reader's own, and null until a reason is chosen. */
type Values = { code: string | null; papers: string[]; detail: string; kind: 'retry' | 'final'; note: string }

const KINDS = [
  { value: 'retry', label: say('kyc.reject.kind.retry') },
  { value: 'final', label: say('kyc.reject.kind.final') },
]
const EMPTY: Values = { code: null, papers: [], detail: '', kind: 'retry', note: '' }

/** Builds the text for the client: the wrong documents, if they are named, and what is wrong with them. */
const buildClientText = ({ papers, detail }: Values, all: readonly string[]): string => {
  const named = all.filter((name) => papers.includes(name))
  return named.length > 0 ? `${named.join(', ')}: ${detail.trim()}` : detail.trim()
}

const useRejectForm = ({ papers = [], submit, onDone }: RejectFormProps) =>
  useApiForm({
    initialValues: EMPTY,
    validate: { detail: required(say('kyc.reject.detail_required')) },
    submit: (values) =>
      submit({
        ...(values.code && { code: values.code }),
        detail: buildClientText(values, papers),
        kind: values.kind,
        ...(values.note.trim() && { note: values.note.trim() }),
      }),
    onDone,
  })

/** Asks for a rejection: a reason of the catalogue fills in the text for the client, which can be changed. */
export const RejectForm = (props: RejectFormProps) => {
  const { title, children, papers = [], onClose, onReload } = props
  const state = useRejectForm(props)
  const catalogue = useQuery({ queryKey: ['kyc-reasons'], queryFn: fetchReasons, staleTime: 60_000 })
  const field = state.form.getInputProps
  const values = state.form.getValues()
  // The first reason gets the focus when the form opens, so the form waits for the reasons.
  if (catalogue.isPending) return null
  return (
    <FormDrawer
      state={state}
      title={title}
      submitLabel={say('common.reject')}
      danger
      opened
      onClose={onClose}
      {...(onReload && { onReload })}
    >
      {children}
      <Reasons
        reasons={catalogue.data?.reasons ?? []}
        value={values.code}
        onChoose={(code, reason) =>
          state.form.setValues({ code, ...(reason && { detail: reason.clientText, kind: reason.kind }) })
        }
      />
      {papers.length > 1 && <WrongPapers names={papers} {...field('papers')} />}
      <Textarea
        label={say('kyc.detail.label')}
        description={say('kyc.reject.detail_hint')}
        autosize
        minRows={2}
        {...field('detail')}
      />
      {values.papers.length > 0 && values.detail.trim() !== '' && (
        <Text size="sm" c="dimmed" aria-live="polite">
          {say('kyc.reject.reads', { text: buildClientText(values, papers) })}
        </Text>
      )}
      <Select label={say('kyc.reject.kind')} data={KINDS} allowDeselect={false} {...field('kind')} />
      <NoteField label={say('common.internal_note')} {...field('note')} />
    </FormDrawer>
  )
}

type WrongPapersProps = { names: readonly string[]; value?: string[]; onChange?: (value: string[]) => void }

/** Asks which of several documents are wrong. */
const WrongPapers = ({ names, ...field }: WrongPapersProps) => (
  <Checkbox.Group label={say('kyc.reject.papers')} description={say('kyc.reject.papers_about')} {...field}>
    <Group gap="md" mt={4}>
      {names.map((name) => (
        <Checkbox key={name} value={name} label={name} size="sm" />
      ))}
    </Group>
  </Checkbox.Group>
)

type Reason = Awaited<ReturnType<typeof fetchReasons>>['reasons'][number]
type ReasonsProps = {
  reasons: readonly Reason[]
  value: string | null
  onChoose: (code: string, reason: Reason | undefined) => void
}

/** The code of the reason for revoking an approval, which does not fit a first rejection. */
const REVOKED = 'revoked'

/** Offers the firm's reasons, or a text for this case. */
const Reasons = ({ reasons, value, onChoose }: ReasonsProps) => {
  const choose = (code: string): void =>
    onChoose(
      code,
      reasons.find((one) => one.code === code),
    )
  return (
    <Radio.Group label={say('kyc.reject.reason')} value={value} onChange={choose}>
      <Stack gap={6} mt={4} className="reasons">
        {reasons
          .filter(({ code }) => code !== REVOKED)
          .map(({ code, staffText }, index) => (
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
  )
}
