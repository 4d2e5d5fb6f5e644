import { PasswordInput, TextInput } from '@mantine/core'
import { FormDrawer } from '../../../components/forms/form-modal.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { required } from '../../firm/auth/form-rules.ts'
import { createGateway, type Gateway, updateGateway } from './gateways.api.ts'
import { say } from './words.ts'

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
      name: required(say('gateways.name_gateway')),
      secret: (text) =>
        text.length >= SECRET_LENGTH || (gateway && text === '')
          ? null
          : say('gateways.use_at_least_characters', { secretLength: SECRET_LENGTH }),
    },
    submit: ({ name, secret }) =>
      gateway
        ? updateGateway(gateway, { name: name.trim(), ...(secret && { secret }) })
        : createGateway({ name: name.trim(), kind: 'generic', secret }),
    onDone: (saved: Gateway) => {
      if (gateway) notify(say('gateways.gateway_saved'))
      reload()
      if (!gateway) onMade?.(saved)
    },
  })
  return (
    <FormDrawer
      state={state}
      title={gateway ? gateway.name : say('gateways.new_gateway')}
      submitLabel={gateway ? say('common.save') : say('gateways.add_gateway')}
      opened
      onClose={onClose}
      onReload={reload}
    >
      <TextInput
        label={say('common.name')}
        placeholder={say('gateways.card_payments')}
        data-autofocus
        {...state.form.getInputProps('name')}
      />
      <PasswordInput
        label={gateway ? say('gateways.new_secret') : say('gateways.secret')}
        description={gateway ? say('gateways.leave_empty_to_keep') : say('gateways.shared_with_gateway_which')}
        autoComplete="off"
        {...state.form.getInputProps('secret')}
      />
    </FormDrawer>
  )
}
