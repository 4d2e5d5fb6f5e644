import type { ReactNode } from 'react'

/** A box that scrolls. It has a name and takes the focus, so that the keyboard can scroll it. */
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
