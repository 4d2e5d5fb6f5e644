import { Select, SimpleGrid, Text, TextInput } from '@mantine/core'
import { FormDrawer } from '../../../components/forms/form-modal.tsx'
import { useDialogForm } from '../../../lib/forms/use-dialog-form.ts'
import { usePlatformOptions } from '../../books/accounts/account-words.ts'
import { required } from '../../firm/auth/form-rules.ts'
import { createServer, type Server } from './servers.api.ts'
import { SettingFields } from './setting-fields.tsx'
import { SETTING_RULES, toSettings, toSince, toValues } from './setting-values.ts'
import { say } from './words.ts'

type NewServerProps = { onClose: () => void; onMade: (made: Server) => void }

const needed = required(say('terminals.form.needed'))

/** Connects a trading server; it reads at once, and a second person confirms it. */
export const NewServer = ({ onClose, onMade }: NewServerProps) => {
  const platforms = usePlatformOptions()
  const { form, field, dialog } = useDialogForm({
    initialValues: { name: '', platform: platforms[0]?.value ?? '', server: '', ...toValues() },
    validate: { ...SETTING_RULES, name: needed, platform: needed, server: needed, password: needed },
    submit: (values) =>
      createServer({
        name: values.name.trim(),
        driver: 'terminal5',
        platform: values.platform,
        server: values.server.trim(),
        password: values.password,
        ...toSettings(values),
        ...toSince(values.since),
      }),
    done: say('terminals.form.made'),
    reads: 'platforms',
    onClose,
    onDone: onMade,
  })
  return (
    <FormDrawer {...dialog} title={say('terminals.list.new')} submitLabel={say('terminals.form.submit')}>
      <Text size="sm" c="dimmed">
        {say('terminals.form.about')}
      </Text>
      <TextInput
        label={say('common.name')}
        placeholder={say('terminals.form.name_example')}
        data-autofocus
        {...field('name')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <Select
          label={say('common.platform')}
          description={say('terminals.form.platform_hint')}
          data={platforms}
          allowDeselect={false}
          {...field('platform')}
        />
        <TextInput
          label={say('terminals.form.server')}
          description={say('terminals.form.server_hint')}
          placeholder={say('terminals.form.server_example')}
          {...field('server')}
        />
      </SimpleGrid>
      <SettingFields
        isNew
        values={form.getValues()}
        field={(path) => ({ ...field(path) })}
        onAdd={(mask) => form.insertListItem('groups', mask)}
        onRemove={(index) => form.removeListItem('groups', index)}
      />
    </FormDrawer>
  )
}
