import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { type Beside, BesideContext, type Way } from '../../lib/lists/use-beside.ts'
import { WIDE_DRAWER } from '../../lib/screen/drawer-widths.ts'
import { askGuards } from '../../lib/screen/open-guards.ts'
import { PageLoader } from '../page/page-loader.tsx'
import { RecordDrawer } from '../page/record-drawer.tsx'
import type { ListReading } from './list-query.ts'

/** Holds which row is beside a list that keeps this in its address. `draw` also draws a row that was not read yet. */
type BesideAt = {
  id: string | null
  show: (id: string | null) => void
  draw: (id: string, close: () => void) => ReactNode
}

export type BesideProps<T> = {
  /** The name of the list. */
  label: string
  /** Returns the address of a row's page, without /admin. */
  href?: (row: T) => string
  /** Draws a row in a drawer, if rows have no pages of their own; each row gets a new drawer. */
  beside?: (row: T, close: () => void) => ReactNode
  besideAt?: BesideAt
  /** Draws the record of a row beside the list, if the row also has a page. */
  peek?: (row: T) => ReactNode
}

/** Returns the id of the open row, which the list keeps unless the address has it. */
export const useBesideId = <T,>({ besideAt }: BesideProps<T>): Pick<BesideAt, 'id' | 'show'> => {
  const [id, show] = useState<string | null>(null)
  return besideAt ?? { id, show }
}

/** The row as it was when it was opened, and its last place in the list, even if it has left the list since. */
type Held<T> = { id: string; row: T | undefined; index: number }

/**
 * Finds the open row and the places of its neighbours. If the open row has left the list, the next one has its place.
 */
function useHeldRow<T extends { id: string }>(id: string, rows: readonly T[]) {
  const held = useRef<Held<T> | null>(null)
  const found = rows.findIndex((row) => row.id === id)
  if (held.current?.id !== id) held.current = { id, row: rows[found], index: found }
  else if (found !== -1) held.current.index = found
  const { row, index } = held.current
  return { row, index, ways: { previous: index - 1, next: index === -1 || found === -1 ? index : index + 1 } }
}

/** Reads the next rows before the reader comes to the last one. */
function useNextRows<T>({ list, rows }: ListReading<T>, index: number): void {
  const { hasNextPage, fetchNextPage } = list
  const wants = index !== -1 && index >= rows.length - 2 && hasNextPage && !list.isFetching && !list.isError
  useEffect(() => {
    if (wants) void fetchNextPage()
  }, [wants, fetchNextPage])
}

type BesideRowProps<T> = Pick<BesideAt, 'show'> & {
  id: string
  of: BesideProps<T>
  read: ListReading<T>
  /** Moves the mark of the arrow keys to a row. */
  onMove: (index: number) => void
}

/** Shows one row beside its list, with its place there and the way to its neighbours. */
export const BesideRow = <T extends { id: string }>({ id, show, of, read, onMove }: BesideRowProps<T>) => {
  const { rows, total } = read
  const [cameBy, setCameBy] = useState<Way | null>(null)
  const { row, index, ways } = useHeldRow(id, rows)
  useNextRows(read, index)
  const close = (): void => show(null)
  const count = index === -1 ? 0 : Math.max(total ?? 0, rows.length)
  const place: Beside = {
    id,
    href: (row && of.href?.(row)) ?? null,
    at: Math.min(index + 1, count),
    of: count,
    isMore: total === null,
    previous: rows[ways.previous]?.id ?? null,
    next: rows[ways.next]?.id ?? null,
    go: (to) => {
      const next = rows[ways[to]]
      if (!next) return
      setCameBy(to)
      onMove(ways[to])
      show(next.id)
    },
    cameBy,
    isShown: false,
  }
  return (
    <BesideContext key={id} value={place}>
      {of.besideAt?.draw(id, close)}
      {row && of.beside?.(row, close)}
      {row && of.peek && (
        <RecordDrawer opened onClose={() => askGuards(close, id)} title={of.label} size={WIDE_DRAWER}>
          <Suspense fallback={<PageLoader />}>
            <div className="peek">{of.peek(row)}</div>
          </Suspense>
        </RecordDrawer>
      )}
    </BesideContext>
  )
}
