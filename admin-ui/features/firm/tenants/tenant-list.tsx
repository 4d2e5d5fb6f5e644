import { useDisclosure } from '@mantine/hooks'
import { IconBan, IconPencil, IconPlayerPlay } from '@tabler/icons-react'
import { useState } from 'react'
import { Confirm } from '../../../components/forms/confirm.tsx'
import { useUndo } from '../../../components/forms/use-undo.ts'
import { type Column, DataList } from '../../../components/lists/data-list.tsx'
import { NewButton } from '../../../components/lists/list-actions.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { MoreMenu } from '../../../components/page/more-menu.tsx'
import { Page } from '../../../components/page/page.tsx'
import { When } from '../../../components/show/moment.tsx'
import { orDash } from '../../../components/show/or-dash.tsx'
import { StatusBadge } from '../../../components/show/status-badge.tsx'
import { useMe } from '../../../lib/api/session.ts'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { CreateTenant } from './create-tenant.tsx'
import { EditTenant } from './edit-tenant.tsx'
import { fetchTenants, type Tenant, updateTenant } from './tenants.api.ts'
import { say } from './words.ts'

const COLUMNS: readonly Column<Tenant>[] = [
  { key: 'name', title: say('common.firm'), render: ({ name }) => name },
  { key: 'status', title: say('field.status'), render: ({ status }) => <StatusBadge status={status} /> },
  { key: 'slug', title: say('tenants.slug.label'), wide: true, render: ({ slug }) => slug },
  { key: 'domain', title: say('tenants.domain'), wide: true, render: ({ domain }) => orDash(domain) },
  {
    key: 'createdAt',
    title: say('tenants.founded'),
    wide: true,
    render: ({ createdAt }) => <When at={createdAt} as="date" />,
  },
]

/** Lists every firm on this installation. */
export const TenantList = () => {
  const [opened, { open, close }] = useDisclosure()
  const [editing, setEditing] = useState<Tenant | null>(null)
  const [asked, setAsked] = useState<Tenant | null>(null)
  const actions: Column<Tenant> = {
    key: 'actions',
    title: '',
    align: 'right',
    width: 56,
    render: (tenant) => <TenantMenu tenant={tenant} onEdit={setEditing} onAsk={setAsked} />,
  }
  return (
    <Page
      title={say('tenants.tenants')}
      subtitle={say('tenants.about')}
      actions={<NewButton onClick={open}>{say('tenants.new.title')}</NewButton>}
    >
      <DataList
        id="tenants"
        label={say('tenants.tenants')}
        fetch={fetchTenants}
        columns={[...COLUMNS, actions]}
        beside={(tenant, close) => <EditTenant tenant={tenant} onClose={close} />}
        plain
        empty={<EmptyState title={say('tenants.empty.title')} />}
      />
      {opened && <CreateTenant onClose={close} />}
      {editing && <EditTenant key={editing.id} tenant={editing} onClose={() => setEditing(null)} />}
      <AskSuspend tenant={asked} onClose={() => setAsked(null)} />
    </Page>
  )
}

type TenantMenuProps = { tenant: Tenant; onEdit: (tenant: Tenant) => void; onAsk: (tenant: Tenant) => void }

/** Offers the acts on one firm; the reader cannot suspend their own. */
const TenantMenu = ({ tenant, onEdit, onAsk }: TenantMenuProps) => {
  const me = useMe()
  return (
    <MoreMenu
      label={say('tenants.actions.label', { name: tenant.name })}
      actions={[
        { label: say('common.edit'), icon: <IconPencil size={16} />, onClick: () => onEdit(tenant) },
        tenant.status === 'suspended' && {
          label: say('tenants.activate'),
          icon: <IconPlayerPlay size={16} />,
          onClick: () => onAsk(tenant),
        },
        tenant.status === 'active' &&
          tenant.id !== me.tenant.id && {
            label: say('tenants.suspend'),
            icon: <IconBan size={16} />,
            danger: true,
            onClick: () => onAsk(tenant),
          },
      ]}
    />
  )
}

/** Asks before a firm is suspended, or activated again; `null` shows no question. */
const AskSuspend = ({ tenant, onClose }: { tenant: Tenant | null; onClose: () => void }) => {
  const refresh = useRefresh()
  const offerUndo = useUndo('tenants')
  const suspended = tenant?.status === 'suspended'
  const toggle = async (): Promise<void> => {
    if (!tenant) return
    const { status } = tenant
    const after = await updateTenant(tenant, { status: suspended ? 'active' : 'suspended' })
    offerUndo(suspended ? say('tenants.activate.done') : say('tenants.suspend.done'), () =>
      updateTenant(after, { status }),
    )
    await refresh('tenants')
  }
  return (
    <Confirm
      title={suspended ? say('tenants.activate.title') : say('tenants.suspend.title')}
      confirmLabel={suspended ? say('tenants.activate') : say('tenants.suspend')}
      danger={!suspended}
      opened={tenant !== null}
      onClose={onClose}
      onReload={() => void refresh('tenants')}
      action={toggle}
    >
      {suspended
        ? say('tenants.activate.about', { name: tenant?.name ?? '' })
        : say('tenants.suspend.about', { name: tenant?.name ?? '' })}
    </Confirm>
  )
}
