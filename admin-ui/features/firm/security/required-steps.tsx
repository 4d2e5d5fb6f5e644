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

/** The only other way on from a page that cannot be passed over. */
const SignOut = () => {
  const leave = useSignOut()
  return (
    <Anchor component="button" type="button" size="sm" onClick={leave}>
      {say('auth.sign_out')}
    </Anchor>
  )
}

/** In place of every page while the password is one that a colleague chose. */
const MustChangePassword = () => {
  const client = useQueryClient()
  const state = useApiForm({
    initialValues: { currentPassword: '', newPassword: '' },
    validate: { currentPassword: required(say('auth.enter_password_that_you')), newPassword },
    submit: changePassword,
    onDone: () => void client.invalidateQueries({ queryKey: meQuery.queryKey }),
    isPublic: true,
  })
  return (
    <AuthCard
      title={say('auth.choose_your_own_password')}
      intro={say('auth.colleague_gave_you_one')}
      foot={<SignOut />}
    >
      <FormBody state={state} submitLabel={say('auth.set_password')} fullWidth>
        <PasswordInput
          label={say('auth.password_you_were_given')}
          autoComplete="current-password"
          autoFocus
          {...state.form.getInputProps('currentPassword')}
        />
        <PasswordInput
          label={say('auth.new_password')}
          description={say('common.at_least_characters', { passwordLength: PASSWORD_LENGTH })}
          autoComplete="new-password"
          {...state.form.getInputProps('newPassword')}
        />
      </FormBody>
    </AuthCard>
  )
}

/** In place of every page while the firm demands a second factor of one's role and there is none. */
const MustEnrol = ({ onHold }: { onHold: (held: boolean) => void }) => {
  const client = useQueryClient()
  const [codes, setCodes] = useState<string[] | null>(null)
  // The factor is on before its codes are shown, and longer when the answer that brings them was lost.
  useEffect(() => onHold(true), [onHold])
  const finish = (): void => {
    onHold(false)
    void client.invalidateQueries({ queryKey: meQuery.queryKey })
  }
  return (
    <AuthCard
      title={codes ? say('auth.keep_your_recovery_codes') : say('auth.turn_on_two_step')}
      intro={codes ? undefined : say('auth.your_firm_asks_it')}
      foot={codes ? undefined : <SignOut />}
    >
      {codes ? <RecoveryCodes codes={codes} onDone={finish} /> : <Enrol onCodes={setCodes} />}
    </AuthCard>
  )
}

/** What has to be done before any page opens: the password first, since the second factor is turned on with it. */
export const FirstThings = ({ me, onHold }: { me: Me; onHold: (held: boolean) => void }) =>
  me.mustChangePassword ? <MustChangePassword /> : <MustEnrol onHold={onHold} />
