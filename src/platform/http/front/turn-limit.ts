/** Requests in one turn of the event loop before they are counted by connection. */
const FREE = 256
/** Further requests that one connection may have in such a turn. */
const OF_ONE = 64

/**
 * Reports when a connection sends more requests at once than one turn of the event loop should have. The server handles
 * everything that came in one piece before any other connection, and one piece may contain ten thousand. A request
 * without a connection, as in tests, is never too much.
 */
export function createTurnLimit(): (connection: () => string | null) => boolean {
  const counts = new Map<string, number>()
  let count = 0
  const turn = (): void => {
    count = 0
    counts.clear()
  }
  return (connection) => {
    if (count === 0) setImmediate(turn)
    count += 1
    if (count <= FREE) return false
    const name = connection()
    if (name === null) return false
    const ofOne = (counts.get(name) ?? 0) + 1
    counts.set(name, ofOne)
    return ofOne > OF_ONE
  }
}
