import { stringifySearch } from './search-params.ts'
import type { Place } from './use-beside.ts'

/** The rows of a list from which a record was opened, so that its page links back and to the next one. */
type Queue = {
  /** The address of the list with its filters, without /admin. */
  list: string
  /** The addresses of the records in the list's order, as far as it was read. */
  hrefs: readonly string[]
  /** The number of rows in all, if it is known. */
  total: number | null
}

/** The place of a record there; its neighbours are addresses. */
type QueuePlace = Omit<Place, 'go'> & { list: string }

const KEY = 'queue'

/** Stores the list that a record is opened from. Each tab has its own. */
export function beginQueue(queue: Queue): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(queue))
  } catch {
    // Without room in storage the record has no neighbours, and its list is still a click away.
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

/** Returns the list that was stored last. */
export function heldQueue(): Queue | null {
  try {
    const held: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? 'null')
    return isQueue(held) ? held : null
  } catch {
    return null
  }
}

/** Returns the place of a record in a queue; null if the queue does not have it. */
export function placeIn(queue: Queue | null, href: string): QueuePlace | null {
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

/** Returns the address of a list in the router's form. */
export const buildListUrl = (path: string, search: Record<string, unknown>): string =>
  `${path}${stringifySearch(search)}`
