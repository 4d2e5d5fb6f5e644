import { Anchor, PasswordInput, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { FormBody } from '../../components/form-modal.tsx'
import { useSearchParams } from '../../lib/search-params.ts'
import { useApiForm } from '../../lib/use-api-form.ts'
import { resetPassword } from './auth.api.ts'
import { AuthCard } from './auth-card.tsx'
import { LinkProblem } from './link-problem.tsx'
import { newPassword, PASSWORD_LENGTH } from './rules.ts'

/** Sets a new password with the token of a mailed link. */
export const Reset = () => {
  const [{ token }] = useSearchParams()
  const [done, setDone] = useState(false)
  const state = useApiForm({
    initialValues: { password: '' },
    validate: { password: newPassword },
    submit: ({ password }) => resetPassword({ token: token ?? '', password }),
    onDone: () => setDone(true),
    isPublic: true,
  })
  if (!token) return <LinkProblem title="Set a new password" />
  if (done) {
    return (
      <AuthCard title="Password changed">
        <Text size="sm" mb="md">
          Every device has been signed out.
        </Text>
        <Anchor component={Link} to="/sign-in" size="sm">
          Sign in with the new password
        </Anchor>
      </AuthCard>
    )
  }
  return (
    <AuthCard title="Set a new password" intro="This signs out every device.">
      <FormBody state={state} submitLabel="Set password" fullWidth>
        <PasswordInput
          label="New password"
          description={`At least ${PASSWORD_LENGTH} characters`}
          autoComplete="new-password"
          autoFocus
          {...state.form.getInputProps('password')}
        />
      </FormBody>
    </AuthCard>
  )
}
