import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCalendarStats, IconListSearch, IconSend } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { type Column, DataList } from '../../../components/lists/data-list.tsx'
import { NewButton } from '../../../components/lists/list-actions.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { Page } from '../../../components/page/page.tsx'
import { When } from '../../../components/show/moment.tsx'
import { orDash } from '../../../components/show/or-dash.tsx'
import { StatusBadge } from '../../../components/show/status-badge.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { NewServer } from './new-server.tsx'
import { MoneyState, ServerStatus } from './server-words.tsx'
import { fetchServers, type ServerRow } from './servers.api.ts'
import { say, tell } from './words.ts'

const LastRead = ({ health: { lastReadAt } }: ServerRow) =>
  lastReadAt ? <When at={lastReadAt} as="ago" /> : <span className="dim">{say('terminals.list.never')}</span>

const COLUMNS: readonly Column<ServerRow>[] = [
  { key: 'name', title: say('common.name'), render: ({ name }) => name },
  { key: 'server', title: say('terminals.form.server'), wide: true, render: ({ server }) => server },
  { key: 'status', title: say('common.state'), render: ({ status }) => <ServerStatus status={status} /> },
  {
    key: 'read',
    title: say('terminals.list.read'),
    render: LastRead,
    renderCard: (row) =>
      row.health.lastReadAt ? (
        tell('terminals.list.read_card', { ago: <LastRead key="ago" {...row} /> })
      ) : (
        <LastRead {...row} />
      ),
  },
  {
    key: 'lastDeal',
    title: say('terminals.list.last_deal'),
    wide: true,
    render: ({ health }) => <When at={health.lastDealAt} as="ago" />,
  },
  { key: 'money', title: say('common.money'), wide: true, render: ({ money }) => <MoneyState money={money} /> },
  {
    key: 'pending',
    title: say('terminals.list.waits'),
    wide: true,
    card: true,
    render: ({ pending }) =>
      orDash(pending && <StatusBadge status="waits" tone="wait" label={say('terminals.list.waits_value')} />),
    renderCard: ({ pending }) => pending && say('terminals.list.waits'),
  },
  {
    key: 'lastError',
    title: say('terminals.list.last_error'),
    wide: true,
    render: ({ health: { lastError } }) =>
      orDash(
        lastError && (
          <span className="clip" title={lastError.text}>
            {lastError.text}
          </span>
        ),
      ),
  },
]

/** Lists the trading servers that Brokerbase reads by itself. */
export const ServerList = () => {
  const can = useCan()
  const navigate = useNavigate()
  const [opened, { open, close }] = useDisclosure()
  const create = can('owner') ? <NewButton onClick={open}>{say('terminals.list.new')}</NewButton> : null
  return (
    <Page
      title={say('terminals.list.title')}
      subtitle={say('terminals.list.subtitle')}
      actions={
        <>
          {can('manager') && (
            <>
              <Button
                variant="default"
                leftSection={<IconListSearch size={16} />}
                renderRoot={(props) => <Link {...props} to="/platforms/findings" />}
              >
                {say('terminals.list.findings')}
              </Button>
              <Button
                variant="default"
                leftSection={<IconCalendarStats size={16} />}
                renderRoot={(props) => <Link {...props} to="/platforms/days" />}
              >
                {say('terminals.page.tab.days')}
              </Button>
            </>
          )}
          <Button
            variant="default"
            leftSection={<IconSend size={16} />}
            renderRoot={(props) => <Link {...props} to="/platforms/instructions" />}
          >
            {say('terminals.order.title')}
          </Button>
          {create}
        </>
      }
    >
      <DataList
        id="platforms"
        label={say('terminals.list.title')}
        fetch={fetchServers}
        columns={COLUMNS}
        href={({ id }) => `/platforms/${id}`}
        refetchEvery={15_000}
        empty={
          <EmptyState title={say('terminals.list.empty_title')} action={create}>
            {say('terminals.list.empty')}
            {create === null && ` ${say('terminals.list.empty_others')}`}
          </EmptyState>
        }
      />
      {opened && (
        <NewServer onClose={close} onMade={({ id }) => void navigate({ to: '/platforms/$id', params: { id } })} />
      )}
    </Page>
  )
}
