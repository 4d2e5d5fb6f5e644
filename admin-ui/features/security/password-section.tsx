import { Button, PasswordInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { FormModal } from '../../components/form-modal.tsx'
import { Section } from '../../components/section.tsx'
import { useApiForm } from '../../lib/use-api-form.ts'
import { changePassword } from '../auth/auth.api.ts'
import { newPassword, PASSWORD_LENGTH, required } from '../auth/rules.ts'

/** Change of one's own password. */
export const PasswordSection = () => {
  const [opened, { open, close }] = useDisclosure()
  return (
    <Section
      title="Password"
      description="Changing it signs out every other device."
      actions={
        <Button variant="default" onClick={open}>
          Change password
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
      currentPassword: required('Enter your current password'),
      newPassword,
    },
    submit: changePassword,
    onDone: () => {
      notifications.show({
        message: 'Password changed. Other devices have been signed out.',
      })
      void client.invalidateQueries({ queryKey: ['sessions'] })
      onClose()
    },
    // A wrong current password may answer 401 while this session stays good.
    isPublic: true,
  })
  return (
    <FormModal state={state} title="Change password" submitLabel="Change password" opened onClose={onClose}>
      <PasswordInput
        label="Current password"
        autoComplete="current-password"
        data-autofocus
        {...state.form.getInputProps('currentPassword')}
      />
      <PasswordInput
        label="New password"
        description={`At least ${PASSWORD_LENGTH} characters`}
        autoComplete="new-password"
        {...state.form.getInputProps('newPassword')}
      />
    </FormModal>
  )
}
