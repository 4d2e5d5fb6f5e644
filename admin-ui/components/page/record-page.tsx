import { Anchor, Group, Title } from '@mantine/core'
import { IconChevronLeft } from '@tabler/icons-react'
import { Link, useMatch } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { useMe } from '../../lib/api/session.ts'
import { useBeside } from '../../lib/lists/use-beside.ts'
import { listPlace, useQueue } from '../../lib/lists/use-queue.ts'
import { noteRecent } from '../../lib/screen/recent-records.ts'
import { Changeable, type ValueTools } from '../show/changeable.tsx'
import { orDash } from '../show/or-dash.tsx'
import { Neighbours } from './neighbours.tsx'
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
 * The frame of one record's page: the link to its list, its neighbours there, its name and state, its actions. When the
 * record is shown beside its list, the drawer has the links instead. The palette offers the record again.
 */
export const RecordPage = ({ title, back, status, subtitle, stands, actions, children }: RecordPageProps) => {
  const queue = useQueue()
  const beside = useBeside()
  // The link leads to the list with its former filters; for a record that was opened from elsewhere, to the whole list.
  const way = queue?.list.startsWith(back.to) ? listPlace(queue.list) : { to: back.to }
  const { id } = useMe()
  // this is the page's own address, since the browser's is already that of the next page while it loads
  const page = useMatch({ strict: false, select: ({ pathname }) => pathname })
  const to = beside?.href ?? page
  useEffect(() => noteRecent(id, { to, label: title, list: back.label }), [id, to, title, back.label])
  return (
    <Page
      title={title}
      heading={
        <>
          {!beside && (
            <Group gap="md">
              <Anchor renderRoot={(props) => <Link {...props} {...way} />} size="sm" c="dimmed" className="back">
                <IconChevronLeft size={14} aria-hidden /> {back.label}
              </Anchor>
              {queue && <Neighbours place={queue} />}
            </Group>
          )}
          <Group gap="sm" mt={4}>
            <Title order={beside ? 3 : 1}>{title}</Title>
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
