import { ActionIcon, UnstyledButton } from '@mantine/core'
import { IconLayoutSidebarRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { say } from '../../lib/text/words.ts'

type RowLinkProps = {
  to?: string
  /** Called before the link is followed. */
  onFollow?: () => void
  onOpen: () => void
  children: ReactNode
}

/** A row's first cell: a real link or button, so that keyboard, middle click and screen reader work. */
export const RowLink = ({ to, onFollow, onOpen, children }: RowLinkProps) =>
  to ? (
    <Link to={to} className="row-link" {...(onFollow && { onClick: onFollow })}>
      {children}
    </Link>
  ) : (
    <UnstyledButton className="row-link" onClick={onOpen}>
      {children}
    </UnstyledButton>
  )

/** Shows a row beside the list. It appears under the pointer; the keyboard has P for the marked row. */
export const RowPeek = ({ onClick }: { onClick: () => void }) => (
  <ActionIcon
    size="sm"
    variant="default"
    className="row-peek"
    tabIndex={-1}
    aria-label={say('lists.peek')}
    title={say('lists.peek')}
    onClick={onClick}
  >
    <IconLayoutSidebarRight size={15} />
  </ActionIcon>
)
