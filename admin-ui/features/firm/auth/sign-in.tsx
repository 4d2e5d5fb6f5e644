import { Anchor, PasswordInput, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { FormBody } from '../../../components/forms/form-modal.tsx'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { useSearchParams } from '../../../lib/lists/search-params.ts'
import { fetchSetup, type SignInResult, signIn, type TenantChoice } from './auth.api.ts'
import { AuthCard } from './auth-card.tsx'
import { CodeStep } from './code-step.tsx'
import { isEmail, required } from './form-rules.ts'
import { TenantStep } from './tenant-step.tsx'
import { say, tell } from './words.ts'

type Credentials = {
  email: string
  password: string
  code?: string
  tenant?: string
}
type Step = { name: 'password' } | { name: 'code' } | { name: 'tenant'; tenants: TenantChoice[] }

/** Asks for e-mail and password, then for what the account needs: a code, or a choice of firm. */
export const SignIn = () => {
  const router = useRouter()
  const client = useQueryClient()
  const [{ next }] = useSearchParams()
  const [step, setStep] = useState<Step>({ name: 'password' })
  const [credentials, setCredentials] = useState<Credentials>({
    email: '',
    password: '',
  })
  const setup = useQuery({
    queryKey: ['setup'],
    queryFn: fetchSetup,
    staleTime: Number.POSITIVE_INFINITY,
  })

  const attempt = async (values: Credentials): Promise<SignInResult> => {
    const result = await signIn(values)
    setCredentials(values)
    if (result.status === 'ok') {
      client.clear()
      // Only a path of this console is opened: a link must not lead a fresh session elsewhere.
      router.history.replace(`/admin${next?.startsWith('/') && !next.startsWith('//') ? next : '/'}`)
    } else if (result.status === 'code_required') setStep({ name: 'code' })
    else setStep({ name: 'tenant', tenants: result.tenants ?? [] })
    return result
  }
  const startOver = (): void => setStep({ name: 'password' })

  if (step.name === 'code') {
    return <CodeStep submit={(code) => attempt({ ...credentials, code })} onBack={startOver} />
  }
  if (step.name === 'tenant') {
    return (
      <TenantStep tenants={step.tenants} submit={(tenant) => attempt({ ...credentials, tenant })} onBack={startOver} />
    )
  }
  return <PasswordStep submit={attempt} email={credentials.email} setupOpen={setup.data?.open ?? false} />
}

type PasswordStepProps = {
  submit: (values: Credentials) => Promise<unknown>
  email: string
  setupOpen: boolean
}

const PasswordStep = ({ submit, email, setupOpen }: PasswordStepProps) => {
  const state = useApiForm({
    initialValues: { email, password: '' },
    validate: { email: isEmail, password: required(say('auth.password.required')) },
    submit,
    isPublic: true,
  })
  return (
    <AuthCard
      title={say('auth.sign_in')}
      foot={
        setupOpen &&
        tell('auth.setup.notice', {
          link: (
            <Anchor component={Link} to="/setup">
              {say('auth.setup.link')}
            </Anchor>
          ),
        })
      }
    >
      <FormBody state={state} submitLabel={say('auth.sign_in')} fullWidth>
        <TextInput
          label={say('field.email')}
          type="email"
          autoComplete="username"
          autoFocus
          {...state.form.getInputProps('email')}
        />
        <div className="with-aside">
          <PasswordInput
            label={say('common.password')}
            autoComplete="current-password"
            {...state.form.getInputProps('password')}
          />
          <Anchor component={Link} to="/forgot" size="xs" className="aside-link">
            {say('auth.forgot.action')}
          </Anchor>
        </div>
      </FormBody>
    </AuthCard>
  )
}
