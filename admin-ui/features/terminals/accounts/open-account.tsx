import { Autocomplete, Select, SimpleGrid, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { FormDrawer } from '../../../components/forms/form-modal.tsx'
import { CurrencyField } from '../../../components/forms/money-fields.tsx'
import { useDialogForm } from '../../../lib/forms/use-dialog-form.ts'
import { required } from '../../firm/auth/form-rules.ts'
import { findLeverageError } from './leverage-rule.ts'
import { fetchConnections, openAccount } from './orders.api.ts'
import { say } from './words.ts'

type OpenAccountProps = { trader: { id: string; name: string }; onClose: () => void }
type Servers = Awaited<ReturnType<typeof fetchConnections>>['data']

/** Asks a trading server to open an account for a client. The only server of a firm is chosen from the start. */
export const OpenAccount = (props: OpenAccountProps) => {
  const { data, isPending } = useQuery({
    queryKey: ['platforms', 'opening'],
    queryFn: () => fetchConnections({ limit: 100 }),
  })
  if (isPending) return null
  const servers = data?.data.filter(({ status }) => status === 'active' || status === 'error') ?? []
  return <OpenAccountForm servers={servers} {...props} />
}

const OpenAccountForm = ({ servers, trader, onClose }: OpenAccountProps & { servers: Servers }) => {
  const [first, ...others] = servers
  const { form, field, dialog } = useDialogForm({
    initialValues: {
      connectionId: first && others.length === 0 ? first.id : '',
      group: '',
      leverage: '100',
      currency: '',
    },
    validate: {
      connectionId: required(say('terminals.order.open.server_needed')),
      group: required(say('terminals.order.open.group_needed')),
      leverage: findLeverageError,
      currency: required(say('common.currency.required')),
    },
    submit: ({ leverage, ...values }) => openAccount({ traderId: trader.id, ...values, leverage: Number(leverage) }),
    done: say('terminals.order.open.asked'),
    reads: 'platform-instructions',
    onClose,
  })
  const { connectionId } = form.getValues()
  const groups = servers.find(({ id }) => id === connectionId)?.groupsRead ?? []
  const group = field('group')
  return (
    <FormDrawer {...dialog} title={say('terminals.order.open.title')} submitLabel={say('terminals.order.open.submit')}>
      <Text size="sm" c="dimmed">
        {say('terminals.order.open.about')}
      </Text>
      <TextInput label={say('common.client')} value={trader.name} readOnly />
      <Select
        label={say('terminals.record.server')}
        placeholder={servers.length === 0 ? say('terminals.order.open.no_server') : ''}
        data={servers.map(({ id, name }) => ({ value: id, label: name }))}
        data-autofocus={servers.length !== 1 || undefined}
        {...field('connectionId')}
      />
      <Autocomplete
        label={say('terminals.login.group')}
        data={groups.map(({ name }) => name)}
        data-autofocus={servers.length === 1 || undefined}
        {...group}
        onChange={(name) => {
          form.setFieldValue('group', name)
          // a group has one currency
          const known = groups.find((one) => one.name === name)
          if (known) form.setFieldValue('currency', known.currency)
        }}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput
          label={say('terminals.login.leverage')}
          leftSection="1:"
          inputMode="numeric"
          {...field('leverage')}
        />
        <CurrencyField {...field('currency')} />
      </SimpleGrid>
    </FormDrawer>
  )
}
