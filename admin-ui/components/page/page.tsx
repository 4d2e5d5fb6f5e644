import { Group, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { useBeside } from '../../lib/lists/use-beside.ts'
import { say } from '../../lib/text/words.ts'

type PageProps = {
  title: string
  /** Replaces the plain title if a page needs more than text there. */
  heading?: ReactNode
  subtitle?: ReactNode
  /** Is drawn under the header, over the whole width. */
  below?: ReactNode
  actions?: ReactNode
  children: ReactNode
  /** Draws a narrow column, in which forms and settings are easier to read. */
  narrow?: boolean
}

/** The frame of a page: its title (also the browser tab's), its actions, its content. */
export const Page = ({ title, heading, subtitle, below, actions, children, narrow = false }: PageProps) => {
  const isBeside = useBeside() !== null
  useEffect(() => {
    if (!isBeside) document.title = say('parts.brokerbase', { title })
  }, [isBeside, title])
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
