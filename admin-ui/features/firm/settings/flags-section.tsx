import { ActionIcon, Group, Stack, Switch, Text, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { PageForm } from '../../../components/forms/form-modal.tsx'
import { useUndo } from '../../../components/forms/use-undo.ts'
import { Section } from '../../../components/page/section.tsx'
import { useRecordForm } from '../../../lib/forms/use-record-form.ts'
import { type Tenant, updateFirm } from './settings.api.ts'
import { say } from './words.ts'

const NAME = /^[a-zA-Z][a-zA-Z0-9_.-]{0,63}$/

type Values = { featureFlags: Record<string, boolean> }

/** Picks the flags that are on or off; the others belong to the programs that set them and are left alone. */
const pickSwitches = (flags: Tenant['featureFlags']): Record<string, boolean> =>
  Object.fromEntries(Object.entries(flags).filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean'))

/** Edits switches that the firm's own systems read from the API. */
export const FlagsSection = ({ tenant }: { tenant: Tenant }) => {
  const offerUndo = useUndo('firm')
  const state = useRecordForm({
    live: tenant,
    resource: 'firm',
    toValues: ({ featureFlags }): Values => ({ featureFlags: pickSwitches(featureFlags) }),
    // the server merges by name, so a removed switch is sent as null
    save: ({ featureFlags }, before) => {
      const removed = Object.keys(pickSwitches(before.featureFlags)).map((key) => [key, null] as const)
      return updateFirm({ featureFlags: { ...Object.fromEntries(removed), ...featureFlags } }, before.version)
    },
    onSaved: (_saved, _over, undo) => offerUndo(say('settings.switches.done'), undo),
  })
  const flags = state.form.getValues().featureFlags
  const set = (next: Record<string, boolean>): void => state.form.setFieldValue('featureFlags', next)
  return (
    <Section title={say('settings.switches.title')} description={say('settings.switches.about')}>
      <PageForm state={state} submitLabel={say('settings.switches.submit')}>
        <Flags flags={flags} onChange={set} />
        <NewFlag onAdd={(name) => set({ ...flags, [name]: true })} />
      </PageForm>
    </Section>
  )
}

type FlagsProps = { flags: Record<string, boolean>; onChange: (flags: Record<string, boolean>) => void }

/** Lists the switches; each can be turned on, turned off or removed. */
const Flags = ({ flags, onChange }: FlagsProps) => (
  <Stack gap="xs">
    {Object.keys(flags).length === 0 && (
      <Text size="sm" c="dimmed">
        {say('settings.switches.empty')}
      </Text>
    )}
    {Object.entries(flags).map(([key, on]) => (
      <Group key={key} justify="space-between" wrap="nowrap">
        <Switch
          label={key}
          checked={on}
          onChange={(event) => onChange({ ...flags, [key]: event.currentTarget.checked })}
        />
        <ActionIcon
          aria-label={say('settings.switches.remove', { key })}
          onClick={() => onChange(Object.fromEntries(Object.entries(flags).filter(([other]) => other !== key)))}
        >
          <IconX size={16} />
        </ActionIcon>
      </Group>
    ))}
  </Stack>
)

/** Asks for the name of a new switch, which is on at first. */
const NewFlag = ({ onAdd }: { onAdd: (name: string) => void }) => {
  const [name, setName] = useState('')
  const add = (): void => {
    if (!NAME.test(name)) return
    onAdd(name)
    setName('')
  }
  return (
    <TextInput
      label={say('settings.switches.new')}
      description={say('settings.switches.new_hint')}
      value={name}
      error={name !== '' && !NAME.test(name) ? say('settings.switches.name_format') : null}
      onChange={(event) => setName(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        event.preventDefault()
        add()
      }}
    />
  )
}
