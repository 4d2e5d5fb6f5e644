import { Button } from '@mantine/core'
import { IconDownload, IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Query } from '../api.ts'
import { type Filter, hasWrongDay, listQuery } from '../lib/filters.ts'
import { useSearchParams } from '../lib/search-params.ts'
import { currentView } from '../lib/view.ts'

/** Opens the form for something new. */
export const NewButton = ({ onClick, children }: { onClick: () => void; children: ReactNode }) => (
  <Button leftSection={<IconPlus size={16} />} onClick={onClick}>
    {children}
  </Button>
)

type ExportButtonProps = {
  /** Address of the file for the parameters that it is asked for with. */
  of: (query: Query) => string
  filters: readonly Filter[]
}

/** Downloads a list as the address filters it; not with a day that nobody understands. */
export const ExportButton = ({ of, filters }: ExportButtonProps) => {
  const [search] = useSearchParams()
  // A link goes without the token of a view, and would bring what the viewer may have instead.
  if (currentView()) return null
  const look = { variant: 'default', leftSection: <IconDownload size={16} /> } as const
  return hasWrongDay(search, filters) ? (
    <Button {...look} disabled>
      Export
    </Button>
  ) : (
    <Button {...look} component="a" href={of(listQuery(search, filters))} download>
      Export
    </Button>
  )
}
