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

/** Changes the reader's password. */
export const PasswordSection = () => {
  const [opened, { open, close }] = useDisclosure()
  return (
    <Section
      title={say('common.password')}
      description={say('security.password.about')}
      actions={
        <Button variant="default" onClick={open}>
          {say('security.password.change')}
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
      currentPassword: required(say('security.password.current_required')),
      newPassword,
    },
    submit: changePassword,
    onDone: () => {
      notifications.show({
        message: say('security.password.done'),
      })
      void client.invalidateQueries({ queryKey: ['sessions'] })
      onClose()
    },
    // A wrong current password may answer 401 although this session is valid.
    isPublic: true,
  })
  return (
    <FormModal
      state={state}
      title={say('security.password.change')}
      submitLabel={say('security.password.change')}
      opened
      onClose={onClose}
    >
      <PasswordInput
        label={say('security.password.current')}
        autoComplete="current-password"
        data-autofocus
        {...state.form.getInputProps('currentPassword')}
      />
      <PasswordInput
        label={say('security.password.new')}
        description={say('common.password.hint', { passwordLength: PASSWORD_LENGTH })}
        autoComplete="new-password"
        {...state.form.getInputProps('newPassword')}
      />
    </FormModal>
  )
}
