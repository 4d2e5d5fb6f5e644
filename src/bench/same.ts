import type { Dataset } from './dataset.ts'
import type { Servers } from './rounds.ts'

/** Cursors differ by design (ours is signed), and ids are random. */
const maskCursor = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || !('nextCursor' in value)) return value
  return { ...value, nextCursor: typeof value.nextCursor }
}

/** Returns the requests that the two servers answer differently, since the ratio of these would mean nothing. */
export async function differences(set: Dataset, servers: Servers): Promise<string[]> {
  const [id] = set.traderIds
  const found: string[] = []
  for (const path of [`/v1/traders/${id}`, '/v1/traders?limit=50', '/v1/traders?limit=50&q=anna%20bauer']) {
    const [ours, bare] = await Promise.all(
      [servers.ours, servers.bare].map(async ({ port }) => {
        const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
          headers: { cookie: `crm_session=${set.token}` },
        })
        return maskCursor(await answer.json())
      }),
    )
    if (!Bun.deepEquals(ours, bare)) found.push(path)
  }
  const keys = await Promise.all(
    [servers.ours, servers.bare].map(async ({ port }) => {
      const answer = await fetch(`http://127.0.0.1:${port}/v1/traders`, {
        method: 'POST',
        headers: {
          cookie: `crm_session=${set.token}`,
          origin: `http://127.0.0.1:${port}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ email: 'same@example.com', firstName: 'Anna', lastName: 'Same', country: 'DE' }),
      })
      return Object.keys(await answer.json()).join()
    }),
  )
  if (keys[0] !== keys[1]) found.push('POST /v1/traders')
  return found
}
