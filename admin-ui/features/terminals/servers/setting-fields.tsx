import { ActionIcon, Button, Group, Input, PasswordInput, Select, Stack, Textarea, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { DateField } from '../../../components/forms/date-field.tsx'
import { choices } from '../../../lib/text/choices.ts'
import { toDay } from '../../../lib/text/zone.ts'
import { GROUP_TYPES, TRUST, TRUST_HINTS } from './server-words.tsx'
import { makeMask, type SettingValues } from './setting-values.ts'
import { say } from './words.ts'

type Field = (path: string) => Record<string, unknown>
type FieldsProps = {
  values: SettingValues
  field: Field
  isNew: boolean
  onAdd: (mask: SettingValues['groups'][number]) => void
  onRemove: (index: number) => void
}

const TYPES = choices(GROUP_TYPES)

/** The inputs of the settings that a second person confirms. */
export const SettingFields = ({ values, field, isNew, onAdd, onRemove }: FieldsProps) => (
  <>
    <TextInput
      label={say('terminals.form.address')}
      placeholder={say('terminals.form.address_example')}
      autoComplete="off"
      spellCheck={false}
      {...field('address')}
    />
    <Select
      label={say('terminals.form.trust')}
      description={TRUST_HINTS[values.trust]}
      data={choices(TRUST)}
      allowDeselect={false}
      {...field('trust')}
    />
    {values.trust === 'pinned' && (
      <Textarea
        label={say('terminals.form.fingerprint')}
        description={say('terminals.form.fingerprint_hint')}
        autosize
        minRows={2}
        spellCheck={false}
        className="certificate"
        {...field('certificate')}
      />
    )}
    {values.trust === 'authority' && (
      <Textarea
        label={say('terminals.form.authority')}
        autosize
        minRows={4}
        maxRows={10}
        spellCheck={false}
        className="certificate"
        {...field('certificate')}
      />
    )}
    <TextInput label={say('terminals.form.login')} inputMode="numeric" autoComplete="off" {...field('login')} />
    <PasswordInput
      label={say('terminals.form.password')}
      description={say(isNew ? 'terminals.form.password_hint' : 'terminals.form.password_again')}
      autoComplete="new-password"
      {...field('password')}
    />
    <Masks groups={values.groups} field={field} onAdd={onAdd} onRemove={onRemove} />
    <DateField
      label={say('terminals.form.since')}
      description={say('terminals.form.since_hint')}
      max={toDay(new Date())}
      {...field('since')}
    />
  </>
)

type MasksProps = Pick<FieldsProps, 'field' | 'onAdd' | 'onRemove'> & Pick<SettingValues, 'groups'>

/** The masks of the groups that are read, in their order. */
const Masks = ({ groups, field, onAdd, onRemove }: MasksProps) => (
  <Input.Wrapper
    label={say('terminals.form.groups')}
    description={say('terminals.form.groups_hint')}
    labelElement="div"
  >
    <Stack gap="xs" mt={6}>
      {groups.map(({ key }, index) => (
        <Group key={key} gap="xs" wrap="nowrap" align="flex-start">
          <TextInput
            flex={1}
            aria-label={say('terminals.form.mask', { number: index + 1 })}
            placeholder={say('terminals.form.mask_example')}
            spellCheck={false}
            {...field(`groups.${index}.mask`)}
          />
          <Select
            w={110}
            aria-label={say('terminals.form.type', { number: index + 1 })}
            data={TYPES}
            allowDeselect={false}
            {...field(`groups.${index}.type`)}
          />
          <ActionIcon
            size="lg"
            aria-label={say('terminals.form.group_remove', { number: index + 1 })}
            disabled={groups.length === 1}
            onClick={() => onRemove(index)}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </Group>
      ))}
      <Button
        variant="default"
        leftSection={<IconPlus size={14} />}
        onClick={() => onAdd(makeMask())}
        style={{ alignSelf: 'flex-start' }}
      >
        {say('terminals.form.group_add')}
      </Button>
    </Stack>
  </Input.Wrapper>
)
