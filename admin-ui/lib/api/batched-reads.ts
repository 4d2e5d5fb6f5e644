/**
 * Collects single reads within `wait` milliseconds into one request. `read` returns what it found, by id; an id that it
 * did not find is undefined.
 */
export function gathered<T extends { id: string }>(
  read: (ids: readonly string[]) => Promise<readonly T[]>,
  wait = 20,
): (id: string) => Promise<T | undefined> {
  let next: { ids: Set<string>; found: Promise<Map<string, T>> } | null = null
  return async (id) => {
    if (next === null) {
      const ids = new Set<string>()
      const found = (async () => {
        await new Promise((resolve) => setTimeout(resolve, wait))
        next = null
        return new Map((await read([...ids])).map((one) => [one.id, one]))
      })()
      next = { ids, found }
    }
    next.ids.add(id)
    return (await next.found).get(id)
  }
}
