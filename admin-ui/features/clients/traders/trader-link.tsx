import { Link } from '@tanstack/react-router'
import { shownName } from './trader-names.ts'

/** A trader's name that leads to the record. */
export const TraderLink = ({ id, name }: { id: string; name: string | null }) => (
  <Link to="/traders/$id" params={{ id }} className="text-link">
    {shownName(name)}
  </Link>
)
