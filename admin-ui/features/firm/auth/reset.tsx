import { Anchor, PasswordInput, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { FormBody } from '../../../components/forms/form-modal.tsx'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { useSearchParams } from '../../../lib/lists/search-params.ts'
import { resetPassword } from './auth.api.ts'
import { AuthCard } from './auth-card.tsx'
import { newPassword, PASSWORD_LENGTH } from './form-rules.ts'
import { LinkProblem } from './link-problem.tsx'
import { say } from './words.ts'

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
  if (!token) return <LinkProblem title={say('auth.set_new_password')} />
  if (done) {
    return (
      <AuthCard title={say('auth.password_changed')}>
        <Text size="sm" mb="md">
          {say('auth.every_device_has_been')}
        </Text>
        <Anchor component={Link} to="/sign-in" size="sm">
          {say('auth.sign_in_with_new')}
        </Anchor>
      </AuthCard>
    )
  }
  return (
    <AuthCard title={say('auth.set_new_password')} intro={say('auth.this_signs_out_every')}>
      <FormBody state={state} submitLabel={say('auth.set_password')} fullWidth>
        <PasswordInput
          label={say('auth.new_password')}
          description={say('common.at_least_characters', { passwordLength: PASSWORD_LENGTH })}
          autoComplete="new-password"
          autoFocus
          {...state.form.getInputProps('password')}
        />
      </FormBody>
    </AuthCard>
  )
}
