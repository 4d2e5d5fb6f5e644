import { Link } from '@tanstack/react-router'
import { formatCount } from '../../lib/format.ts'
import { NAVIGATION } from '../../lib/nav.ts'
import { atLeast, type Role } from '../../lib/session.ts'
import { useWaitingOn } from '../live/summary.ts'

/** The side bar's links, those alone that the role may open. */
export const NavLinks = ({ role }: { role: Role | null }) => {
  const waitingOn = useWaitingOn()
  return (
    <div className="nav">
      {NAVIGATION.map((group) => ({
        ...group,
        items: group.items.filter(({ least }) => atLeast(role, least)),
      }))
        .filter(({ items }) => items.length > 0)
        .map(({ label, items }) => (
          <div key={label} className="nav-group">
            <div className="nav-label" id={`nav-${label}`}>
              {label}
            </div>
            <ul aria-labelledby={`nav-${label}`}>
              {items.map(({ to, label: name, icon: Icon }) => (
                <li key={to}>
                  <Link to={to} className="nav-link" activeOptions={{ exact: to === '/', includeSearch: false }}>
                    <Icon size={17} stroke={1.7} />
                    {name}
                    <NavCount count={waitingOn(to)} />
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
    </div>
  )
}

/** How many rows wait behind a link; nothing when none do. */
const NavCount = ({ count }: { count: number | null }) =>
  count ? (
    <span className="nav-count">
      {formatCount(count)}
      <span className="sr-only"> waiting</span>
    </span>
  ) : null
