import { Anchor, Text, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { FormBody } from '../../components/form-modal.tsx'
import { useApiForm } from '../../lib/use-api-form.ts'
import { requestReset } from './auth.api.ts'
import { AuthCard } from './auth-card.tsx'
import { isEmail } from './rules.ts'

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
      Back to sign-in
    </Anchor>
  )
  if (sentTo) {
    return (
      <AuthCard title="Look at your mail" foot={foot}>
        <Text size="sm">
          If an account exists for <b>{sentTo}</b>, a link to set a new password is on its way. It works once and for
          one hour.
        </Text>
      </AuthCard>
    )
  }
  return (
    <AuthCard title="Forgotten password" intro="We will mail you a link to set a new one." foot={foot}>
      <FormBody state={state} submitLabel="Send the link" fullWidth>
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="username"
          autoFocus
          {...state.form.getInputProps('email')}
        />
      </FormBody>
    </AuthCard>
  )
}
