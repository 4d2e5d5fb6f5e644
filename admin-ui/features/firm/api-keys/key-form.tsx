import { Input, Select, SimpleGrid, TagsInput, TextInput } from '@mantine/core'
import { DateField } from '../../../components/forms/date-field.tsx'
import { FormDrawer } from '../../../components/forms/form-modal.tsx'
import { useToldChange } from '../../../components/forms/use-undo.ts'
import { Labels } from '../../../components/show/labels.tsx'
import { type Role, useMe } from '../../../lib/api/session.ts'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { wholeDay } from '../../../lib/text/day-text.ts'
import { endOfDay, toDay } from '../../../lib/text/zone.ts'
import { required } from '../auth/form-rules.ts'
import { grantable } from '../users/user-words.ts'
import { type ApiKey, createApiKey, type NewApiKey, type Scope, updateApiKey } from './api-keys.api.ts'
import { LostScopes } from './lost-scopes.tsx'
import { ScopesField } from './scopes-field.tsx'
import { say } from './words.ts'

type KeyFormProps = {
  /** The form changes this key; without one it creates a key. */
  apiKey?: ApiKey
  onClose: () => void
  onMade?: (key: NewApiKey) => void
}

/** Returns the last second of a day in the firm's time zone, to which the key works. */
const dayEnd = (day: string): string | null => {
  if (!day) return null
  const end = endOfDay(day)
  end.setMilliseconds(0)
  return end.toISOString()
}
const toExpiryDay = (iso: string | null): string => (iso ? toDay(new Date(iso)) : '')

type Values = { label: string; scopes: Scope[]; role: Role | null; expiresAt: string; allowedNetworks: string[] }

const pickBody = ({ label, allowedNetworks, expiresAt }: ApiKey) => ({ label, allowedNetworks, expiresAt })

const useKeyForm = ({ apiKey, onClose, onMade }: KeyFormProps) => {
  const refresh = useRefresh()
  const tellChange = useToldChange('api-keys')
  const initialValues: Values = {
    label: apiKey?.label ?? '',
    scopes: apiKey?.scopes ?? [],
    role: null,
    expiresAt: toExpiryDay(apiKey?.expiresAt ?? null),
    allowedNetworks: apiKey?.allowedNetworks ?? [],
  }
  const reload = (): void => {
    void refresh('api-keys')
    onClose()
  }
  const state = useApiForm({
    initialValues,
    validate: {
      label: required(say('api-keys.label.required')),
      scopes: (scopes) => (scopes.length > 0 ? null : say('api-keys.scopes.required')),
      expiresAt: wholeDay,
    },
    submit: async ({ label, scopes, role, expiresAt, allowedNetworks }) => {
      const body = { label: label.trim(), allowedNetworks, expiresAt: dayEnd(expiresAt) }
      if (apiKey) return updateApiKey(apiKey.id, body, apiKey.version)
      onMade?.(await createApiKey({ ...body, scopes, ...(role && { role }) }))
      return null
    },
    onDone: (after) => {
      if (apiKey && after) {
        const before = pickBody(apiKey)
        tellChange({
          before,
          after: pickBody(after),
          undo: () => updateApiKey(apiKey.id, before, after.version),
          done: say('api-keys.edit.done'),
          labels: { label: say('api-keys.label'), allowedNetworks: say('api-keys.networks.label') },
        })
      }
      reload()
    },
  })
  return { state, reload }
}

/** Shows the scopes of an existing key, which cannot be changed. */
const FixedScopes = ({ scopes }: Pick<ApiKey, 'scopes'>) => (
  <Input.Wrapper label={say('api-keys.scopes.legend')} labelElement="div">
    <div>
      <Labels values={scopes} limit={scopes.length} />
    </div>
  </Input.Wrapper>
)

/** Creates an API key, or changes one. The scopes of a key are fixed when it is created. */
export const KeyForm = (props: KeyFormProps) => {
  const { apiKey, onClose } = props
  const { role } = useMe()
  const { state, reload } = useKeyForm(props)
  const field = state.form.getInputProps
  return (
    <FormDrawer
      state={state}
      title={apiKey ? apiKey.label : say('api-keys.new.title')}
      submitLabel={apiKey ? say('common.save') : say('api-keys.new.submit')}
      wide
      opened
      onClose={onClose}
      onReload={reload}
    >
      {apiKey && <LostScopes scopes={apiKey.lostScopes} />}
      <TextInput
        label={say('api-keys.label')}
        placeholder={say('api-keys.label.placeholder')}
        data-autofocus
        {...field('label')}
      />
      {apiKey ? <FixedScopes scopes={apiKey.scopes} /> : <ScopesField {...field('scopes')} />}
      <SimpleGrid cols={{ base: 1, xs: apiKey ? 1 : 2 }} spacing="sm">
        {!apiKey && (
          <Select
            label={say('api-keys.role')}
            description={say('api-keys.role.hint')}
            placeholder={say('api-keys.role.placeholder')}
            data={grantable(role)}
            clearable
            {...field('role')}
          />
        )}
        <DateField
          label={say('api-keys.expires.label')}
          description={say('api-keys.expires.hint')}
          {...field('expiresAt')}
        />
      </SimpleGrid>
      <TagsInput
        label={say('api-keys.networks.label')}
        description={say('api-keys.networks.hint')}
        placeholder={say('api-keys.networks.placeholder')}
        {...field('allowedNetworks')}
      />
    </FormDrawer>
  )
}
