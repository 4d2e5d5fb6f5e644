import { Button, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FormNotice } from '../../../components/forms/form-modal.tsx'
import type { ApiError } from '../../../lib/api/http.ts'
import { meQuery } from '../../../lib/api/session.ts'
import { tellTabs } from '../../../lib/api/signed-in.ts'
import { useHeldRequests } from '../../../lib/api/use-held-requests.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { type Me, type SignInResult, signIn } from './auth.api.ts'
import { required } from './form-rules.ts'
import { say } from './words.ts'

/** This dialog covers every drawer and dialog, and leaves them open with what was typed. */
const ABOVE_ALL = 500
// Without this attribute, Escape in a field would make Mantine close the dialog behind.
const OWN_KEYS = { 'data-mantine-stop-propagation': 'true' }

const endedSession = ({ status }: ApiError): boolean => status === 401

/** Asks for sign-in over the open page, then sends the refused requests again, so that nothing typed is lost. */
export const SessionEnded = ({ me }: { me: Me }) => {
  const { asking, settle } = useHeldRequests(endedSession)
  return (
    <Modal
      opened={asking}
      onClose={() => undefined}
      title={say('auth.ended.title')}
      size="sm"
      zIndex={ABOVE_ALL}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      {asking && <SignInAgain me={me} settle={settle} />}
    </Modal>
  )
}

type SignInAgainProps = { me: Me; settle: (again: boolean) => void }

/** Signs the same reader in, with a code once the server asks for one. */
const useSignInAgain = ({ me, settle }: SignInAgainProps) => {
  const client = useQueryClient()
  const [needsCode, setNeedsCode] = useState(false)
  const state = useApiForm({
    initialValues: { password: '', code: '' },
    validate: {
      password: required(say('auth.password.required')),
      code: (code) => (needsCode && !code.trim() ? say('auth.ended.code_required') : null),
    },
    submit: ({ password, code }): Promise<SignInResult> =>
      signIn({ email: me.email ?? '', password, tenant: me.tenant.slug, ...(needsCode && { code: code.trim() }) }),
    onDone: ({ status }) => {
      if (status !== 'ok') {
        setNeedsCode(true)
        return
      }
      settle(true)
      tellTabs(me)
      void client.invalidateQueries({ queryKey: meQuery.queryKey })
    },
    isPublic: true,
  })
  return { state, needsCode }
}

const SignInAgain = (props: SignInAgainProps) => {
  const { me, settle } = props
  const { state, needsCode } = useSignInAgain(props)
  return (
    <form onSubmit={state.onSubmit} noValidate>
      <Stack>
        <Text size="sm">{say('auth.ended.about')}</Text>
        <TextInput
          label={say('field.email')}
          type="email"
          autoComplete="username"
          value={me.email ?? ''}
          readOnly
          {...OWN_KEYS}
        />
        <PasswordInput
          label={say('common.password')}
          autoComplete="current-password"
          data-autofocus
          {...OWN_KEYS}
          {...state.form.getInputProps('password')}
        />
        {needsCode && (
          <TextInput
            label={say('common.code')}
            description={say('auth.ended.code_hint')}
            autoComplete="one-time-code"
            autoFocus
            {...OWN_KEYS}
            {...state.form.getInputProps('code')}
          />
        )}
        <FormNotice error={state.error} conflict={state.conflict} />
        <Button type="submit" fullWidth loading={state.pending} {...OWN_KEYS}>
          {say('auth.sign_in')}
        </Button>
        <Button variant="subtle" color="gray" fullWidth onClick={() => settle(false)} {...OWN_KEYS}>
          {say('auth.ended.other_account')}
        </Button>
      </Stack>
    </form>
  )
}
