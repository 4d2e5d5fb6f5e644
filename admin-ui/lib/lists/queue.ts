import { stringifySearch } from './search-params.ts'

/** The rows of a list from which a record was opened, so that its page knows the way back and the next one. */
type Queue = {
  /** Address of the list with its filters, without /admin. */
  list: string
  /** Addresses of the records in the list's order, as far as it was read. */
  hrefs: readonly string[]
  /** How many there are in all, where that is known. */
  total: number | null
}

export type Place = {
  list: string
  /** From 1. */
  at: number
  /** Of so many; `isMore` where the list goes on beyond those. */
  of: number
  isMore: boolean
  previous: string | null
  next: string | null
}

const KEY = 'queue'

/** Remembers the list that a record is opened from. Each tab has its own. */
export function beginQueue(queue: Queue): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(queue))
  } catch {
    // Without room for it the record has no neighbours, and its list is still a click away.
  }
}

const isQueue = (held: unknown): held is Queue =>
  typeof held === 'object' &&
  held !== null &&
  'list' in held &&
  typeof held.list === 'string' &&
  'hrefs' in held &&
  Array.isArray(held.hrefs) &&
  held.hrefs.every((href) => typeof href === 'string') &&
  'total' in held &&
  (held.total === null || typeof held.total === 'number')

/** The list that was remembered last. */
export function heldQueue(): Queue | null {
  try {
    const held: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? 'null')
    return isQueue(held) ? held : null
  } catch {
    return null
  }
}

/** Where a record stands in a queue; null where it is not of it. */
export function placeIn(queue: Queue | null, href: string): Place | null {
  if (!queue) return null
  const { hrefs, total, list } = queue
  const index = hrefs.indexOf(href)
  if (index === -1) return null
  return {
    list,
    at: index + 1,
    of: Math.max(total ?? 0, hrefs.length),
    isMore: total === null,
    previous: hrefs[index - 1] ?? null,
    next: hrefs[index + 1] ?? null,
  }
}

/** Address of a list as the router has it. */
export const addressOfList = (path: string, search: Record<string, unknown>): string =>
  `${path}${stringifySearch(search)}`
