import { Group, Paper, Title } from '@mantine/core'
import type { ReactNode } from 'react'

type SectionProps = {
  title: string
  description?: ReactNode
  actions?: ReactNode
  children?: ReactNode
  flush?: boolean
}

/** A titled box. `flush` lets a table reach its edges. */
export const Section = ({ title, description, actions, children, flush = false }: SectionProps) => (
  <Paper component="section" className="section" data-flush={flush || undefined}>
    <Group justify="space-between" gap="sm" className="section-head">
      <div>
        <Title order={2}>{title}</Title>
        {description && <div className="section-description">{description}</div>}
      </div>
      {actions && <Group gap="xs">{actions}</Group>}
    </Group>
    {children && <div className="section-body">{children}</div>}
  </Paper>
)
