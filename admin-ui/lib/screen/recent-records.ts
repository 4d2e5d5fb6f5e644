/** The page of an opened record: its address, its title, and the name of its list. */
type Recent = { to: string; label: string; list: string }

const KEPT = 5
/** The storage of this tab, which ends with the tab, so that a shared machine keeps no names of clients. */
type Shelf = Pick<Storage, 'getItem' | 'setItem'>

const shelf = (): Shelf | null => {
  try {
    return sessionStorage
  } catch {
    return null
  }
}
const buildStorageKey = (userId: string): string => `recent:${userId}`

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

/** Returns the records that a user opened last, the newest first. */
export function readRecent(userId: string, at: Shelf | null = shelf()): Recent[] {
  try {
    const kept: unknown = JSON.parse(at?.getItem(buildStorageKey(userId)) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isRecent).slice(0, KEPT) : []
  } catch {
    return []
  }
}

/** Records that a record's page is open; a known one moves to the front. */
export function noteRecent(userId: string, record: Recent, at: Shelf | null = shelf()): void {
  const others = readRecent(userId, at).filter(({ to }) => to !== record.to)
  try {
    at?.setItem(buildStorageKey(userId), JSON.stringify([record, ...others].slice(0, KEPT)))
  } catch {
    // a full storage only loses the recent records
    return
  }
}
