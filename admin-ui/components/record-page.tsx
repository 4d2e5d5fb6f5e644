import { Anchor, Group, Title } from '@mantine/core'
import { IconChevronLeft } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { orDash } from './dash.tsx'
import { Page } from './page.tsx'

type RecordPageProps = {
  title: string
  /** Where the list is that this record belongs to. */
  back: { to: string; label: string }
  status?: ReactNode
  subtitle?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

/** The frame of one record's page: the way back, its name and state, its actions. */
export const RecordPage = ({ title, back, status, subtitle, actions, children }: RecordPageProps) => (
  <Page
    title={title}
    heading={
      <>
        <Anchor component={Link} to={back.to} size="sm" c="dimmed" className="back">
          <IconChevronLeft size={14} aria-hidden /> {back.label}
        </Anchor>
        <Group gap="sm" mt={4}>
          <Title order={1}>{title}</Title>
          {status}
        </Group>
      </>
    }
    subtitle={subtitle}
    actions={actions}
  >
    {children}
  </Page>
)

/** Label and value pairs of a record. An empty value is a dash; `undefined` leaves the pair out. */
export const Facts = ({ items }: { items: readonly (readonly [string, ReactNode])[] }) => (
  <dl className="facts">
    {items
      .filter(([, value]) => value !== undefined)
      .map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{orDash(value)}</dd>
        </div>
      ))}
  </dl>
)
