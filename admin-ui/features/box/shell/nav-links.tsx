import { UnstyledButton } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconChevronDown, IconPlus } from '@tabler/icons-react'
import { Link, useRouterState } from '@tanstack/react-router'
import { useId, useLayoutEffect, useRef } from 'react'
import { atLeast, type Role } from '../../../lib/api/session.ts'
import { currentView } from '../../../lib/api/viewed-person.ts'
import { NAVIGATION, type NavGroup } from '../../../lib/screen/nav.ts'
import { formatCount } from '../../../lib/text/format.ts'
import { say } from '../../../lib/text/words.ts'
import { useWaitingOn } from '../../base/live/summary.ts'
import { activePage, toggled } from './nav-state.ts'

/** Shows the side bar's links that the role may open, in groups that the reader may close. */
export const NavLinks = ({ role }: { role: Role | null }) => {
  const nav = useRef<HTMLDivElement>(null)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const [closed, setClosed] = useLocalStorage<readonly string[]>({
    key: 'nav-closed',
    defaultValue: [],
    getInitialValueInEffect: false,
  })
  const groups = NAVIGATION.map((group) => ({
    ...group,
    items: group.items.filter(({ least }) => atLeast(role, least)),
  })).filter(({ items }) => items.length > 0)
  const active = activePage(
    groups.flatMap(({ items }) => items.map(({ to }) => to)),
    path,
  )
  // The link of the open page is marked, and the reader must see the mark without scrolling.
  useLayoutEffect(() => {
    const links = nav.current
    const scroller = links?.closest('.mantine-ScrollArea-viewport')
    if (active === null || !scroller) return
    const show = (): void => links?.querySelector('[data-open-page]')?.scrollIntoView({ block: 'nearest' })
    show()
    // The bar has its final height a moment after it is drawn, and another one when the window is made smaller.
    const watch = new ResizeObserver(show)
    watch.observe(scroller)
    return () => watch.disconnect()
  }, [active])
  return (
    <div className="nav" ref={nav}>
      {groups.map((group) => (
        <Links
          key={group.label}
          group={group}
          role={role}
          active={active}
          open={!closed.includes(group.label)}
          onToggle={() => setClosed((now) => toggled(now, group.label))}
        />
      ))}
    </div>
  )
}

type LinksProps = { group: NavGroup; role: Role | null; active: string | null; open: boolean; onToggle: () => void }

/** A closed group shows only the link of the open page, and how many rows wait behind its other links. */
const Links = ({ group: { label, items }, role, active, open, onToggle }: LinksProps) => {
  const list = useId()
  const waitingOn = useWaitingOn()
  const shown = open ? items : items.filter(({ to }) => to === active)
  const hidden = items.filter((item) => !shown.includes(item))
  const waiting = hidden.reduce((sum, { to }) => sum + (waitingOn(to) ?? 0), 0)
  return (
    <div className="nav-group">
      <UnstyledButton className="nav-label" aria-expanded={open} aria-controls={list} onClick={onToggle}>
        <span>{label}</span>
        <NavCount count={waiting} />
        <IconChevronDown size={14} stroke={1.7} aria-hidden data-turned={!open || undefined} />
      </UnstyledButton>
      <ul id={list} aria-label={label}>
        {shown.map(({ to, label: name, icon: Icon, adds }) => (
          <li key={to} data-open-page={to === active || undefined} className="nav-item">
            <Link to={to} className="nav-link" activeOptions={{ exact: to === '/', includeSearch: false }}>
              <Icon size={17} stroke={1.7} />
              {name}
              <NavCount count={waitingOn(to)} />
            </Link>
            {adds && currentView() === null && atLeast(role, adds.least) && (
              <Link to={to} search={{ new: '1' }} className="nav-add" title={adds.label} aria-label={adds.label}>
                <IconPlus size={15} aria-hidden />
              </Link>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Shows how many rows wait behind a link, and nothing if none wait. */
const NavCount = ({ count }: { count: number | null }) =>
  count ? (
    <span className="nav-count">
      {formatCount(count)}
      <span className="sr-only">{say('shell.nav.waiting')}</span>
    </span>
  ) : null
