import { Anchor, PinInput, Stack, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { FormBody } from '../../../components/forms/form-modal.tsx'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { AuthCard } from './auth-card.tsx'
import { required } from './form-rules.ts'
import { say } from './words.ts'

type CodeStepProps = {
  submit: (code: string) => Promise<unknown>
  onBack: () => void
}

/** The second factor: six digits from the app, or a recovery code. */
export const CodeStep = ({ submit, onBack }: CodeStepProps) => {
  const [recovery, setRecovery] = useState(false)
  const state = useApiForm({
    initialValues: { code: '' },
    validate: {
      code: required(recovery ? say('auth.enter_recovery_code') : say('auth.enter_six_digits')),
    },
    submit: ({ code }) => submit(code.trim()),
    isPublic: true,
  })
  const switchKind = (): void => {
    state.reset()
    setRecovery(!recovery)
  }
  return (
    <AuthCard
      title={say('auth.second_step')}
      intro={recovery ? say('auth.enter_one_your_recovery') : say('auth.enter_code_from_your')}
      foot={
        <Anchor component="button" type="button" size="sm" onClick={onBack}>
          {say('auth.start_again_with_another')}
        </Anchor>
      }
    >
      <FormBody state={state} submitLabel={say('auth.continue')} fullWidth>
        {recovery ? (
          <TextInput
            label={say('auth.recovery_code')}
            autoComplete="off"
            spellCheck={false}
            autoFocus
            {...state.form.getInputProps('code')}
          />
        ) : (
          <SixDigits
            value={state.form.values.code}
            onChange={(code) => state.form.setFieldValue('code', code)}
            error={state.form.getInputProps('code').error}
          />
        )}
        <Anchor component="button" type="button" size="sm" onClick={switchKind} ta="left">
          {recovery ? say('auth.use_authenticator_app') : say('auth.use_recovery_code')}
        </Anchor>
      </FormBody>
    </AuthCard>
  )
}

type SixDigitsProps = { value: string; onChange: (code: string) => void; error: ReactNode }

/** A place for each digit, with what is wrong below. */
const SixDigits = ({ value, onChange, error }: SixDigitsProps) => (
  <Stack gap={4}>
    <PinInput
      length={6}
      type="number"
      oneTimeCode
      autoFocus
      size="md"
      aria-label={say('auth.authentication_code')}
      value={value}
      onChange={onChange}
      error={Boolean(error)}
    />
    {error && (
      <Text size="xs" className="error-text" role="alert">
        {error}
      </Text>
    )}
  </Stack>
)
