import { Button } from '@mantine/core'
import { useState } from 'react'
import { Confirm } from '../../../components/forms/confirm.tsx'
import { type Column, DataList } from '../../../components/lists/data-list.tsx'
import { NAME_WIDTH } from '../../../components/lists/list-column.ts'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { Page } from '../../../components/page/page.tsx'
import { When } from '../../../components/show/moment.tsx'
import { orDash } from '../../../components/show/or-dash.tsx'
import { StatusBadge } from '../../../components/show/status-badge.tsx'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { TraderLink } from '../../clients/traders/trader-link.tsx'
import { type FindStaffName, useStaff } from '../../firm/users/users.api.ts'
import { endView } from '../../firm/views/views.api.ts'
import { say } from '../../firm/views/words.ts'
import { fetchViews, type ViewRow } from './view-list.api.ts'

const buildColumns = (findStaffName: FindStaffName, onEnd: (row: ViewRow) => void): readonly Column<ViewRow>[] => [
  {
    key: 'who',
    title: say('views.list.who'),
    width: NAME_WIDTH,
    wide: true,
    render: ({ impersonatorId, createdAt }) => orDash(findStaffName(impersonatorId, createdAt)),
  },
  {
    key: 'whom',
    title: say('views.list.whom'),
    width: NAME_WIDTH,
    render: ({ traderId, userId, traderName }) =>
      traderId === null ? orDash(findStaffName(userId)) : <TraderLink id={traderId} name={traderName} />,
  },
  { key: 'reason', title: say('views.list.reason'), wide: true, render: ({ reason }) => orDash(reason) },
  {
    key: 'createdAt',
    title: say('views.list.began'),
    wide: true,
    card: true,
    render: ({ createdAt }) => <When at={createdAt} />,
  },
  {
    key: 'state',
    title: say('views.list.state'),
    render: (row) => (
      <StatusBadge
        status={row.active ? 'open' : 'closed'}
        tone={row.active ? 'wait' : 'off'}
        label={row.active ? say('views.list.active') : say('views.list.over')}
      />
    ),
  },
  {
    key: 'end',
    title: '',
    align: 'right',
    render: (row) =>
      row.active && (
        <Button size="compact-xs" variant="default" onClick={() => onEnd(row)}>
          {say('views.banner.end')}
        </Button>
      ),
  },
]

/** Shows owners who viewed as which client or colleague, and why. */
export const ViewList = () => {
  const staff = useStaff()
  const refresh = useRefresh()
  const [ending, setEnding] = useState<ViewRow | null>(null)
  const end = async (): Promise<void> => {
    if (ending) await endView(ending.id)
    await refresh('views')
  }
  return (
    <Page title={say('views.list.title')} subtitle={say('views.list.subtitle')}>
      <DataList
        id="views"
        label={say('views.list.title')}
        fetch={fetchViews}
        columns={buildColumns(staff.findStaffName, setEnding)}
        empty={<EmptyState title={say('views.list.none')}>{say('views.list.how')}</EmptyState>}
      />
      <Confirm
        title={say('views.list.end_title')}
        confirmLabel={say('views.list.end_now')}
        opened={ending !== null}
        onClose={() => setEnding(null)}
        action={end}
      >
        {say('views.list.end_text')}
      </Confirm>
    </Page>
  )
}
