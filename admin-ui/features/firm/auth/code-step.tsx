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

/** Asks for the second factor: six digits from the app, or a recovery code. */
export const CodeStep = ({ submit, onBack }: CodeStepProps) => {
  const [recovery, setRecovery] = useState(false)
  const state = useApiForm({
    initialValues: { code: '' },
    validate: {
      code: required(recovery ? say('auth.code.recovery_required') : say('auth.code.required')),
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
      title={say('auth.code.title')}
      intro={recovery ? say('auth.code.about_recovery') : say('auth.code.about')}
      foot={
        <Anchor component="button" type="button" size="sm" onClick={onBack}>
          {say('auth.start_again')}
        </Anchor>
      }
    >
      <FormBody state={state} submitLabel={say('auth.continue')} fullWidth>
        {recovery ? (
          <TextInput
            label={say('auth.code.recovery_label')}
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
          {recovery ? say('auth.code.use_app') : say('auth.code.use_recovery')}
        </Anchor>
      </FormBody>
    </AuthCard>
  )
}

type SixDigitsProps = { value: string; onChange: (code: string) => void; error: ReactNode }

/** Matches digits of every script; the server reads them all. */
const DIGIT = /^\p{Nd}*$/u

/** Shows a field for each digit, and the error below them. */
const SixDigits = ({ value, onChange, error }: SixDigitsProps) => (
  <Stack gap={4}>
    <PinInput
      length={6}
      type={DIGIT}
      inputType="tel"
      inputMode="numeric"
      oneTimeCode
      autoFocus
      size="md"
      aria-label={say('auth.code.label')}
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
