import type { ReactNode } from 'react'

/** Returns a value, or a dash if it is empty. */
export const orDash = (value: ReactNode): ReactNode =>
  value === null || value === undefined || value === '' ? <span className="dim none">—</span> : value
