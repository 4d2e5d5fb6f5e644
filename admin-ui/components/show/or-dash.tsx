import type { ReactNode } from 'react'

/** A value, or the dash that stands for none. */
export const orDash = (value: ReactNode): ReactNode =>
  value === null || value === undefined || value === '' ? <span className="dim">—</span> : value
