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
  if (!token) return <LinkProblem title={say('auth.reset.title')} />
  if (done) {
    return (
      <AuthCard title={say('auth.reset.done.title')}>
        <Text size="sm" mb="md">
          {say('auth.reset.done.about')}
        </Text>
        <Anchor component={Link} to="/sign-in" size="sm">
          {say('auth.reset.done.link')}
        </Anchor>
      </AuthCard>
    )
  }
  return (
    <AuthCard title={say('auth.reset.title')} intro={say('auth.reset.about')}>
      <FormBody state={state} submitLabel={say('auth.password.submit')} fullWidth>
        <PasswordInput
          label={say('auth.password.new_label')}
          description={say('common.password.hint', { passwordLength: PASSWORD_LENGTH })}
          autoComplete="new-password"
          autoFocus
          {...state.form.getInputProps('password')}
        />
      </FormBody>
    </AuthCard>
  )
}
