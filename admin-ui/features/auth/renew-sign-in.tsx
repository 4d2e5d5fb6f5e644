import { Modal, PasswordInput, Text, TextInput } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { FormBody } from '../../components/form-modal.tsx'
import type { ApiError } from '../../lib/http.ts'
import { useApiForm } from '../../lib/use-api-form.ts'
import { useHeldRequests } from '../../lib/use-held-requests.ts'
import { type Me, reauthenticate } from './auth.api.ts'
import { required } from './rules.ts'

type Answer = (renewed: boolean) => void

const wantsFreshSignIn = ({ problem }: ApiError): boolean => problem.code === 'reauthentication_required'

/**
 * Asks for the password over whatever page is open, when an act wants a fresh sign-in; the act then goes on by itself.
 */
export const RenewSignIn = ({ me }: { me: Me }) => {
  const { asking, settle } = useHeldRequests(wantsFreshSignIn)
  return asking && <AskPassword twoFactor={me.twoFactor} onEnd={settle} />
}

const AskPassword = ({ twoFactor, onEnd }: { twoFactor: boolean; onEnd: Answer }) => {
  const state = useApiForm({
    initialValues: { password: '', code: '' },
    validate: {
      password: required('Enter your password'),
      code: (code) => (twoFactor ? required('Enter a code')(code) : null),
    },
    submit: ({ password, code }) => reauthenticate({ password, ...(twoFactor && { code: code.trim() }) }),
    onDone: () => onEnd(true),
    isPublic: true,
  })
  // Escape leaves this question only, not the form below it.
  const leave = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') onEnd(false)
  }
  return (
    <Modal
      opened
      onClose={() => onEnd(false)}
      title="Confirm that it is you"
      size="sm"
      zIndex={400}
      closeOnEscape={false}
      onKeyDown={leave}
    >
      <FormBody state={state} submitLabel="Confirm" onCancel={() => onEnd(false)}>
        <Text size="sm">You signed in a while ago. Give your password again, and what you were doing goes on.</Text>
        <PasswordInput
          label="Your password"
          autoComplete="current-password"
          data-autofocus
          data-mantine-stop-propagation="true"
          {...state.form.getInputProps('password')}
        />
        {twoFactor && (
          <TextInput
            label="Code"
            description="From your authenticator app, or a recovery code"
            autoComplete="one-time-code"
            data-mantine-stop-propagation="true"
            {...state.form.getInputProps('code')}
          />
        )}
      </FormBody>
    </Modal>
  )
}
