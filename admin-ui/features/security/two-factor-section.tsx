import { Button, PasswordInput, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FormModal } from '../../components/form-modal.tsx'
import { Section } from '../../components/section.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { meQuery, useMe } from '../../lib/session.ts'
import { useApiForm } from '../../lib/use-api-form.ts'
import { disableTwoFactor } from '../auth/auth.api.ts'
import { required } from '../auth/rules.ts'
import { EnableTwoFactor } from './enable-two-factor.tsx'

/** The second step at sign-in: turn it on, turn it off. */
export const TwoFactorSection = () => {
  const { twoFactor } = useMe()
  // Who turns it on has it as soon as the codes are shown: what is open stays what it was.
  const [asked, setAsked] = useState<'on' | 'off' | null>(null)
  const close = (): void => setAsked(null)
  return (
    <Section
      title="Two-step sign-in"
      description={
        twoFactor
          ? 'Sign-in asks for a code from your authenticator app.'
          : 'A stolen password alone will not be enough to sign in as you.'
      }
      actions={
        <>
          <StatusBadge status={twoFactor ? 'enabled' : 'disabled'} label={twoFactor ? 'On' : 'Off'} />
          <Button variant={twoFactor ? 'default' : 'filled'} onClick={() => setAsked(twoFactor ? 'off' : 'on')}>
            {twoFactor ? 'Turn off' : 'Turn on'}
          </Button>
        </>
      }
    >
      {asked === 'on' && <EnableTwoFactor onClose={close} />}
      {asked === 'off' && <DisableTwoFactor onClose={close} />}
    </Section>
  )
}

const DisableTwoFactor = ({ onClose }: { onClose: () => void }) => {
  const client = useQueryClient()
  const state = useApiForm({
    initialValues: { password: '', code: '' },
    validate: {
      password: required('Enter your password'),
      code: required('Enter a code'),
    },
    submit: disableTwoFactor,
    onDone: () => {
      notifications.show({ message: 'Two-step sign-in is off.' })
      void client.invalidateQueries({ queryKey: meQuery.queryKey })
      onClose()
    },
    isPublic: true,
  })
  return (
    <FormModal state={state} title="Turn off two-step sign-in" submitLabel="Turn off" danger opened onClose={onClose}>
      <Text size="sm">Your account will be protected by its password alone.</Text>
      <PasswordInput
        label="Password"
        autoComplete="current-password"
        data-autofocus
        {...state.form.getInputProps('password')}
      />
      <TextInput
        label="Code"
        description="From your authenticator app, or a recovery code"
        autoComplete="one-time-code"
        {...state.form.getInputProps('code')}
      />
    </FormModal>
  )
}
