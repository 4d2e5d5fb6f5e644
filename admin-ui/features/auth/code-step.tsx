import { Anchor, PinInput, Stack, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { FormBody } from '../../components/form-modal.tsx'
import { useApiForm } from '../../lib/use-api-form.ts'
import { AuthCard } from './auth-card.tsx'
import { required } from './rules.ts'

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
      code: required(recovery ? 'Enter a recovery code' : 'Enter the six digits'),
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
      title="Second step"
      intro={
        recovery ? 'Enter one of your recovery codes. Each works once.' : 'Enter the code from your authenticator app.'
      }
      foot={
        <Anchor component="button" type="button" size="sm" onClick={onBack}>
          Start again with another account
        </Anchor>
      }
    >
      <FormBody state={state} submitLabel="Continue" fullWidth>
        {recovery ? (
          <TextInput
            label="Recovery code"
            autoComplete="off"
            spellCheck={false}
            autoFocus
            {...state.form.getInputProps('code')}
          />
        ) : (
          <SixDigits
            value={state.form.values.code}
            onChange={(code) => state.form.setFieldValue('code', code)}
            error={state.form.errors.code}
          />
        )}
        <Anchor component="button" type="button" size="sm" onClick={switchKind} ta="left">
          {recovery ? 'Use the authenticator app' : 'Use a recovery code'}
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
      aria-label="Authentication code"
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
