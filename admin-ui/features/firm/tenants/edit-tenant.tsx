import { TextInput } from '@mantine/core'
import { FormDrawer } from '../../../components/forms/form-modal.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { required } from '../auth/form-rules.ts'
import { type Tenant, updateTenant } from './tenants.api.ts'
import { say } from './words.ts'

/** Renames a firm or sets its domain. */
export const EditTenant = ({ tenant, onClose }: { tenant: Tenant; onClose: () => void }) => {
  const refresh = useRefresh()
  const reload = (): void => {
    void refresh('tenants')
    onClose()
  }
  const state = useApiForm({
    initialValues: { name: tenant.name, domain: tenant.domain ?? '' },
    validate: { name: required(say('tenants.name.required')) },
    submit: ({ name, domain }) =>
      updateTenant(tenant, { name: name.trim(), domain: domain.trim().toLowerCase() || null }),
    onDone: () => {
      notify(say('tenants.edit.done'))
      reload()
    },
  })
  return (
    <FormDrawer
      state={state}
      title={tenant.name}
      submitLabel={say('common.save')}
      opened
      onClose={onClose}
      onReload={reload}
    >
      <TextInput label={say('common.firm')} data-autofocus {...state.form.getInputProps('name')} />
      <TextInput
        label={say('tenants.domain')}
        description={say('tenants.domain.hint')}
        placeholder="office.example.com"
        {...state.form.getInputProps('domain')}
      />
    </FormDrawer>
  )
}
