import { Switch, Text } from '@mantine/core'
import { FormDrawer } from '../../../components/forms/form-modal.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { useDialogForm } from '../../../lib/forms/use-dialog-form.ts'
import { type Server, updateServer } from './servers.api.ts'
import { SettingFields } from './setting-fields.tsx'
import { pickChanges, SETTING_RULES, toValues } from './setting-values.ts'
import { say } from './words.ts'

/** Enters other settings of a connection, which wait for a second person. */
export const ChangeSettings = ({ server, onClose }: { server: Server; onClose: () => void }) => {
  const before = toValues(server)
  const { form, field, dialog, reload } = useDialogForm({
    initialValues: before,
    validate: SETTING_RULES,
    submit: async (values) => {
      const changes = pickChanges(before, values)
      const isChanged = Object.keys(changes).length > 0
      if (isChanged) await updateServer(server, changes)
      return isChanged
    },
    done: (isChanged) => notify(say(isChanged ? 'terminals.form.entered' : 'terminals.form.unchanged')),
    reads: 'platforms',
    onClose,
  })
  return (
    <FormDrawer {...dialog} title={server.name} submitLabel={say('terminals.form.enter')} onReload={reload}>
      <Text size="sm" c="dimmed">
        {say(server.confirmedAt === null ? 'terminals.form.about' : 'terminals.form.change_about')}
      </Text>
      <SettingFields
        isNew={false}
        values={form.getValues()}
        field={(path) => ({ ...field(path) })}
        onAdd={(mask) => form.insertListItem('groups', mask)}
        onRemove={(index) => form.removeListItem('groups', index)}
      />
      {!before.money && (
        <Switch
          label={say('terminals.form.money')}
          description={say('terminals.form.money_hint')}
          {...form.getInputProps('money', { type: 'checkbox' })}
        />
      )}
    </FormDrawer>
  )
}
