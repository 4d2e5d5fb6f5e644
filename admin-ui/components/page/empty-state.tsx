import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'

type EmptyStateProps = {
  title: string
  children?: ReactNode
  action?: ReactNode
}

/** Explains why a list is empty, and what to do next. */
export const EmptyState = ({ title, children, action }: EmptyStateProps) => (
  <Stack align="center" gap="xs" py={56} px="md" className="empty">
    <Text fw={600} ta="center">
      {title}
    </Text>
    {children && (
      <Text size="sm" c="dimmed" ta="center" maw={420}>
        {children}
      </Text>
    )}
    {action}
  </Stack>
)
