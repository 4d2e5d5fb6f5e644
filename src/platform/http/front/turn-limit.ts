/** Requests of one turn of the event loop before anybody looks at whose they are. */
const FREE = 256
/** Requests that one connection has in such a turn beyond those. */
const OF_ONE = 64

/**
 * Tells when a connection sends more requests at once than one turn of the event loop should have: the server handles
 * all that came in one piece before it turns to anybody else, and one piece may hold ten thousand. What comes by no
 * connection, as in tests, is never too much.
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
