import { ActionIcon, Menu, Text, UnstyledButton } from '@mantine/core'
import { IconArrowsMove } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Page, Query } from '../../../api.ts'
import { LoadMore, MaybeOld } from '../../../components/lists/list-rest.tsx'
import { ErrorState, errorText } from '../../../components/page/error-state.tsx'
import { PageLoader } from '../../../components/page/page-loader.tsx'
import { When } from '../../../components/show/moment.tsx'
import { ScrollRegion } from '../../../components/show/scroll-region.tsx'
import { pickPageSize } from '../../../lib/api/page-size.ts'
import { useCan } from '../../../lib/api/session.ts'
import { useStaff } from '../../firm/users/users.api.ts'
import { isLeadStatus, LEAD_STATES, NEXT } from './lead-words.tsx'
import { fetchLeads, type Lead, leadName } from './leads.api.ts'
import { type Target, useMoveLead } from './use-move-lead.ts'
import { say } from './words.ts'

const COLUMNS = Object.keys(LEAD_STATES).filter(isLeadStatus)

type Mover = { dragged: Lead | null; drag: (lead: Lead | null) => void; move: (lead: Lead, to: Target) => void }

/** Shows leads by status. A card is dragged to its next status; its menu does the same by keyboard and touch. */
export const LeadBoard = ({ query, onOpen }: { query: Query; onOpen: (lead: Lead) => void }) => {
  const [dragged, setDragged] = useState<Lead | null>(null)
  const send = useMoveLead()
  const mover: Mover = { dragged, drag: setDragged, move: (lead, to) => send.mutate({ lead, to }) }
  return (
    <>
      {send.isError && (
        <Text size="sm" role="status" className="error-text" mb="sm">
          {say('leads.move.failed', { why: errorText(send.error) })}
        </Text>
      )}
      <ScrollRegion className="board" label={say('leads.board.label')}>
        {COLUMNS.map((status) => (
          <Column key={status} status={status} query={query} mover={mover} onOpen={onOpen} />
        ))}
      </ScrollRegion>
    </>
  )
}

type ColumnProps = { status: Lead['status']; query: Query; mover: Mover; onOpen: (lead: Lead) => void }

const Column = ({ status, query, mover, onOpen }: ColumnProps) => {
  const [over, setOver] = useState(false)
  const list = useInfiniteQuery({
    queryKey: ['leads', 'board', status, query],
    queryFn: ({ pageParam }) =>
      fetchLeads({ limit: pickPageSize(25), ...query, status, count: !pageParam, cursor: pageParam }),
    initialPageParam: '',
    getNextPageParam: (page: Page<Lead>) => page.nextCursor,
    placeholderData: (previous) => previous,
  })
  const rows = list.data?.pages.flatMap(({ data }) => data) ?? []
  const target = mover.dragged && NEXT[mover.dragged.status].find((next) => next === status)
  const { label } = LEAD_STATES[status]
  return (
    <section
      className="board-column"
      aria-label={label}
      data-target={target ? true : undefined}
      data-over={over && target ? true : undefined}
      onDragOver={(event) => {
        if (!target) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        if (target && mover.dragged) mover.move(mover.dragged, target)
      }}
    >
      <h2 className="board-head">
        {label} <span className="dim">{list.data?.pages[0]?.total ?? ''}</span>
      </h2>
      {list.isPending && <PageLoader />}
      <MaybeOld list={list} />
      {list.isLoadingError && <ErrorState error={list.error} retry={() => void list.refetch()} />}
      {list.data && rows.length === 0 && (
        <Text size="sm" c="dimmed" p="xs">
          {say('common.none')}
        </Text>
      )}
      <ul className="board-cards">
        {rows.map((lead) => (
          <Card key={lead.id} lead={lead} mover={mover} onOpen={onOpen} />
        ))}
      </ul>
      <LoadMore list={list} variant="subtle" fullWidth />
    </section>
  )
}

const Card = ({ lead, mover, onOpen }: { lead: Lead; mover: Mover; onOpen: (lead: Lead) => void }) => {
  const can = useCan()
  const staff = useStaff()
  const next = can('operator') ? NEXT[lead.status] : []
  const name = leadName(lead)
  return (
    <li
      className="card"
      draggable={next.length > 0}
      data-dragged={mover.dragged?.id === lead.id || undefined}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData('text/plain', name)
        mover.drag(lead)
      }}
      onDragEnd={() => mover.drag(null)}
    >
      <div className="card-main">
        <UnstyledButton className="row-link ellipsis" onClick={() => onOpen(lead)}>
          {name}
        </UnstyledButton>
        <div className="row-sub ellipsis">
          {[lead.source, staff.findStaffName(lead.assignedTo)].filter(Boolean).map((text) => `${text} · `)}
          <When at={lead.createdAt} as="ago" />
        </div>
      </div>
      {next.length > 0 && (
        <Menu position="bottom-end" withinPortal>
          <Menu.Target>
            <ActionIcon aria-label={say('leads.move', { name })} size="sm">
              <IconArrowsMove size={15} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Label>{say('leads.move.label')}</Menu.Label>
            {next.map((status) => (
              <Menu.Item key={status} onClick={() => mover.move(lead, status)}>
                {LEAD_STATES[status].label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </li>
  )
}
