import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Place } from '../../lib/lists/places.ts'

type OpensProps = {
  /** The list with the rows of the figure; null for a figure of nothing. */
  place: Place | null | undefined
  /** How many rows the figure counts, where it does; a test compares it with the list. */
  rows?: number
  className?: string
  children: ReactNode
}

/** Shows a figure as a link to its rows. */
export const Opens = ({ place, rows, className = 'text-link', children }: OpensProps) =>
  place && rows !== 0 ? (
    <Link {...place} className={className} data-rows={rows}>
      {children}
    </Link>
  ) : (
    children
  )
