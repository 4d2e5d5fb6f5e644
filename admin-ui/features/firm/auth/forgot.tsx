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
      {say('auth.back_to_sign_in')}
    </Anchor>
  )
  if (sentTo) {
    return (
      <AuthCard title={say('auth.look_at_your_mail')} foot={foot}>
        <Text size="sm">{tell('auth.if_account_exists_for', { sentTo: <b>{sentTo}</b> })}</Text>
      </AuthCard>
    )
  }
  return (
    <AuthCard title={say('auth.forgotten_password')} intro={say('auth.we_will_mail_you')} foot={foot}>
      <FormBody state={state} submitLabel={say('auth.send_link')} fullWidth>
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
