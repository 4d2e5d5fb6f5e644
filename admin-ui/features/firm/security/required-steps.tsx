import { Anchor, PasswordInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { FormBody } from '../../../components/forms/form-modal.tsx'
import { meQuery } from '../../../lib/api/session.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { changePassword, type Me } from '../auth/auth.api.ts'
import { AuthCard } from '../auth/auth-card.tsx'
import { newPassword, PASSWORD_LENGTH, required } from '../auth/form-rules.ts'
import { useSignOut } from '../auth/use-sign-out.ts'
import { Enrol, RecoveryCodes } from './enable-two-factor.tsx'
import { say } from './words.ts'

/** Signs the reader out, the only way to leave a required step without doing it. */
const SignOut = () => {
  const leave = useSignOut()
  return (
    <Anchor component="button" type="button" size="sm" onClick={leave}>
      {say('auth.sign_out')}
    </Anchor>
  )
}

/** Replaces every page while the password is one that a colleague chose. */
const MustChangePassword = () => {
  const client = useQueryClient()
  const state = useApiForm({
    initialValues: { currentPassword: '', newPassword: '' },
    validate: { currentPassword: required(say('auth.own_password.current_required')), newPassword },
    submit: changePassword,
    onDone: () => void client.invalidateQueries({ queryKey: meQuery.queryKey }),
    isPublic: true,
  })
  return (
    <AuthCard title={say('auth.own_password.title')} intro={say('auth.own_password.about')} foot={<SignOut />}>
      <FormBody state={state} submitLabel={say('auth.password.submit')} fullWidth>
        <PasswordInput
          label={say('auth.own_password.current_label')}
          autoComplete="current-password"
          autoFocus
          {...state.form.getInputProps('currentPassword')}
        />
        <PasswordInput
          label={say('auth.password.new_label')}
          description={say('common.password.hint', { passwordLength: PASSWORD_LENGTH })}
          autoComplete="new-password"
          {...state.form.getInputProps('newPassword')}
        />
      </FormBody>
    </AuthCard>
  )
}

/** Replaces every page while the firm requires a second factor of the reader's role and none is set up. */
const MustEnrol = ({ onHold }: { onHold: (held: boolean) => void }) => {
  const client = useQueryClient()
  const [codes, setCodes] = useState<string[] | null>(null)
  // The factor is on before its codes are shown, so this page stays until the reader has confirmed them.
  useEffect(() => onHold(true), [onHold])
  const finish = (): void => {
    onHold(false)
    void client.invalidateQueries({ queryKey: meQuery.queryKey })
  }
  return (
    <AuthCard
      title={codes ? say('auth.two_factor.codes_title') : say('auth.two_factor.title')}
      intro={codes ? undefined : say('auth.two_factor.about')}
      foot={codes ? undefined : <SignOut />}
    >
      {codes ? <RecoveryCodes codes={codes} onDone={finish} /> : <Enrol onCodes={setCodes} />}
    </AuthCard>
  )
}

/** Shows what is required before any page opens; the password comes first, since the second factor needs it. */
export const FirstThings = ({ me, onHold }: { me: Me; onHold: (held: boolean) => void }) =>
  me.mustChangePassword ? <MustChangePassword /> : <MustEnrol onHold={onHold} />
