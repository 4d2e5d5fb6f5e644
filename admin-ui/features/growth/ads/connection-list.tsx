import { useDisclosure } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { type Column, DataList } from '../../../components/lists/data-list.tsx'
import { NewButton } from '../../../components/lists/list-actions.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { Page } from '../../../components/page/page.tsx'
import { When } from '../../../components/show/moment.tsx'
import { orDash } from '../../../components/show/or-dash.tsx'
import { useCan } from '../../../lib/api/session.ts'
import type { FilterOf } from '../../../lib/lists/filters.ts'
import { choices } from '../../../lib/text/choices.ts'
import { formatCount } from '../../../lib/text/format.ts'
import { type ConnectionRow, fetchConnections } from './ads.api.ts'
import { CONNECTION_STATES, ConnectionStatus } from './ads-words.tsx'
import { ConnectionForm } from './connection-form.tsx'
import { say } from './words.ts'

const FILTERS: readonly FilterOf<'ads.connections.list'>[] = [
  { key: 'status', label: say('field.status'), options: choices(CONNECTION_STATES) },
]

const COLUMNS: readonly Column<ConnectionRow>[] = [
  { key: 'name', title: say('ads.list.name'), render: ({ name }) => name },
  { key: 'status', title: say('field.status'), render: ({ status }) => <ConnectionStatus status={status} /> },
  {
    key: 'pages',
    title: say('ads.list.pages'),
    align: 'right',
    wide: true,
    render: ({ pageIds }) => orDash(pageIds.length > 0 && formatCount(pageIds.length)),
  },
  {
    key: 'lastError',
    title: say('ads.list.last_error'),
    wide: true,
    render: ({ lastError }) => (lastError ? <span className="clip">{lastError}</span> : orDash(null)),
  },
  {
    key: 'lastLeadAt',
    title: say('ads.list.last_lead'),
    wide: true,
    render: ({ lastLeadAt }) => <When at={lastLeadAt} as="ago" />,
  },
  {
    key: 'createdAt',
    title: say('ads.list.added'),
    sort: 'createdAt',
    wide: true,
    optional: true,
    render: ({ createdAt }) => <When at={createdAt} as="date" />,
  },
]

/** Lists the ad platforms from which leads are fetched. */
export const ConnectionList = () => {
  const can = useCan()
  const navigate = useNavigate()
  const [opened, { open, close }] = useDisclosure()
  const create = can('admin') ? <NewButton onClick={open}>{say('ads.list.new')}</NewButton> : null
  return (
    <Page title={say('ads.list.title')} subtitle={say('ads.list.subtitle')} actions={create}>
      <DataList
        id="ads"
        label={say('ads.list.title')}
        fetch={fetchConnections}
        columns={COLUMNS}
        filters={FILTERS}
        href={({ id }) => `/ads/${id}`}
        refetchEvery={60_000}
        empty={
          <EmptyState title={say('ads.list.empty_title')} action={create}>
            {say('ads.list.empty')}
          </EmptyState>
        }
      />
      {opened && (
        <ConnectionForm onClose={close} onMade={({ id }) => void navigate({ to: '/ads/$id', params: { id } })} />
      )}
    </Page>
  )
}
