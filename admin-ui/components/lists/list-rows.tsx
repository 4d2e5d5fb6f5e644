import type { RefObject } from 'react'
import { useHeightBelow } from '../../lib/screen/height-below.ts'
import { usePhone } from '../../lib/screen/use-phone.ts'
import { ListCards } from './list-cards.tsx'
import { NearEnd } from './list-end.tsx'
import { ListFoot } from './list-foot.tsx'
import type { ListReading } from './list-query.ts'
import { ListTable, type ListTableProps } from './list-table.tsx'

type ListRowsProps<T extends { id: string }> = Omit<ListTableProps<T>, 'scroller' | 'rows' | 'total'> & {
  id: string
  read: ListReading<T>
  /** Whether the list fills the window and scrolls; elsewhere the page scrolls. */
  fills: boolean
  sumOf: string | undefined
  /** The element that contains the rows. */
  scroller: RefObject<HTMLDivElement | null>
}

/** Draws the rows of a list with its foot, as a table, or on a phone as cards; reads the next rows near their end. */
export function ListRows<T extends { id: string }>(props: ListRowsProps<T>) {
  const { id, read, fills, scroller, sumOf, ...table } = props
  const { list, rows, totals, pages } = read
  const { label, columns, choosing, onOpen, cell } = table
  const height = useHeightBelow(scroller, fills && rows.length > 0)
  const isPhone = usePhone()
  return (
    <>
      <div
        ref={scroller}
        className="list-scroller"
        data-scroll-restoration-id={`list-${id}`}
        style={{ maxHeight: height }}
      >
        {isPhone ? (
          <ListCards {...{ label, columns, rows, choosing, onOpen, cell }} />
        ) : (
          <ListTable {...table} rows={rows} total={totals?.total} scroller={fills ? scroller : null} />
        )}
        <NearEnd
          key={pages}
          on={list.hasNextPage && !list.isFetching && !list.isError}
          onReach={() => void list.fetchNextPage()}
        />
      </div>
      <ListFoot shown={rows.length} {...{ totals, sumOf, list }} />
    </>
  )
}

/** Scrolls a row into view, whether it is drawn or not. */
export function reveal(scroller: HTMLElement | null, index: number, height: number): void {
  const drawn = scroller?.querySelector(`[data-row="${index}"]`)
  if (drawn) drawn.scrollIntoView({ block: 'nearest' })
  else scroller?.scrollTo({ top: index * height })
}
