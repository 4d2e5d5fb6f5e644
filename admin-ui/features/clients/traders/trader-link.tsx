import { Link } from '@tanstack/react-router'
import { shownName } from './trader-names.ts'

/** Shows a client's name as a link to the client's page. */
export const TraderLink = ({ id, name }: { id: string; name: string | null }) => (
  <Link to="/traders/$id" params={{ id }} className="text-link">
    {shownName(name)}
  </Link>
)
