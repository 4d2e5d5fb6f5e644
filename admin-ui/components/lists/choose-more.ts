import { useLayoutEffect, useRef, useState } from 'react'
import type { ListReading } from './list-query.ts'
import type { Selectable } from './selectable.ts'

/** At most this many rows of a list are read to choose from. */
const MOST_READ = 5_000

/** How many rows are chosen at once, if a list names no smaller number. */
export const MOST_CHOSEN = MOST_READ

export type ChooseMore = {
  /** What can be chosen beyond the rows read so far: all that match, or the first ones. */
  offer: { count: number; isAll: boolean } | null
  /** The rows read so far while more are being read; null otherwise. */
  reading: number | null
  start: () => void
  stop: () => void
}

type ChooseMoreInput<T extends { id: string }> = {
  read: ListReading<T>
  /** Changes when the rows belong to another search or filter, which ends the reading. */
  listKey: string
  most: number
  chosen: readonly T[]
  /** Whether every row read so far is chosen, except those that cannot be. */
  isAll: boolean
  set: (rows: T[]) => void
  selectable: Selectable<T> | undefined
}

/**
 * Chooses rows beyond those read so far. They are read into the list first, so that the reader can see every chosen
 * row, and rows that are created later are not chosen.
 */
export function useChooseMore<T extends { id: string }>(input: ChooseMoreInput<T>): ChooseMore {
  const { read, listKey, most, chosen, isAll, set, selectable } = input
  const { list, rows, totals, readWide } = read
  const run = useRef<symbol | null>(null)
  const [isReading, setReading] = useState(false)
  const stop = (): void => {
    run.current = null
    setReading(false)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list ends the reading of the previous one
  useLayoutEffect(() => stop, [listKey])
  const start = async (): Promise<void> => {
    const own = Symbol('reading')
    run.current = own
    setReading(true)
    readWide()
    let at: Pick<typeof list, 'data' | 'hasNextPage'> = list
    for (;;) {
      const known = (at.data?.pages ?? []).flatMap((page) => page.data)
      const possible = known.filter((row) => selectable?.when(row) ?? true)
      if (!at.hasNextPage || possible.length >= most || known.length >= MOST_READ) {
        set(possible.slice(0, most))
        return stop()
      }
      const next = await list.fetchNextPage()
      if (run.current !== own) return
      const isStuck = (next.data?.pages.length ?? 0) <= (at.data?.pages.length ?? 0)
      if (next.isError || isStuck) return stop()
      at = next
    }
  }
  const total = totals?.totalIsMinimum ? undefined : totals?.total
  const reach = Math.min(total ?? most, most)
  const canRead = list.hasNextPage && !list.isPlaceholderData && total !== undefined && rows.length < MOST_READ
  const isOffered = chosen.length > most || (isAll && canRead && chosen.length < reach)
  return {
    offer: isOffered && !isReading ? { count: reach, isAll: total !== undefined && total <= most } : null,
    reading: isReading ? rows.length : null,
    start: () => void start(),
    stop,
  }
}
