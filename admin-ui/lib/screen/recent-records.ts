/** A record's page that somebody opened: where it is, its title, and the name of the list that it belongs to. */
type Recent = { to: string; label: string; list: string }

const KEPT = 5
/** Kept in this tab until it is closed, as drafts are: nobody finds names of clients on a shared machine. */
type Shelf = Pick<Storage, 'getItem' | 'setItem'>

const shelf = (): Shelf | null => {
  try {
    return sessionStorage
  } catch {
    return null
  }
}
const keyOf = (userId: string): string => `recent:${userId}`

const isRecent = (value: unknown): value is Recent =>
  typeof value === 'object' &&
  value !== null &&
  'to' in value &&
  typeof value.to === 'string' &&
  value.to.startsWith('/') &&
  'label' in value &&
  typeof value.label === 'string' &&
  'list' in value &&
  typeof value.list === 'string'

/** The records that a person opened last, the newest first. */
export function readRecent(userId: string, at: Shelf | null = shelf()): Recent[] {
  try {
    const kept: unknown = JSON.parse(at?.getItem(keyOf(userId)) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isRecent).slice(0, KEPT) : []
  } catch {
    return []
  }
}

/** Notes that a record's page is open; one that was noted before comes to the front. */
export function noteRecent(userId: string, record: Recent, at: Shelf | null = shelf()): void {
  const others = readRecent(userId, at).filter(({ to }) => to !== record.to)
  try {
    at?.setItem(keyOf(userId), JSON.stringify([record, ...others].slice(0, KEPT)))
  } catch {
    // a full shelf forgets what was opened, and nothing else
    return
  }
}
