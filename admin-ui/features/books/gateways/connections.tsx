import { Group, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPencil, IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { Confirm } from '../../../components/forms/confirm.tsx'
import { useUndo } from '../../../components/forms/use-undo.ts'
import { type Column, DataList } from '../../../components/lists/data-list.tsx'
import { NewButton } from '../../../components/lists/list-actions.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { MoreMenu } from '../../../components/page/more-menu.tsx'
import { When } from '../../../components/show/moment.tsx'
import { orDash } from '../../../components/show/or-dash.tsx'
import { StatusBadge } from '../../../components/show/status-badge.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { useRefresh } from '../../../lib/api/use-record.ts'
import type { FilterOf } from '../../../lib/lists/filters.ts'
import { choices } from '../../../lib/text/choices.ts'
import { formatCount } from '../../../lib/text/format.ts'
import { GatewayForm } from './gateway-form.tsx'
import { GatewayGuide } from './gateway-guide.tsx'
import { deleteGateway, fetchGateways, type Gateway, updateGateway } from './gateways.api.ts'
import { say, tell } from './words.ts'

const STATES: Readonly<Record<Gateway['status'], string>> = {
  active: say('gateways.active'),
  disabled: say('gateways.disabled'),
}
const FILTERS: readonly FilterOf<'psp.list'>[] = [
  {
    key: 'status',
    label: say('field.status'),
    options: choices(STATES),
  },
]

/** Shows whether results of the gateway are booked: none is, once the person who entered its secret has left. */
const GatewayStatus = ({ gateway: { status, standsStill } }: { gateway: Gateway }) =>
  status === 'active' && standsStill ? (
    <StatusBadge status="standing" label={say('gateways.standing.label')} tone="bad" />
  ) : (
    <StatusBadge status={status} label={STATES[status]} />
  )

const COLUMNS: readonly Column<Gateway>[] = [
  { key: 'name', title: say('common.name'), render: ({ name }) => name },
  { key: 'status', title: say('field.status'), render: (gateway) => <GatewayStatus gateway={gateway} /> },
  {
    key: 'callbackPath',
    title: say('gateways.callback'),
    wide: true,
    render: ({ callbackPath }) => <code className="code">{callbackPath}</code>,
  },
  {
    key: 'openExceptions',
    title: say('gateways.exceptions'),
    align: 'right',
    wide: true,
    render: ({ openExceptions }) => orDash(openExceptions > 0 && formatCount(openExceptions)),
  },
  {
    key: 'lastCallbackAt',
    title: say('gateways.column.last_result'),
    wide: true,
    render: ({ lastCallbackAt }) => <When at={lastCallbackAt} as="ago" />,
  },
]

type Asked = { kind: 'toggle' | 'remove'; gateway: Gateway }

/** Builds the column of actions. */
const actColumn = (on: { edit: (gateway: Gateway) => void; ask: (asked: Asked) => void }): Column<Gateway> => ({
  key: 'actions',
  title: '',
  align: 'right',
  width: 56,
  render: (gateway) => (
    <MoreMenu
      label={say('gateways.actions.label', { name: gateway.name })}
      actions={[
        { label: say('common.edit'), icon: <IconPencil size={16} />, onClick: () => on.edit(gateway) },
        {
          label: gateway.status === 'active' ? say('gateways.disable') : say('gateways.enable'),
          icon: gateway.status === 'active' ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />,
          onClick: () => on.ask({ kind: 'toggle', gateway }),
        },
        {
          label: say('common.remove'),
          icon: <IconTrash size={16} />,
          danger: true,
          onClick: () => on.ask({ kind: 'remove', gateway }),
        },
      ]}
    />
  ),
})

/** Lists the payment gateways that report deposits. */
export const Connections = () => {
  const [opened, { open, close }] = useDisclosure()
  const [guided, setGuided] = useState<Gateway | null>(null)
  const [editing, setEditing] = useState<Gateway | null>(null)
  const [asked, setAsked] = useState<Asked | null>(null)
  const create = <NewButton onClick={open}>{say('gateways.new.title')}</NewButton>
  const forget = (): void => setAsked(null)
  return (
    <Stack gap="sm">
      <Group justify="flex-end">{create}</Group>
      <DataList
        id="gateways"
        label={say('gateways.gateways')}
        fetch={fetchGateways}
        columns={[...COLUMNS, actColumn({ edit: setEditing, ask: setAsked })]}
        filters={FILTERS}
        beside={(gateway, close) => <GatewayGuide gateway={gateway} onClose={close} />}
        empty={
          <EmptyState title={say('gateways.empty.title')} action={create}>
            {say('gateways.empty.about')}
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

/** Asks before a gateway is disabled, which refuses its results, or is enabled again. */
const AskToggle = ({ gateway, onClose }: AskProps) => {
  const refresh = useRefresh()
  const offerUndo = useUndo('gateways')
  const on = gateway?.status === 'active'
  const toggle = async (): Promise<void> => {
    if (!gateway) return
    const { status } = gateway
    const after = await updateGateway(gateway, { status: on ? 'disabled' : 'active' })
    offerUndo(on ? say('gateways.disable.done') : say('gateways.enable.done'), () => updateGateway(after, { status }))
    void refresh('gateways')
  }
  return (
    <Confirm
      title={on ? say('gateways.disable.title') : say('gateways.enable.title')}
      confirmLabel={on ? say('gateways.disable') : say('gateways.enable')}
      danger={on}
      opened={gateway !== null}
      onClose={onClose}
      onReload={() => void refresh('gateways')}
      action={toggle}
    >
      {on ? say('gateways.disable.about') : say('gateways.enable.about')}
    </Confirm>
  )
}

/** Asks before a gateway is removed. */
const AskRemove = ({ gateway, onClose }: AskProps) => {
  const refresh = useRefresh()
  const remove = async (): Promise<void> => {
    if (!gateway) return
    await deleteGateway(gateway)
    notify(say('gateways.remove.done'))
    void refresh('gateways')
  }
  return (
    <Confirm
      title={say('gateways.remove.title')}
      confirmLabel={say('gateways.remove.submit')}
      opened={gateway !== null}
      onClose={onClose}
      onReload={() => void refresh('gateways')}
      action={remove}
    >
      {tell('gateways.remove.about', { name: <b>{gateway?.name}</b> })}
    </Confirm>
  )
}
