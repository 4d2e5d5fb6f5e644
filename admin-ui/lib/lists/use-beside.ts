import { createContext, useContext } from 'react'

/** The place of a record among the rows of its list, and the way to its neighbours there. */
export type Place = {
  /** The place, from 1. */
  at: number
  /** The number of rows; `isMore` is set if the list continues beyond those. */
  of: number
  isMore: boolean
  previous: string | null
  next: string | null
  go(to: Way): void
}

export type Way = 'previous' | 'next'

/** A row that is open beside its list. */
export type Beside = Place & {
  /**
   * The id of the row. Forms inside are registered with it, so that only they ask before another row replaces this one.
   */
  id: string
  /** The address of its page, without /admin; null if it has none. */
  href: string | null
  /** The direction in which the reader came from another row; null if they opened this one. */
  cameBy: Way | null
  /** Whether a drawer around shows the place already. */
  isShown: boolean
}

export const BesideContext = createContext<Beside | null>(null)

/** Returns the row of a list that this is shown for beside it; null on a page. */
export const useBeside = (): Beside | null => useContext(BesideContext)
