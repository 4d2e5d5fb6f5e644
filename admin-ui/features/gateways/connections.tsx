import { Group, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPencil, IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { Confirm } from '../../components/confirm.tsx'
import { orDash } from '../../components/dash.tsx'
import { type Column, DataList } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { NewButton } from '../../components/list-actions.tsx'
import { MoreMenu } from '../../components/more-menu.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { When } from '../../components/when.tsx'
import { choices } from '../../lib/choices.ts'
import type { FilterOf } from '../../lib/filters.ts'
import { formatCount } from '../../lib/format.ts'
import { notify } from '../../lib/notify.tsx'
import { useRefresh } from '../../lib/use-record.ts'
import { GatewayForm } from './gateway-form.tsx'
import { GatewayGuide } from './gateway-guide.tsx'
import { deleteGateway, fetchGateways, type Gateway, updateGateway } from './gateways.api.ts'

const FILTERS: readonly FilterOf<'psp.list'>[] = [
  { key: 'status', label: 'Status', options: choices<Gateway['status']>({ active: 'Active', disabled: 'Disabled' }) },
]

const COLUMNS: readonly Column<Gateway>[] = [
  { key: 'name', title: 'Name', render: ({ name }) => name },
  { key: 'status', title: 'Status', render: ({ status }) => <StatusBadge status={status} /> },
  {
    key: 'callbackPath',
    title: 'Callback',
    wide: true,
    render: ({ callbackPath }) => <code className="code">{callbackPath}</code>,
  },
  {
    key: 'openExceptions',
    title: 'Exceptions',
    align: 'right',
    wide: true,
    render: ({ openExceptions }) => orDash(openExceptions > 0 && formatCount(openExceptions)),
  },
  {
    key: 'lastCallbackAt',
    title: 'Last result',
    wide: true,
    render: ({ lastCallbackAt }) => <When at={lastCallbackAt} as="ago" />,
  },
]

type Asked = { kind: 'toggle' | 'remove'; gateway: Gateway } | null

/** The payment gateways that report deposits. */
export const Connections = () => {
  const refresh = useRefresh()
  const [opened, { open, close }] = useDisclosure()
  const [guided, setGuided] = useState<Gateway | null>(null)
  const [editing, setEditing] = useState<Gateway | null>(null)
  const [asked, setAsked] = useState<Asked>(null)
  const reload = (): void => void refresh('gateways')
  const actions: Column<Gateway> = {
    key: 'actions',
    title: '',
    align: 'right',
    width: 56,
    render: (gateway) => (
      <MoreMenu
        label={`Actions for ${gateway.name}`}
        actions={[
          { label: 'Edit', icon: <IconPencil size={16} />, onClick: () => setEditing(gateway) },
          {
            label: gateway.status === 'active' ? 'Disable' : 'Enable',
            icon: gateway.status === 'active' ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />,
            onClick: () => setAsked({ kind: 'toggle', gateway }),
          },
          {
            label: 'Remove',
            icon: <IconTrash size={16} />,
            danger: true,
            onClick: () => setAsked({ kind: 'remove', gateway }),
          },
        ]}
      />
    ),
  }
  const toggle = async (): Promise<void> => {
    if (!asked) return
    const on = asked.gateway.status === 'active'
    await updateGateway(asked.gateway, { status: on ? 'disabled' : 'active' })
    notify(on ? 'Gateway disabled.' : 'Gateway enabled.')
    reload()
  }
  const remove = async (): Promise<void> => {
    if (!asked) return
    await deleteGateway(asked.gateway)
    notify('Gateway removed.')
    reload()
  }
  const on = asked?.gateway.status === 'active'
  const create = <NewButton onClick={open}>New gateway</NewButton>
  return (
    <Stack gap="sm">
      <Group justify="flex-end">{create}</Group>
      <DataList
        id="gateways"
        label="Gateways"
        fetch={fetchGateways}
        columns={[...COLUMNS, actions]}
        filters={FILTERS}
        onOpen={setGuided}
        empty={
          <EmptyState title="No gateways yet" action={create}>
            Connect a payment service, and its results settle deposits by themselves.
          </EmptyState>
        }
      />
      {opened && <GatewayForm onClose={close} onMade={setGuided} />}
      {editing && <GatewayForm gateway={editing} onClose={() => setEditing(null)} />}
      <GatewayGuide gateway={guided} onClose={() => setGuided(null)} />
      <Confirm
        title={on ? 'Disable this gateway' : 'Enable this gateway'}
        confirmLabel={on ? 'Disable' : 'Enable'}
        danger={on}
        opened={asked?.kind === 'toggle'}
        onClose={() => setAsked(null)}
        onReload={reload}
        action={toggle}
      >
        {on
          ? 'Its results are refused until it is enabled again.'
          : 'Its results settle and fail deposits again from now on.'}
      </Confirm>
      <Confirm
        title="Remove this gateway"
        confirmLabel="Remove gateway"
        opened={asked?.kind === 'remove'}
        onClose={() => setAsked(null)}
        onReload={reload}
        action={remove}
      >
        Results of <b>{asked?.gateway.name}</b> are refused from now on. Its deposits stay.
      </Confirm>
    </Stack>
  )
}
