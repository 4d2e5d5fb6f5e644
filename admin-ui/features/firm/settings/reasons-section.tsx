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
import { Loaded } from '../../../components/page/loaded.tsx'
import { Section } from '../../../components/page/section.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { useStandingForm } from '../../../lib/forms/use-standing-form.ts'
import { fetchReasons, type Reason, type Reasons, setReasons } from './policies.api.ts'
import { say } from './words.ts'

const KINDS = [
  { value: 'retry', label: say('settings.may_try_again') },
  { value: 'final', label: say('settings.final') },
]
const NEW: Reason = { code: '', staffText: '', clientText: '', kind: 'retry', revokes: false }
const CODE = /^[a-z][a-z0-9_]{1,49}$/

type Values = { reasons: Reason[] }

/** The reasons for which papers are rejected, with what staff and what the client read. */
export const ReasonsSection = () => {
  const reasons = useQuery({ queryKey: ['kyc-reasons'], queryFn: fetchReasons })
  return (
    <Loaded query={reasons}>
      {(data) => (
        <Section title={say('settings.reasons_to_reject_papers')} description={say('settings.staff_choose_one_in')}>
          <ReasonsForm reasons={data} />
        </Section>
      )}
    </Loaded>
  )
}

const ReasonsForm = ({ reasons }: { reasons: Reasons }) => {
  const state = useStandingForm({
    live: reasons,
    resource: 'kyc-reasons',
    toValues: ({ reasons }): Values => ({ reasons: reasons.map((reason) => ({ revokes: false, ...reason })) }),
    validate: {
      reasons: {
        code: (text: string) => (CODE.test(text) ? null : say('settings.small_letters_digits')),
        staffText: (text: string) => (text.trim() ? null : say('settings.say_what_staff_read')),
        clientText: (text: string) => (text.trim() ? null : say('settings.say_what_client_reads')),
      },
    },
    save: (values, { version }) => setReasons(values.reasons, version),
    onSaved: () => notify(say('settings.reasons_saved')),
  })
  const rows = state.form.getValues().reasons
  return (
    <PageForm state={state} submitLabel={say('settings.save_reasons')}>
      {rows.length === 0 && (
        <Alert color="gray" variant="light">
          {say('settings.no_reasons_staff_write')}
        </Alert>
      )}
      {rows.map((row, index) => (
        <ReasonFields
          // biome-ignore lint/suspicious/noArrayIndexKey: a reason has no id; only its place names it while it is typed
          key={index}
          row={row}
          fieldOf={(name, options) => state.form.getInputProps(`reasons.${index}.${name}`, options)}
          onRemove={() => state.form.removeListItem('reasons', index)}
        />
      ))}
      <Button
        variant="default"
        leftSection={<IconPlus size={16} />}
        style={{ alignSelf: 'flex-start' }}
        onClick={() => state.form.insertListItem('reasons', { ...NEW })}
      >
        {say('settings.add_reason')}
      </Button>
    </PageForm>
  )
}

type ReasonFieldsProps = {
  row: Reason
  /** What binds the field of that name to this row. */
  fieldOf: (name: keyof Reason, options?: { type: 'checkbox' }) => GetInputPropsReturnType
  onRemove: () => void
}

/** One reason: its code, what it leads to, and what each side reads. */
const ReasonFields = ({ row, fieldOf, onRemove }: ReasonFieldsProps) => (
  <Paper withBorder p="sm" component="fieldset" className="reason">
    <Text component="legend" size="sm" fw={600} px={4}>
      {row.staffText || row.code || say('settings.new_reason')}
    </Text>
    <Stack gap="xs">
      <Group gap="xs" align="flex-start" wrap="nowrap">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" flex={1}>
          <TextInput label={say('common.code')} {...fieldOf('code')} />
          <Select label={say('settings.afterwards')} data={KINDS} allowDeselect={false} {...fieldOf('kind')} />
        </SimpleGrid>
        <ActionIcon
          mt={26}
          aria-label={say('settings.remove_code', { code: row.code || say('settings.this_reason') })}
          onClick={onRemove}
        >
          <IconTrash size={16} />
        </ActionIcon>
      </Group>
      <TextInput label={say('settings.for_staff')} {...fieldOf('staffText')} />
      <Textarea label={say('settings.for_client')} autosize minRows={1} {...fieldOf('clientText')} />
      {row.kind === 'final' && (
        <Checkbox label={say('settings.takes_back_what_was')} {...fieldOf('revokes', { type: 'checkbox' })} />
      )}
    </Stack>
  </Paper>
)
