import { Anchor, Text, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { FormBody } from '../../../components/forms/form-modal.tsx'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { requestReset } from './auth.api.ts'
import { AuthCard } from './auth-card.tsx'
import { isEmail } from './form-rules.ts'
import { say, tell } from './words.ts'

/** Asks for a reset link. The answer is the same whether or not the address is known. */
export const Forgot = () => {
  const [sentTo, setSentTo] = useState<string | null>(null)
  const state = useApiForm({
    initialValues: { email: '' },
    validate: { email: isEmail },
    submit: requestReset,
    onDone: () => setSentTo(state.form.getValues().email),
    isPublic: true,
  })
  const foot = (
    <Anchor component={Link} to="/sign-in" size="sm">
      {say('auth.forgot.back')}
    </Anchor>
  )
  if (sentTo) {
    return (
      <AuthCard title={say('auth.forgot.done.title')} foot={foot}>
        <Text size="sm">{tell('auth.forgot.done.about', { sentTo: <b>{sentTo}</b> })}</Text>
      </AuthCard>
    )
  }
  return (
    <AuthCard title={say('auth.forgot.title')} intro={say('auth.forgot.about')} foot={foot}>
      <FormBody state={state} submitLabel={say('auth.forgot.submit')} fullWidth>
        <TextInput
          label={say('field.email')}
          type="email"
          autoComplete="username"
          autoFocus
          {...state.form.getInputProps('email')}
        />
      </FormBody>
    </AuthCard>
  )
}
