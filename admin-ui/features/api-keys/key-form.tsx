import { Input, Select, SimpleGrid, TagsInput, TextInput } from '@mantine/core'
import { say } from '../../../src/words/say.ts'
import { DateField } from '../../components/date-field.tsx'
import { FormDrawer } from '../../components/form-modal.tsx'
import { Labels } from '../../components/labels.tsx'
import { wholeDay } from '../../lib/day-text.ts'
import { notify } from '../../lib/notify.tsx'
import { type Role, useMe } from '../../lib/session.ts'
import { useApiForm } from '../../lib/use-api-form.ts'
import { useRefresh } from '../../lib/use-record.ts'
import { required } from '../auth/rules.ts'
import { grantable } from '../users/user-words.ts'
import { type ApiKey, createApiKey, type NewApiKey, type Scope, updateApiKey } from './api-keys.api.ts'
import { LostScopes } from './lost-scopes.tsx'
import { ScopesField } from './scopes-field.tsx'

type KeyFormProps = {
  /** The key to change; none makes a new one. */
  apiKey?: ApiKey
  onClose: () => void
  onMade?: (key: NewApiKey) => void
}

// A day as the viewer means it: the key works to its last second.
const dayEnd = (day: string): string | null => (day ? new Date(`${day}T23:59:59`).toISOString() : null)
const dayOf = (iso: string | null): string => {
  if (!iso) return ''
  const date = new Date(iso)
  const pad = (part: number): string => String(part).padStart(2, '0')
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`
}

type Values = { label: string; scopes: Scope[]; role: Role | null; expiresAt: string; allowedNetworks: string[] }

const useKeyForm = ({ apiKey, onClose, onMade }: KeyFormProps) => {
  const refresh = useRefresh()
  const initialValues: Values = {
    label: apiKey?.label ?? '',
    scopes: apiKey?.scopes ?? [],
    role: null,
    expiresAt: dayOf(apiKey?.expiresAt ?? null),
    allowedNetworks: apiKey?.allowedNetworks ?? [],
  }
  const reload = (): void => {
    void refresh('api-keys')
    onClose()
  }
  const state = useApiForm({
    initialValues,
    validate: {
      label: required('Name the program that will use it'),
      scopes: (scopes) => (scopes.length > 0 ? null : 'Choose at least one permission'),
      expiresAt: wholeDay,
    },
    submit: async ({ label, scopes, role, expiresAt, allowedNetworks }) => {
      const body = { label: label.trim(), allowedNetworks, expiresAt: dayEnd(expiresAt) }
      if (apiKey) await updateApiKey(apiKey.id, body, apiKey.version)
      else onMade?.(await createApiKey({ ...body, scopes, ...(role && { role }) }))
    },
    onDone: () => {
      if (apiKey) notify('API key saved.')
      reload()
    },
  })
  return { state, reload }
}

/** What a key may do, where that is fixed. */
const FixedScopes = ({ scopes }: Pick<ApiKey, 'scopes'>) => (
  <Input.Wrapper label={say('api-keys.scopes.legend')} labelElement="div">
    <div>
      <Labels values={scopes} limit={scopes.length} />
    </div>
  </Input.Wrapper>
)

/** Makes an API key, or changes what can be changed of one. What a key may do is fixed when it is made. */
export const KeyForm = (props: KeyFormProps) => {
  const { apiKey, onClose } = props
  const { role } = useMe()
  const { state, reload } = useKeyForm(props)
  const field = state.form.getInputProps
  return (
    <FormDrawer
      state={state}
      title={apiKey ? apiKey.label : 'New API key'}
      submitLabel={apiKey ? 'Save' : 'Create key'}
      wide
      opened
      onClose={onClose}
      onReload={reload}
    >
      {apiKey && <LostScopes scopes={apiKey.lostScopes} />}
      <TextInput label="Label" placeholder="Website sign-up form" data-autofocus {...field('label')} />
      {apiKey ? <FixedScopes scopes={apiKey.scopes} /> : <ScopesField {...field('scopes')} />}
      <SimpleGrid cols={{ base: 1, xs: apiKey ? 1 : 2 }} spacing="sm">
        {!apiKey && (
          <Select
            label="Acts as"
            description="The most that it may do; never more than you may"
            placeholder="Your own role"
            data={grantable(role)}
            clearable
            {...field('role')}
          />
        )}
        <DateField label="Last day it works" description="Leave empty for one without an end" {...field('expiresAt')} />
      </SimpleGrid>
      <TagsInput
        label="Networks it may be used from"
        description="Such as 203.0.113.0/24; leave empty for anywhere"
        placeholder="Type and press Enter"
        {...field('allowedNetworks')}
      />
    </FormDrawer>
  )
}
