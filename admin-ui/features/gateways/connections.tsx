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

type Asked = { kind: 'toggle' | 'remove'; gateway: Gateway }

/** What is done with one gateway. */
const actColumn = (on: { edit: (gateway: Gateway) => void; ask: (asked: Asked) => void }): Column<Gateway> => ({
  key: 'actions',
  title: '',
  align: 'right',
  width: 56,
  render: (gateway) => (
    <MoreMenu
      label={`Actions for ${gateway.name}`}
      actions={[
        { label: 'Edit', icon: <IconPencil size={16} />, onClick: () => on.edit(gateway) },
        {
          label: gateway.status === 'active' ? 'Disable' : 'Enable',
          icon: gateway.status === 'active' ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />,
          onClick: () => on.ask({ kind: 'toggle', gateway }),
        },
        {
          label: 'Remove',
          icon: <IconTrash size={16} />,
          danger: true,
          onClick: () => on.ask({ kind: 'remove', gateway }),
        },
      ]}
    />
  ),
})

/** The payment gateways that report deposits. */
export const Connections = () => {
  const [opened, { open, close }] = useDisclosure()
  const [guided, setGuided] = useState<Gateway | null>(null)
  const [editing, setEditing] = useState<Gateway | null>(null)
  const [asked, setAsked] = useState<Asked | null>(null)
  const create = <NewButton onClick={open}>New gateway</NewButton>
  const forget = (): void => setAsked(null)
  return (
    <Stack gap="sm">
      <Group justify="flex-end">{create}</Group>
      <DataList
        id="gateways"
        label="Gateways"
        fetch={fetchGateways}
        columns={[...COLUMNS, actColumn({ edit: setEditing, ask: setAsked })]}
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
      <AskToggle gateway={asked?.kind === 'toggle' ? asked.gateway : null} onClose={forget} />
      <AskRemove gateway={asked?.kind === 'remove' ? asked.gateway : null} onClose={forget} />
    </Stack>
  )
}

type AskProps = { gateway: Gateway | null; onClose: () => void }

/** Asks before the results of a gateway are refused for a while, or taken again. */
const AskToggle = ({ gateway, onClose }: AskProps) => {
  const refresh = useRefresh()
  const on = gateway?.status === 'active'
  const toggle = async (): Promise<void> => {
    if (!gateway) return
    await updateGateway(gateway, { status: on ? 'disabled' : 'active' })
    notify(on ? 'Gateway disabled.' : 'Gateway enabled.')
    void refresh('gateways')
  }
  return (
    <Confirm
      title={on ? 'Disable this gateway' : 'Enable this gateway'}
      confirmLabel={on ? 'Disable' : 'Enable'}
      danger={on}
      opened={gateway !== null}
      onClose={onClose}
      onReload={() => void refresh('gateways')}
      action={toggle}
    >
      {on
        ? 'Its results are refused until it is enabled again.'
        : 'Its results settle and fail deposits again from now on.'}
    </Confirm>
  )
}

/** Asks before a gateway is removed. */
const AskRemove = ({ gateway, onClose }: AskProps) => {
  const refresh = useRefresh()
  const remove = async (): Promise<void> => {
    if (!gateway) return
    await deleteGateway(gateway)
    notify('Gateway removed.')
    void refresh('gateways')
  }
  return (
    <Confirm
      title="Remove this gateway"
      confirmLabel="Remove gateway"
      opened={gateway !== null}
      onClose={onClose}
      onReload={() => void refresh('gateways')}
      action={remove}
    >
      Results of <b>{gateway?.name}</b> are refused from now on. Its deposits stay.
    </Confirm>
  )
}
