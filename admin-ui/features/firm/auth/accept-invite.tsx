import { Anchor, PasswordInput, Text, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { FormBody } from '../../../components/forms/form-modal.tsx'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { useSearchParams } from '../../../lib/lists/search-params.ts'
import { acceptInvite } from './auth.api.ts'
import { AuthCard } from './auth-card.tsx'
import { newPassword, PASSWORD_LENGTH } from './form-rules.ts'
import { LinkProblem } from './link-problem.tsx'
import { say } from './words.ts'

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
  if (!token) return <LinkProblem title={say('auth.invite.title')} />
  if (done) {
    return (
      <AuthCard title={say('auth.invite.done.title')}>
        <Text size="sm" mb="md">
          {say('auth.invite.done.about')}
        </Text>
        <Anchor component={Link} to="/sign-in" size="sm">
          {say('auth.sign_in')}
        </Anchor>
      </AuthCard>
    )
  }
  return (
    <AuthCard title={say('auth.invite.welcome')} intro={say('auth.invite.about')}>
      <FormBody state={state} submitLabel={say('auth.invite.submit')} fullWidth>
        <TextInput
          label={say('auth.name.label')}
          description={say('auth.name.hint')}
          autoComplete="name"
          {...state.form.getInputProps('displayName')}
        />
        <PasswordInput
          label={say('common.password')}
          description={say('common.password.hint', { passwordLength: PASSWORD_LENGTH })}
          autoComplete="new-password"
          {...state.form.getInputProps('password')}
        />
      </FormBody>
    </AuthCard>
  )
}
