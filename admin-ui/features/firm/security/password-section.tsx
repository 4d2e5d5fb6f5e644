import { Button, PasswordInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { FormModal } from '../../../components/forms/form-modal.tsx'
import { Section } from '../../../components/page/section.tsx'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { changePassword } from '../auth/auth.api.ts'
import { newPassword, PASSWORD_LENGTH, required } from '../auth/form-rules.ts'
import { say } from './words.ts'

/** Change of one's own password. */
export const PasswordSection = () => {
  const [opened, { open, close }] = useDisclosure()
  return (
    <Section
      title={say('common.password')}
      description={say('security.changing_it_signs_out')}
      actions={
        <Button variant="default" onClick={open}>
          {say('security.change_password')}
        </Button>
      }
    >
      {opened && <ChangePassword onClose={close} />}
    </Section>
  )
}

const ChangePassword = ({ onClose }: { onClose: () => void }) => {
  const client = useQueryClient()
  const state = useApiForm({
    initialValues: { currentPassword: '', newPassword: '' },
    validate: {
      currentPassword: required(say('security.enter_your_current_password')),
      newPassword,
    },
    submit: changePassword,
    onDone: () => {
      notifications.show({
        message: say('security.password_changed_other_devices'),
      })
      void client.invalidateQueries({ queryKey: ['sessions'] })
      onClose()
    },
    // A wrong current password may answer 401 while this session stays good.
    isPublic: true,
  })
  return (
    <FormModal
      state={state}
      title={say('security.change_password')}
      submitLabel={say('security.change_password')}
      opened
      onClose={onClose}
    >
      <PasswordInput
        label={say('security.current_password')}
        autoComplete="current-password"
        data-autofocus
        {...state.form.getInputProps('currentPassword')}
      />
      <PasswordInput
        label={say('security.new_password')}
        description={say('common.at_least_characters', { passwordLength: PASSWORD_LENGTH })}
        autoComplete="new-password"
        {...state.form.getInputProps('newPassword')}
      />
    </FormModal>
  )
}
