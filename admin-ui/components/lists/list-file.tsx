import { ActionIcon, Tooltip } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { addressOf, type Query } from '../../api.ts'
import { savesFile } from '../../lib/api/save-file.ts'
import { useCan } from '../../lib/api/session.ts'
import { currentView } from '../../lib/api/viewed-person.ts'
import { type Filter, hasWrongDay } from '../../lib/lists/filters.ts'
import { useSearchParams } from '../../lib/lists/search-params.ts'
import { say } from '../../lib/text/words.ts'
import type { ReadId } from '../../operations.ts'

/** Operations that answer a list as a file. */
export type FileId = Extract<ReadId, `${string}.export`>

type ListFileProps = {
  of: FileId
  /** What the list asks for. */
  query: Query
  filters: readonly Filter[]
  /** The list found more rows than it counts. */
  isLarge: boolean
}

/**
 * Downloads a list as it is filtered and ordered, for those who may take it away. Not with a day that nobody
 * understands, and not for a search that finds more than the server puts into a file: it would refuse either.
 */
export const ListFile = ({ of, query, filters, isLarge }: ListFileProps) => {
  const can = useCan()
  const [search] = useSearchParams()
  // A link goes without the token of a view, and would bring what the viewer may have instead.
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
        <ActionIcon size="lg" aria-label={say('lists.export')} component="a" {...savesFile(addressOf(of, { query }))}>
          {icon}
        </ActionIcon>
      )}
    </Tooltip>
  )
}
