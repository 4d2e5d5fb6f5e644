import { Anchor, PasswordInput, Text, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { FormBody } from '../../components/form-modal.tsx'
import { useSearchParams } from '../../lib/search-params.ts'
import { useApiForm } from '../../lib/use-api-form.ts'
import { acceptInvite } from './auth.api.ts'
import { AuthCard } from './auth-card.tsx'
import { LinkProblem } from './link-problem.tsx'
import { newPassword, PASSWORD_LENGTH } from './rules.ts'

/** A new colleague sets a password with the token of the mailed invitation. */
export const AcceptInvite = () => {
  const [{ token }] = useSearchParams()
  const [done, setDone] = useState(false)
  const state = useApiForm({
    initialValues: { displayName: '', password: '' },
    validate: { password: newPassword },
    submit: ({ displayName, password }) => {
      const name = displayName.trim()
      return acceptInvite({
        token: token ?? '',
        password,
        ...(name && { displayName: name }),
      })
    },
    onDone: () => setDone(true),
    isPublic: true,
  })
  if (!token) return <LinkProblem title="Accept the invitation" />
  if (done) {
    return (
      <AuthCard title="Your account is ready">
        <Text size="sm" mb="md">
          Sign in with your e-mail address and the password that you have just set.
        </Text>
        <Anchor component={Link} to="/sign-in" size="sm">
          Sign in
        </Anchor>
      </AuthCard>
    )
  }
  return (
    <AuthCard title="Welcome" intro="Set a password to finish your account.">
      <FormBody state={state} submitLabel="Create account" fullWidth>
        <TextInput
          label="Your name"
          description="Leave empty to keep the name in the invitation"
          autoComplete="name"
          {...state.form.getInputProps('displayName')}
        />
        <PasswordInput
          label="Password"
          description={`At least ${PASSWORD_LENGTH} characters`}
          autoComplete="new-password"
          {...state.form.getInputProps('password')}
        />
      </FormBody>
    </AuthCard>
  )
}
