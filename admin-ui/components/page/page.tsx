import { Group, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { say } from '../../lib/text/words.ts'

type PageProps = {
  title: string
  /** Shown instead of the plain title, when a page needs more than text there. */
  heading?: ReactNode
  subtitle?: ReactNode
  /** Under the head, over its whole width. */
  below?: ReactNode
  actions?: ReactNode
  children: ReactNode
  /** Forms and settings read better in a narrow column. */
  narrow?: boolean
}

/** A page's frame: its title (also the browser tab's), its actions, its content. */
export const Page = ({ title, heading, subtitle, below, actions, children, narrow = false }: PageProps) => {
  useEffect(() => {
    document.title = say('parts.brokerbase', { title })
  }, [title])
  return (
    <div className="page" data-narrow={narrow || undefined}>
      <Group justify="space-between" align="flex-start" gap="sm" mb="lg" className="page-head">
        <div className="page-title">
          {heading ?? <Title order={1}>{title}</Title>}
          {subtitle && <div className="page-subtitle">{subtitle}</div>}
        </div>
        {actions && (
          <Group gap="xs" className="page-actions">
            {actions}
          </Group>
        )}
      </Group>
      {below}
      {children}
    </div>
  )
}
