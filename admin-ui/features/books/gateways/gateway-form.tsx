import { PasswordInput, TextInput } from '@mantine/core'
import { FormDrawer } from '../../../components/forms/form-modal.tsx'
import { useToldChange } from '../../../components/forms/use-undo.ts'
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
  const tellChange = useToldChange('gateways')
  const reload = (): void => {
    void refresh('gateways')
    onClose()
  }
  const state = useApiForm({
    initialValues: { name: gateway?.name ?? '', secret: '' },
    validate: {
      name: required(say('gateways.name.required')),
      secret: (text) =>
        text.length >= SECRET_LENGTH || (gateway && text === '')
          ? null
          : say('gateways.secret.too_short', { secretLength: SECRET_LENGTH }),
    },
    submit: ({ name, secret }) =>
      gateway
        ? updateGateway(gateway, { name: name.trim(), ...(secret && { secret }) })
        : createGateway({ name: name.trim(), kind: 'generic', secret }),
    onDone: (saved: Gateway, { secret }) => {
      if (gateway) {
        const before = { name: gateway.name }
        tellChange({
          before,
          after: { name: saved.name },
          // A secret that was replaced is not known any more.
          undo: secret ? null : () => updateGateway(saved, before),
          done: say('gateways.edit.done'),
          labels: { name: say('common.name') },
        })
      }
      reload()
      if (!gateway) onMade?.(saved)
    },
  })
  return (
    <FormDrawer
      state={state}
      title={gateway ? gateway.name : say('gateways.new.title')}
      submitLabel={gateway ? say('common.save') : say('gateways.new.submit')}
      opened
      onClose={onClose}
      onReload={reload}
    >
      <TextInput
        label={say('common.name')}
        placeholder={say('gateways.name.placeholder')}
        data-autofocus
        {...state.form.getInputProps('name')}
      />
      <PasswordInput
        label={gateway ? say('gateways.secret.label_new') : say('gateways.secret.label')}
        description={gateway ? say('gateways.secret.hint_keep') : say('gateways.secret.hint')}
        autoComplete="off"
        {...state.form.getInputProps('secret')}
      />
    </FormDrawer>
  )
}
