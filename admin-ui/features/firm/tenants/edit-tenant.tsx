import { TextInput } from '@mantine/core'
import { FormDrawer } from '../../../components/forms/form-modal.tsx'
import { useToldChange } from '../../../components/forms/use-undo.ts'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { required } from '../auth/form-rules.ts'
import { type Tenant, updateTenant } from './tenants.api.ts'
import { say } from './words.ts'

const pickValues = ({ name, domain }: Tenant) => ({ name, domain })

/** Renames a firm or sets its domain. */
export const EditTenant = ({ tenant, onClose }: { tenant: Tenant; onClose: () => void }) => {
  const refresh = useRefresh()
  const tellChange = useToldChange('tenants')
  const reload = (): void => {
    void refresh('tenants')
    onClose()
  }
  const state = useApiForm({
    initialValues: { name: tenant.name, domain: tenant.domain ?? '' },
    validate: { name: required(say('tenants.name.required')) },
    submit: ({ name, domain }) =>
      updateTenant(tenant, { name: name.trim(), domain: domain.trim().toLowerCase() || null }),
    onDone: (after) => {
      tellChange({
        before: pickValues(tenant),
        after: pickValues(after),
        undo: () => updateTenant(after, pickValues(tenant)),
        done: say('tenants.edit.done'),
        labels: { name: say('common.firm'), domain: say('tenants.domain') },
      })
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
