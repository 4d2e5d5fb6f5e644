import { ActionIcon, Tooltip } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { buildUrl, call, type Query } from '../../api.ts'
import { useCan } from '../../lib/api/session.ts'
import { currentView } from '../../lib/api/viewed-person.ts'
import { loadColumns, toShownCsv } from '../../lib/csv/list-csv.ts'
import { savesShown } from '../../lib/csv/save-shown.ts'
import { type Filter, hasWrongDay } from '../../lib/lists/filters.ts'
import { useSearchParams } from '../../lib/lists/search-params.ts'
import { say } from '../../lib/text/words.ts'
import { toDay } from '../../lib/text/zone.ts'
import type { ReadId } from '../../operations.ts'
import type { Column } from './list-column.ts'

/** Operations that return a list as a file. */
export type FileId = Extract<ReadId, `${string}.export`>

type ListFileProps = {
  of: FileId
  /** The name of the list in the name of the file. */
  name: string
  /** The columns on the screen, in their order. */
  columns: readonly Shown[]
  /** The query of the list. */
  query: Query
  filters: readonly Filter[]
  /** Whether the list found more rows than it counts. */
  isLarge: boolean
}

type Shown = Pick<Column<never>, 'key' | 'title' | 'align' | 'file'>

/** Returns a list as it is on the screen: the API makes the file, and the console gives it the columns and words. */
async function makeShown(text: string, columns: readonly Shown[]): Promise<string> {
  const staff = text.includes('usr_') ? (await call('users.list', { query: { limit: 200 } })).data : []
  const names = new Map(staff.map(({ id, displayName }) => [id, displayName]))
  return toShownCsv(text, await loadColumns(text, columns), { names })
}

/**
 * Downloads a list with its filters and order, for readers who may export it. The button is off with an invalid day,
 * and for a search that finds more than fits into a file: the server would refuse both.
 */
export const ListFile = ({ of, name, columns, query, filters, isLarge }: ListFileProps) => {
  const can = useCan()
  const [search] = useSearchParams()
  // A link has no token of a view, and would return what the viewer may read instead.
  if (currentView() || !can('manager')) return null
  const tooMany = isLarge && query.q !== undefined
  const address = buildUrl(of, { query })
  const icon = <IconDownload size={18} />
  return (
    <Tooltip label={say(tooMany ? 'lists.export_too_many' : 'lists.export_told')}>
      {tooMany || hasWrongDay(search, filters) ? (
        <ActionIcon size="lg" aria-label={say('lists.export')} aria-disabled data-disabled>
          {icon}
        </ActionIcon>
      ) : (
        <ActionIcon
          size="lg"
          aria-label={say('lists.export')}
          component="a"
          {...savesShown(address, `${name}-${toDay(new Date())}`, (text) => makeShown(text, columns))}
        >
          {icon}
        </ActionIcon>
      )}
    </Tooltip>
  )
}
