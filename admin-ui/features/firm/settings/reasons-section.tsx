import {
  ActionIcon,
  Alert,
  Button,
  Checkbox,
  Group,
  Paper,
  Select,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { PageForm } from '../../../components/forms/form-modal.tsx'
import { useUndo } from '../../../components/forms/use-undo.ts'
import { Loaded } from '../../../components/page/loaded.tsx'
import { Section } from '../../../components/page/section.tsx'
import { useRecordForm } from '../../../lib/forms/use-record-form.ts'
import { fetchReasons, type Reason, type Reasons, setReasons } from './policies.api.ts'
import { say } from './words.ts'

const KINDS = [
  { value: 'retry', label: say('settings.reasons.kind.retry') },
  { value: 'final', label: say('settings.reasons.kind.final') },
]
const NEW: Reason = { code: '', staffText: '', clientText: '', kind: 'retry', revokes: false }
const CODE = /^[a-z][a-z0-9_]{1,49}$/

type Values = { reasons: Reason[] }

/** Edits the reasons for which documents are rejected, with what staff and what the client read. */
export const ReasonsSection = () => {
  const reasons = useQuery({ queryKey: ['kyc-reasons'], queryFn: fetchReasons })
  return (
    <Loaded query={reasons}>
      {(data) => (
        <Section title={say('settings.reasons.title')} description={say('settings.reasons.about')}>
          <ReasonsForm reasons={data} />
        </Section>
      )}
    </Loaded>
  )
}

const ReasonsForm = ({ reasons }: { reasons: Reasons }) => {
  const offerUndo = useUndo('kyc-reasons')
  const state = useRecordForm({
    live: reasons,
    resource: 'kyc-reasons',
    toValues: ({ reasons }): Values => ({ reasons: reasons.map((reason) => ({ revokes: false, ...reason })) }),
    validate: {
      reasons: {
        code: (text: string) => (CODE.test(text) ? null : say('settings.reasons.code_format')),
        staffText: (text: string) => (text.trim() ? null : say('settings.reasons.staff_required')),
        clientText: (text: string) => (text.trim() ? null : say('settings.reasons.client_required')),
      },
    },
    save: (values, { version }) => setReasons(values.reasons, version),
    onSaved: (_saved, _over, undo) => offerUndo(say('settings.reasons.done'), undo),
  })
  const rows = state.form.getValues().reasons
  return (
    <PageForm state={state} submitLabel={say('settings.reasons.submit')}>
      {rows.length === 0 && (
        <Alert color="gray" variant="light">
          {say('settings.reasons.empty')}
        </Alert>
      )}
      {rows.map((row, index) => (
        <ReasonFields
          // biome-ignore lint/suspicious/noArrayIndexKey: a reason has no id; only its place names it while it is typed
          key={index}
          row={row}
          bindField={(name, options) => state.form.getInputProps(`reasons.${index}.${name}`, options)}
          onRemove={() => state.form.removeListItem('reasons', index)}
        />
      ))}
      <Button
        variant="default"
        leftSection={<IconPlus size={16} />}
        style={{ alignSelf: 'flex-start' }}
        onClick={() => state.form.insertListItem('reasons', { ...NEW })}
      >
        {say('settings.reasons.add')}
      </Button>
    </PageForm>
  )
}

type ReasonFieldsProps = {
  row: Reason
  /** Binds the field of that name to this row. */
  bindField: (name: keyof Reason, options?: { type: 'checkbox' }) => GetInputPropsReturnType
  onRemove: () => void
}

/** Edits one reason: its code, what it leads to, and what staff and the client read. */
const ReasonFields = ({ row, bindField, onRemove }: ReasonFieldsProps) => (
  <Paper withBorder p="sm" component="fieldset" className="reason">
    <Text component="legend" size="sm" fw={600} px={4}>
      {row.staffText || row.code || say('settings.reasons.untitled')}
    </Text>
    <Stack gap="xs">
      <Group gap="xs" align="flex-start" wrap="nowrap">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" flex={1}>
          <TextInput label={say('common.code')} {...bindField('code')} />
          <Select label={say('settings.reasons.kind')} data={KINDS} allowDeselect={false} {...bindField('kind')} />
        </SimpleGrid>
        <ActionIcon
          mt={26}
          aria-label={say('settings.reasons.remove', { code: row.code || say('settings.reasons.nameless') })}
          onClick={onRemove}
        >
          <IconTrash size={16} />
        </ActionIcon>
      </Group>
      <TextInput label={say('settings.reasons.staff_text')} {...bindField('staffText')} />
      <Textarea label={say('settings.reasons.client_text')} autosize minRows={1} {...bindField('clientText')} />
      {row.kind === 'final' && (
        <Checkbox label={say('settings.reasons.revokes')} {...bindField('revokes', { type: 'checkbox' })} />
      )}
    </Stack>
  </Paper>
)
