import { ActionIcon, Anchor, Group, Text, Title, Tooltip } from '@mantine/core'
import { IconChevronDown, IconChevronLeft, IconChevronUp } from '@tabler/icons-react'
import { Link, useMatch } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { useMe } from '../../lib/api/session.ts'
import { listPlace, type QueuePlace, useQueue, useQueueKeys } from '../../lib/lists/use-queue.ts'
import { noteRecent } from '../../lib/screen/recent-records.ts'
import { say } from '../../lib/text/words.ts'
import { Changeable, type ValueTools } from '../show/changeable.tsx'
import { orDash } from '../show/or-dash.tsx'
import { Page } from './page.tsx'

type RecordPageProps = {
  title: string
  /** The list that this record belongs to. */
  back: { to: string; label: string }
  status?: ReactNode
  subtitle?: ReactNode
  actions?: ReactNode
  /** The state of the record, in a line under its name. */
  stands?: ReactNode
  children: ReactNode
}

/**
 * The frame of one record's page: the link to its list, its neighbours there, its name and state, its actions. The
 * palette offers the record again.
 */
export const RecordPage = ({ title, back, status, subtitle, stands, actions, children }: RecordPageProps) => {
  const queue = useQueue()
  useQueueKeys(queue)
  // The link leads to the list with its former filters; for a record that was opened from elsewhere, to the whole list.
  const way = queue?.list.startsWith(back.to) ? listPlace(queue.list) : { to: back.to }
  const { id } = useMe()
  // this is the page's own address, since the browser's is already that of the next page while it loads
  const to = useMatch({ strict: false, select: ({ pathname }) => pathname })
  useEffect(() => noteRecent(id, { to, label: title, list: back.label }), [id, to, title, back.label])
  return (
    <Page
      title={title}
      heading={
        <>
          <Group gap="md">
            <Anchor renderRoot={(props) => <Link {...props} {...way} />} size="sm" c="dimmed" className="back">
              <IconChevronLeft size={14} aria-hidden /> {back.label}
            </Anchor>
            {queue && <Neighbours queue={queue} />}
          </Group>
          <Group gap="sm" mt={4}>
            <Title order={1}>{title}</Title>
            {status}
          </Group>
        </>
      }
      subtitle={subtitle}
      below={stands}
      actions={actions}
    >
      {children}
    </Page>
  )
}

/** Shows “3 of 24”, and the records before and after in the list that this one was opened from. */
const Neighbours = ({ queue }: { queue: QueuePlace }) => (
  <Group gap={2} className="neighbours">
    <Text size="sm" c="dimmed" mr={6}>
      {say(queue.isMore ? 'lists.place_more' : 'lists.place', { at: queue.at, of: queue.of })}
    </Text>
    <Tooltip label={say('lists.previous')}>
      <ActionIcon
        size="sm"
        aria-label={say('lists.previous')}
        disabled={queue.previous === null}
        onClick={() => queue.go('previous')}
      >
        <IconChevronUp size={16} />
      </ActionIcon>
    </Tooltip>
    <Tooltip label={say('lists.next')}>
      <ActionIcon
        size="sm"
        aria-label={say('lists.next')}
        disabled={queue.next === null}
        onClick={() => queue.go('next')}
      >
        <IconChevronDown size={16} />
      </ActionIcon>
    </Tooltip>
  </Group>
)

type Fact = readonly [label: string, value: ReactNode, tools?: ValueTools]

/** Lists label and value pairs of a record. An empty value is a dash; `undefined` leaves the pair out. */
export const Facts = ({ items }: { items: readonly Fact[] }) => (
  <dl className="facts">
    {items
      .filter(([, value]) => value !== undefined)
      .map(([label, value, tools]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <Changeable label={label} {...tools}>
              {orDash(value)}
            </Changeable>
          </dd>
        </div>
      ))}
  </dl>
)
