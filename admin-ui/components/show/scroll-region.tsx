import type { ReactNode } from 'react'

/** A box that scrolls by itself: named, and reachable by keyboard, or nobody could scroll it without a mouse. */
export const ScrollRegion = ({
  className,
  label,
  children,
}: {
  className: string
  label: string
  children: ReactNode
}) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: see above; the rule does not know of scrolling
  <section className={className} aria-label={label} tabIndex={0}>
    {children}
  </section>
)
