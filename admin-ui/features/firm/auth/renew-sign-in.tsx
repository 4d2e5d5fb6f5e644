import { Modal, PasswordInput, Text, TextInput } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { FormBody } from '../../../components/forms/form-modal.tsx'
import type { ApiError } from '../../../lib/api/http.ts'
import { useHeldRequests } from '../../../lib/api/use-held-requests.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { type Me, reauthenticate } from './auth.api.ts'
import { required } from './form-rules.ts'
import { say } from './words.ts'

type Answer = (renewed: boolean) => void

const wantsFreshSignIn = ({ problem }: ApiError): boolean => problem.code === 'reauthentication_required'

/** Asks for the password over the open page when a request needs a fresh sign-in, then sends the request again. */
export const RenewSignIn = ({ me }: { me: Me }) => {
  const { asking, settle } = useHeldRequests(wantsFreshSignIn)
  return asking && <AskPassword twoFactor={me.twoFactor} onEnd={settle} />
}

const AskPassword = ({ twoFactor, onEnd }: { twoFactor: boolean; onEnd: Answer }) => {
  const state = useApiForm({
    initialValues: { password: '', code: '' },
    validate: {
      password: required(say('auth.password.required')),
      code: (code) => (twoFactor ? required(say('auth.renew.code_required'))(code) : null),
    },
    submit: ({ password, code }) => reauthenticate({ password, ...(twoFactor && { code: code.trim() }) }),
    onDone: () => onEnd(true),
    isPublic: true,
  })
  // Escape closes only this question, not the form below it.
  const leave = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') onEnd(false)
  }
  return (
    <Modal
      opened
      onClose={() => onEnd(false)}
      title={say('auth.renew.title')}
      size="sm"
      zIndex={400}
      closeOnEscape={false}
      onKeyDown={leave}
    >
      <FormBody state={state} submitLabel={say('auth.renew.submit')} onCancel={() => onEnd(false)}>
        <Text size="sm">{say('auth.renew.about')}</Text>
        <PasswordInput
          label={say('auth.password.label')}
          autoComplete="current-password"
          data-autofocus
          data-mantine-stop-propagation="true"
          {...state.form.getInputProps('password')}
        />
        {twoFactor && (
          <TextInput
            label={say('common.code')}
            description={say('auth.renew.code_hint')}
            autoComplete="one-time-code"
            data-mantine-stop-propagation="true"
            {...state.form.getInputProps('code')}
          />
        )}
      </FormBody>
    </Modal>
  )
}
