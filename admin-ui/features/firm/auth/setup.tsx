import { Anchor, PasswordInput, SimpleGrid, Text, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { FormBody } from '../../../components/forms/form-modal.tsx'
import { CurrencyField } from '../../../components/forms/money-fields.tsx'
import { TimeZoneSelect } from '../../../components/forms/time-zone-select.tsx'
import { ErrorState } from '../../../components/page/error-state.tsx'
import { PageLoader } from '../../../components/page/page-loader.tsx'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { useSearchParams } from '../../../lib/lists/search-params.ts'
import { fetchSetup, runSetup, signIn } from './auth.api.ts'
import { AuthCard } from './auth-card.tsx'
import { isEmail, newPassword, PASSWORD_LENGTH, required } from './form-rules.ts'
import { say } from './words.ts'

/** Creates the firm and its owner at the first start, once, with the token that the server printed. */
export const Setup = () => {
  const setup = useQuery({ queryKey: ['setup'], queryFn: fetchSetup })
  if (setup.isPending) return <PageLoader />
  if (setup.isError) return <ErrorState error={setup.error} retry={() => void setup.refetch()} />
  if (!setup.data.open) {
    return (
      <AuthCard title={say('auth.setup.closed.title')}>
        <Text size="sm" mb="md">
          {say('auth.setup.closed.about')}
        </Text>
        <Anchor component={Link} to="/sign-in" size="sm">
          {say('auth.sign_in.link')}
        </Anchor>
      </AuthCard>
    )
  }
  return <SetupForm />
}

/** Creates the firm and its owner, signs the owner in, and opens the page of the recovery key. */
const useSetupForm = (token: string) => {
  const navigate = useNavigate()
  const client = useQueryClient()
  return useApiForm({
    initialValues: {
      token,
      tenantName: '',
      displayName: '',
      email: '',
      password: '',
      // the browser knows the time zone, and the currency is a proposal; the form shows both
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      currency: 'USD',
    },
    validate: {
      token: required(say('auth.setup.token_required')),
      tenantName: required(say('auth.setup.firm_required')),
      displayName: required(say('auth.setup.name_required')),
      email: isEmail,
      password: newPassword,
      currency: required(say('common.currency.required')),
    },
    submit: async (values) => {
      await runSetup(values)
      return signIn({ email: values.email, password: values.password })
    },
    onDone: () => {
      client.clear()
      // the recovery key comes first, because no backup can be read without it
      void navigate({ to: '/recovery-key', search: { first: '1' }, replace: true })
    },
    isPublic: true,
  })
}

const SetupForm = () => {
  const [{ token = '' }] = useSearchParams()
  const state = useSetupForm(token)
  // The link brings the token: its field is shown only where the token is missing or refused.
  const tokenField = state.form.getInputProps('token')
  return (
    <AuthCard title={say('auth.setup.title')} intro={say('auth.setup.about')}>
      <FormBody state={state} submitLabel={say('auth.setup.submit')} fullWidth>
        {(!token || tokenField.error) && (
          <TextInput
            label={say('auth.setup.token_label')}
            description={say('auth.setup.token_hint')}
            autoComplete="off"
            spellCheck={false}
            {...tokenField}
          />
        )}
        <TextInput
          label={say('common.firm')}
          placeholder={say('auth.setup.firm_placeholder')}
          autoComplete="organization"
          {...state.form.getInputProps('tenantName')}
        />
        <SimpleGrid cols={2} spacing="sm">
          <TimeZoneSelect {...state.form.getInputProps('timeZone')} />
          <CurrencyField label={say('auth.setup.currency')} {...state.form.getInputProps('currency')} />
        </SimpleGrid>
        <TextInput label={say('auth.name.label')} autoComplete="name" {...state.form.getInputProps('displayName')} />
        <TextInput
          label={say('field.email')}
          type="email"
          autoComplete="username"
          {...state.form.getInputProps('email')}
        />
        <PasswordInput
          label={say('common.password')}
          description={say('common.password.hint', { passwordLength: PASSWORD_LENGTH })}
          autoComplete="new-password"
          {...state.form.getInputProps('password')}
        />
      </FormBody>
    </AuthCard>
  )
}
