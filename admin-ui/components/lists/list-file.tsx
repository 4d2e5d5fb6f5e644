import { ActionIcon, Tooltip } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { buildUrl, type Query } from '../../api.ts'
import { savesFile } from '../../lib/api/save-file.ts'
import { useCan } from '../../lib/api/session.ts'
import { currentView } from '../../lib/api/viewed-person.ts'
import { type Filter, hasWrongDay } from '../../lib/lists/filters.ts'
import { useSearchParams } from '../../lib/lists/search-params.ts'
import { say } from '../../lib/text/words.ts'
import type { ReadId } from '../../operations.ts'

/** Operations that return a list as a file. */
export type FileId = Extract<ReadId, `${string}.export`>

type ListFileProps = {
  of: FileId
  /** The query of the list. */
  query: Query
  filters: readonly Filter[]
  /** Whether the list found more rows than it counts. */
  isLarge: boolean
}

/**
 * Downloads a list with its filters and order, for readers who may export it. The button is off with an invalid day,
 * and for a search that finds more than fits into a file: the server would refuse both.
 */
export const ListFile = ({ of, query, filters, isLarge }: ListFileProps) => {
  const can = useCan()
  const [search] = useSearchParams()
  // A link has no token of a view, and would return what the viewer may read instead.
  if (currentView() || !can('manager')) return null
  const tooMany = isLarge && query.q !== undefined
  const icon = <IconDownload size={18} />
  return (
    <Tooltip label={say(tooMany ? 'lists.export_too_many' : 'lists.export_told')}>
      {tooMany || hasWrongDay(search, filters) ? (
        <ActionIcon size="lg" aria-label={say('lists.export')} aria-disabled data-disabled>
          {icon}
        </ActionIcon>
      ) : (
        <ActionIcon size="lg" aria-label={say('lists.export')} component="a" {...savesFile(buildUrl(of, { query }))}>
          {icon}
        </ActionIcon>
      )}
    </Tooltip>
  )
}
