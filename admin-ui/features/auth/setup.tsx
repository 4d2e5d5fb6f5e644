import { Anchor, PasswordInput, Text, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { ErrorState } from '../../components/error-state.tsx'
import { FormBody } from '../../components/form-modal.tsx'
import { PageLoader } from '../../components/page-loader.tsx'
import { useSearchParams } from '../../lib/search-params.ts'
import { useApiForm } from '../../lib/use-api-form.ts'
import { fetchSetup, runSetup, signIn } from './auth.api.ts'
import { AuthCard } from './auth-card.tsx'
import { isEmail, newPassword, PASSWORD_LENGTH, required } from './rules.ts'

/** First run: the firm and its owner, made once with the token that the server printed. */
export const Setup = () => {
  const setup = useQuery({ queryKey: ['setup'], queryFn: fetchSetup })
  if (setup.isPending) return <PageLoader />
  if (setup.isError) return <ErrorState error={setup.error} retry={() => void setup.refetch()} />
  if (!setup.data.open) {
    return (
      <AuthCard title="Set-up is closed">
        <Text size="sm" mb="md">
          This installation already has an owner.
        </Text>
        <Anchor component={Link} to="/sign-in" size="sm">
          Go to sign-in
        </Anchor>
      </AuthCard>
    )
  }
  return <SetupForm />
}

const SetupForm = () => {
  const [{ token = '' }] = useSearchParams()
  const navigate = useNavigate()
  const client = useQueryClient()
  const state = useApiForm({
    initialValues: {
      token,
      tenantName: '',
      displayName: '',
      email: '',
      password: '',
    },
    validate: {
      token: required('Paste the token that the server printed'),
      tenantName: required('Enter the name of your firm'),
      displayName: required('Enter your name'),
      email: isEmail,
      password: newPassword,
    },
    submit: async (values) => {
      await runSetup(values)
      return signIn({ email: values.email, password: values.password })
    },
    onDone: () => {
      client.clear()
      // a firm begins with its key on paper: nothing can be read from a backup without it
      void navigate({ to: '/recovery-key', search: { first: '1' }, replace: true })
    },
    isPublic: true,
  })
  return (
    <AuthCard title="Set up Brokerbase" intro="Name your firm and make the first account, its owner. This works once.">
      <FormBody state={state} submitLabel="Create firm and sign in" fullWidth>
        {(!token || state.form.errors.token) && (
          <TextInput
            label="Set-up token"
            description="The server prints it when it starts without any firm"
            autoComplete="off"
            spellCheck={false}
            {...state.form.getInputProps('token')}
          />
        )}
        <TextInput
          label="Firm"
          placeholder="Northgate Markets"
          autoComplete="organization"
          {...state.form.getInputProps('tenantName')}
        />
        <TextInput label="Your name" autoComplete="name" {...state.form.getInputProps('displayName')} />
        <TextInput label="E-mail" type="email" autoComplete="username" {...state.form.getInputProps('email')} />
        <PasswordInput
          label="Password"
          description={`At least ${PASSWORD_LENGTH} characters`}
          autoComplete="new-password"
          {...state.form.getInputProps('password')}
        />
      </FormBody>
    </AuthCard>
  )
}
