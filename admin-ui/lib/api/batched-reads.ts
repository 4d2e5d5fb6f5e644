/**
 * Collects single reads within `wait` milliseconds into one request. `read` returns what it found, by id; an id that it
 * did not find is undefined. An id whose readers have all left by then, as their `signal` says, is not asked for.
 */
export function batchReads<T extends { id: string }>(
  read: (ids: readonly string[]) => Promise<readonly T[]>,
  wait = 20,
): (id: string, signal?: AbortSignal) => Promise<T | undefined> {
  let next: { readers: Set<{ id: string }>; found: Promise<Map<string, T>> } | null = null
  return async (id, signal) => {
    if (next === null) {
      const readers = new Set<{ id: string }>()
      const found = (async () => {
        await new Promise((resolve) => setTimeout(resolve, wait))
        next = null
        const ids = new Set([...readers].map((reader) => reader.id))
        return new Map(ids.size === 0 ? [] : (await read([...ids])).map((one) => [one.id, one]))
      })()
      next = { readers, found }
    }
    const { readers, found } = next
    const reader = { id }
    readers.add(reader)
    signal?.addEventListener('abort', () => readers.delete(reader))
    return (await found).get(id)
  }
}
