/**
 * Reads one thing at a time, asked for together: what is wanted within `wait` milliseconds goes out as one request.
 * `read` answers what it found, by id; what it did not find is undefined.
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
