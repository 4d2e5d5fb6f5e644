import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { type Beside, BesideContext, type Way } from '../../lib/lists/use-beside.ts'
import { WIDE_DRAWER } from '../../lib/screen/drawer-widths.ts'
import { askGuards } from '../../lib/screen/open-guards.ts'
import { PageLoader } from '../page/page-loader.tsx'
import { RecordDrawer } from '../page/record-drawer.tsx'
import type { ListReading } from './list-query.ts'

/** Holds which row is beside a list, for a list whose address says so; that row may be one that was not read yet. */
export type BesideAt = {
  id: string | null
  show: (id: string | null) => void
  draw: (id: string, close: () => void) => ReactNode
}

export type BesideProps<T> = {
  /** The name of the list. */
  label: string
  /** Returns the address of a row's page, without /admin. */
  href?: (row: T) => string
  /** Draws a row in a drawer, if it has no page of its own; it is keyed by the row. */
  beside?: (row: T, close: () => void) => ReactNode
  besideAt?: BesideAt
  /** Draws the record of a row that has a page, to be looked at beside the list. */
  peek?: (row: T) => ReactNode
}

/** The open row as it was when it was opened, and its place, which stays when it has left the list. */
type Held<T> = { id: string; row: T | undefined; index: number }

type BesideInput<T> = {
  of: BesideProps<T>
  read: ListReading<T>
  /** Moves the mark of the arrow keys to a row. */
  onMove: (index: number) => void
}

/** Shows one row beside its list, with its place there and the way to its neighbours. */
export function useBesideRow<T extends { id: string }>({ of, read, onMove }: BesideInput<T>) {
  const { list, rows, total } = read
  const [own, setOwn] = useState<string | null>(null)
  const [came, setCame] = useState<Way | null>(null)
  const { id, show } = of.besideAt ?? { id: own, show: setOwn }
  const held = useRef<Held<T> | null>(null)
  const found = rows.findIndex((row) => row.id === id)
  if (id === null) held.current = null
  else if (held.current?.id !== id) held.current = { id, row: rows[found], index: found }
  else if (found !== -1) held.current.index = found
  const index = held.current?.index ?? -1
  const isNearEnd = id !== null && index !== -1 && index >= rows.length - 2
  const isReading = list.isFetching || list.isError
  // The next rows are read before the reader comes to the last one.
  useEffect(() => {
    if (isNearEnd && list.hasNextPage && !isReading) void list.fetchNextPage()
  }, [isNearEnd, isReading, list.hasNextPage, list.fetchNextPage])
  const open = (row: T): void => {
    setCame(null)
    show(row.id)
  }
  const close = (): void => show(null)
  /** The place of each neighbour: the row after one that has left the list took its place. */
  const ways = { previous: index - 1, next: found === -1 ? index : index + 1 }
  const go = (to: Way): void => {
    const row = rows[ways[to]]
    if (!row) return
    setCame(to)
    onMove(ways[to])
    show(row.id)
  }
  return { open, drawn: id !== null && draw(id) }

  function draw(shown: string): ReactNode {
    const row = held.current?.row
    const count = Math.max(total ?? 0, rows.length)
    const place: Beside = {
      id: shown,
      href: (row && of.href?.(row)) ?? null,
      at: Math.min(index + 1, count),
      of: index === -1 ? 0 : count,
      isMore: total === null,
      previous: rows[ways.previous]?.id ?? null,
      next: (index !== -1 && rows[ways.next]?.id) || null,
      go,
      came,
      isShown: false,
    }
    return (
      <BesideContext key={shown} value={place}>
        {of.besideAt?.draw(shown, close)}
        {row && of.beside?.(row, close)}
        {row && of.peek && (
          <RecordDrawer opened onClose={() => askGuards(close, shown)} title={of.label} size={WIDE_DRAWER}>
            <Suspense fallback={<PageLoader />}>
              <div className="peek">{of.peek(row)}</div>
            </Suspense>
          </RecordDrawer>
        )}
      </BesideContext>
    )
  }
}
