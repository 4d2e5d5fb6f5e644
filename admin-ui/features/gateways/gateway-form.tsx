import { PasswordInput, TextInput } from '@mantine/core'
import { FormDrawer } from '../../components/form-modal.tsx'
import { notify } from '../../lib/notify.tsx'
import { useApiForm } from '../../lib/use-api-form.ts'
import { useRefresh } from '../../lib/use-record.ts'
import { required } from '../auth/rules.ts'
import { createGateway, type Gateway, updateGateway } from './gateways.api.ts'

const SECRET_LENGTH = 16

type GatewayFormProps = { gateway?: Gateway; onClose: () => void; onMade?: (gateway: Gateway) => void }

/** Connects a payment gateway, or changes its name or secret. The secret is never read back. */
export const GatewayForm = ({ gateway, onClose, onMade }: GatewayFormProps) => {
  const refresh = useRefresh()
  const reload = (): void => {
    void refresh('gateways')
    onClose()
  }
  const state = useApiForm({
    initialValues: { name: gateway?.name ?? '', secret: '' },
    validate: {
      name: required('Name the gateway'),
      secret: (text) =>
        text.length >= SECRET_LENGTH || (gateway && text === '') ? null : `Use at least ${SECRET_LENGTH} characters`,
    },
    submit: ({ name, secret }) =>
      gateway
        ? updateGateway(gateway, { name: name.trim(), ...(secret && { secret }) })
        : createGateway({ name: name.trim(), kind: 'generic', secret }),
    onDone: (saved: Gateway) => {
      if (gateway) notify('Gateway saved.')
      reload()
      if (!gateway) onMade?.(saved)
    },
  })
  return (
    <FormDrawer
      state={state}
      title={gateway ? gateway.name : 'New gateway'}
      submitLabel={gateway ? 'Save' : 'Add gateway'}
      opened
      onClose={onClose}
      onReload={reload}
    >
      <TextInput label="Name" placeholder="Card payments" data-autofocus {...state.form.getInputProps('name')} />
      <PasswordInput
        label={gateway ? 'New secret' : 'Secret'}
        description={
          gateway
            ? 'Leave empty to keep the present one; a new one holds at once'
            : 'Shared with the gateway, which signs its results with it; it is not shown again'
        }
        autoComplete="off"
        {...state.form.getInputProps('secret')}
      />
    </FormDrawer>
  )
}
