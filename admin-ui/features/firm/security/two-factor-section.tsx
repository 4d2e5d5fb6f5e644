import { Button, PasswordInput, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FormModal } from '../../../components/forms/form-modal.tsx'
import { Section } from '../../../components/page/section.tsx'
import { StatusBadge } from '../../../components/show/status-badge.tsx'
import { meQuery, useMe } from '../../../lib/api/session.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { disableTwoFactor } from '../auth/auth.api.ts'
import { required } from '../auth/form-rules.ts'
import { EnableTwoFactor } from './enable-two-factor.tsx'
import { say } from './words.ts'

/** Turns the second step at sign-in on or off. */
export const TwoFactorSection = () => {
  const { twoFactor } = useMe()
  // `twoFactor` changes while the codes are still shown, so the open dialog does not depend on it.
  const [asked, setAsked] = useState<'on' | 'off' | null>(null)
  const close = (): void => setAsked(null)
  return (
    <Section
      title={say('security.two_factor.title')}
      description={twoFactor ? say('security.two_factor.about_on') : say('security.two_factor.about_off')}
      actions={
        <>
          <StatusBadge
            status={twoFactor ? 'enabled' : 'disabled'}
            label={twoFactor ? say('security.two_factor.state_on') : say('security.two_factor.state_off')}
          />
          <Button variant={twoFactor ? 'default' : 'filled'} onClick={() => setAsked(twoFactor ? 'off' : 'on')}>
            {twoFactor ? say('security.two_factor.off.submit') : say('security.two_factor.on.submit')}
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
      password: required(say('security.password.required')),
      code: required(say('security.two_factor.off.code_required')),
    },
    submit: disableTwoFactor,
    onDone: () => {
      notifications.show({ message: say('security.two_factor.off.done') })
      void client.invalidateQueries({ queryKey: meQuery.queryKey })
      onClose()
    },
    isPublic: true,
  })
  return (
    <FormModal
      state={state}
      title={say('security.two_factor.off.title')}
      submitLabel={say('security.two_factor.off.submit')}
      danger
      opened
      onClose={onClose}
    >
      <Text size="sm">{say('security.two_factor.off.about')}</Text>
      <PasswordInput
        label={say('common.password')}
        autoComplete="current-password"
        data-autofocus
        {...state.form.getInputProps('password')}
      />
      <TextInput
        label={say('common.code')}
        description={say('security.two_factor.off.code_hint')}
        autoComplete="one-time-code"
        {...state.form.getInputProps('code')}
      />
    </FormModal>
  )
}
