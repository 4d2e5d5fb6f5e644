import { TextInput } from '@mantine/core'
import { FormDrawer } from '../../components/form-modal.tsx'
import { notify } from '../../lib/notify.tsx'
import { useApiForm } from '../../lib/use-api-form.ts'
import { useRefresh } from '../../lib/use-record.ts'
import { required } from '../auth/rules.ts'
import { type Tenant, updateTenant } from './tenants.api.ts'

/** Renames a firm or sets its domain. */
export const EditTenant = ({ tenant, onClose }: { tenant: Tenant; onClose: () => void }) => {
  const refresh = useRefresh()
  const reload = (): void => {
    void refresh('tenants')
    onClose()
  }
  const state = useApiForm({
    initialValues: { name: tenant.name, domain: tenant.domain ?? '' },
    validate: { name: required('Enter the name of the firm') },
    submit: ({ name, domain }) =>
      updateTenant(tenant, { name: name.trim(), domain: domain.trim().toLowerCase() || null }),
    onDone: () => {
      notify('Firm saved.')
      reload()
    },
  })
  return (
    <FormDrawer state={state} title={tenant.name} submitLabel="Save" opened onClose={onClose} onReload={reload}>
      <TextInput label="Firm" data-autofocus {...state.form.getInputProps('name')} />
      <TextInput
        label="Domain"
        description="A host name that belongs to this firm alone; may stay empty"
        placeholder="office.example.com"
        {...state.form.getInputProps('domain')}
      />
    </FormDrawer>
  )
}
