import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/** Leads to the page of a trading account. */
export const AccountLink = ({ id, children }: { id: string; children: ReactNode }) => (
  <Link to="/accounts/$id" params={{ id }} className="text-link">
    {children}
  </Link>
)
