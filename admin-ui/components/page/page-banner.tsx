import type { ReactNode } from 'react'
import './page-banner.css'

type PageBannerProps = { label: string; icon: ReactNode; severity?: string | undefined; children: ReactNode }

/** A line above every page. An alarm is red, other notices are amber. */
export const PageBanner = ({ label, icon, severity, children }: PageBannerProps) => (
  <section className="page-banner" data-severity={severity} aria-label={label}>
    {icon}
    <span>{children}</span>
  </section>
)
