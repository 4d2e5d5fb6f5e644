import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useCallback } from 'react'
import { beginQueue, buildListUrl } from '../../lib/lists/queue.ts'
import { useSearchParams } from '../../lib/lists/search-params.ts'
import { useLatest } from '../../lib/screen/use-latest.ts'
import { useStart } from '../../lib/screen/use-once.ts'

type OpeningInput<T> = {
  rows: readonly T[]
  /** The address of a row's page; without it rows open in place, or not at all. */
  href: ((row: T) => string) | undefined
  onOpen: ((row: T) => void) | undefined
  /** Whether an opened record offers the other rows as its neighbours. */
  isQueue: boolean
  /** The number of rows in all; null if they were not counted. */
  total: number | null
  /** Whether the first record may be opened now, if the address asks for it. */
  mayStart: boolean
}

/** Opens rows of a list: on their pages, which then know their place in the list, or in place. */
export function useOpening<T>({ rows, href, onOpen, isQueue, total, mayStart }: OpeningInput<T>) {
  const [search, setSearch] = useSearchParams()
  const navigate = useNavigate()
  const path = useRouterState({ select: (state) => state.location.pathname })
  const remember = useLatest((): void => {
    if (href && isQueue)
      beginQueue({ list: buildListUrl(path, { ...search, start: undefined }), hrefs: rows.map(href), total })
  })
  const open = useLatest((row: T): void => {
    if (href) {
      remember()
      void navigate({ to: href(row) })
    } else onOpen?.(row)
  })
  // A reader who starts work on a queue begins with its first record; Back leads to the list.
  useStart(search.start !== undefined && mayStart, () => {
    const [row] = rows
    if (!row || !href) return setSearch({ start: undefined })
    remember()
    void navigate({ to: href(row), replace: true })
  })
  /** Turns the first cell of a row into its link or button. */
  const buildLink = useCallback(
    (row: T) => ({ ...(href && { to: href(row), onFollow: remember }), onOpen: () => open(row) }),
    [href, open, remember],
  )
  return { opens: Boolean(href ?? onOpen), open, buildLink }
}
