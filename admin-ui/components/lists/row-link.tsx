import { UnstyledButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

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
