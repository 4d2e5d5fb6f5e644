import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ChoiceGroups } from '../../components/choice-groups.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { humanize } from '../../lib/format.ts'
import { fetchScopes, type Scope } from './api-keys.api.ts'

const NAMES: Record<string, string> = {
  psp: 'Payment gateways',
  auth: 'Own sign-in',
  'api-keys': 'API keys',
  tenants: 'Firm',
  mails: 'Mail',
}

const groupOf = (scope: string): string => {
  const resource = scope.split(':')[0] ?? ''
  return NAMES[resource] ?? humanize(resource)
}

type ScopesFieldProps = { value?: Scope[]; onChange?: (scopes: Scope[]) => void; error?: ReactNode }

/** What a key may do, resource by resource. */
export const ScopesField = ({ value = [], onChange, error }: ScopesFieldProps) => {
  const scopes = useQuery({
    queryKey: ['api-keys', 'scopes'],
    queryFn: fetchScopes,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Loaded query={scopes}>
      {({ data }) => (
        <ChoiceGroups
          legend="What it may do"
          choices={data.map(({ scope, description }) => ({ value: scope, description, group: groupOf(scope) }))}
          value={value}
          onChange={onChange}
          error={error}
        />
      )}
    </Loaded>
  )
}
