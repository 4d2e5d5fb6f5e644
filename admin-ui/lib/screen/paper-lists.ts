import { useContext, useEffect } from 'react'
import { DialogDepth } from './dialog-depth.ts'
import { useLatest } from './use-latest.ts'

type RowPage = { data: readonly unknown[]; total?: number; totalIsMinimum?: boolean }
/** What was read of a list so far. */
type Read = { data: { pages: readonly RowPage[] } | undefined; hasNextPage: boolean }
/** A list that is read page by page. */
export type PagedList = Read & { fetchNextPage: () => Promise<Read & { isError: boolean }> }

/** The rows of a list that were read. */
export type Part = {
  shown: number
  /** The number of rows in all, if they were counted; there are more of them if `isMinimum`. */
  total: number | undefined
  isMinimum: boolean
  hasMore: boolean
}

export function measurePart({ data, hasNextPage }: Read): Part {
  const pages = data?.pages ?? []
  const { total, totalIsMinimum = false } = pages[0] ?? {}
  const shown = pages.reduce((sum, page) => sum + page.data.length, 0)
  return { shown, total, isMinimum: totalIsMinimum, hasMore: hasNextPage }
}

type Held = { depth: number; read: () => PagedList }
let held: readonly Held[] = []

/** Says that a list is on the page, so that its further rows are read before the page is printed. */
export function useOnPaper(list: PagedList): void {
  const depth = useContext(DialogDepth)
  const read = useLatest(() => list)
  useEffect(() => {
    const own = { depth, read }
    held = [...held, own]
    return () => {
      held = held.filter((one) => one !== own)
    }
  }, [depth, read])
}

/** Lists the lists on the page of which not all rows were read; a record beside its list is printed alone. */
export function listCutLists(): PagedList[] {
  const isBeside = document.querySelector('.mantine-Drawer-content') !== null
  return held.flatMap(({ depth, read }) => (depth > 0 === isBeside && read().hasNextPage ? [read()] : []))
}
