import type { Column } from '../../../components/lists/data-list.tsx'
import { orDash } from '../../../components/show/or-dash.tsx'
import { nameCell } from '../../../lib/csv/list-csv.ts'
import type { Filter } from '../../../lib/lists/filters.ts'
import type { Choice } from '../../../lib/text/choices.ts'
import { say } from './words.ts'

/** The records of one trading server, or of all, which have a column and a filter for it. */
export type OfServers = { connectionId: string } | { servers: readonly Choice[] }

/** Returns the columns and filters of a list of records of all servers, with the names of these. */
export function listServers<T extends { connectionId: string }, F extends Filter>(
  servers: readonly Choice[],
  columns: readonly Column<T>[],
  filters: readonly F[],
) {
  const names = Object.fromEntries(servers.map(({ value, label }) => [value, label]))
  const column: Column<T> = {
    key: 'connectionId',
    file: nameCell(names),
    title: say('terminals.record.server'),
    wide: true,
    card: true,
    render: ({ connectionId }) => orDash(names[connectionId]),
  }
  const filter = { key: 'connectionId', label: say('terminals.record.server'), options: servers } as const
  return { names, columns: columns.toSpliced(1, 0, column), filters: [...filters, filter] }
}
