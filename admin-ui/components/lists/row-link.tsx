import { UnstyledButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

type RowLinkProps = {
  to?: string
  /** Hears that the link is followed, before it is. */
  onFollow?: () => void
  onOpen: () => void
  children: ReactNode
}

/** A row's first cell: a real link or button, so that it works with a keyboard, a middle click and a screen reader. */
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
