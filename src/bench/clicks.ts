import { join } from 'node:path'
import { openReader } from '../platform/sqlite.ts'
import type { Dataset } from './dataset.ts'
import { type LoadRequest, type LoadResult, runLoad } from './load-job.ts'
import { median } from './rounds.ts'

/** The number of connections of the flood. */
const FLOODERS = 16
/** The number of networks from which the flood comes. */
const NETWORKS = 200
/** The number of connections on which staff write, and below it the interval of each. */
const WRITERS = 10
const WRITE_EVERY_MS = 200
const CODE = 'bench-partner'

/** The clicks that were accepted and written in a second of a flood, and the times of staff's writes meanwhile (ms). */
type ClicksFigure = {
  perSecond: number
  refused: string
  rowsPerSecond: number
  quiet: LoadResult
  beside: LoadResult
  /** The median times of an answer to an existing code, and to an unknown one. */
  known: number
  unknown: number
}

const refusals = ({ non2xx, errors }: LoadResult): string =>
  Object.keys(non2xx).join(', ') + (errors === 0 ? '' : ` ${errors} broken connections`)

/** Floods the server on `port`, which trusts a proxy on this machine; `directory` has its database. */
export async function measureClicks(
  set: Dataset,
  port: number,
  directory: string,
  seconds: number,
  rounds: number,
): Promise<ClicksFigure> {
  const base = `http://127.0.0.1:${port}`
  const headers = { cookie: `crm_session=${set.token}`, origin: base, 'content-type': 'application/json' }
  const call = async (method: string, path: string, body: object): Promise<{ id: string }> => {
    const answer = await fetch(base + path, { method, headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
    return answer.json()
  }
  const { id } = await call('POST', '/v1/affiliates', { traderId: set.traderIds[0], code: CODE })
  await call('PATCH', `/v1/affiliates/${id}`, { status: 'active' })

  const click = (code: string, network: number): LoadRequest => ({
    method: 'POST',
    path: '/v1/affiliates/clicks/track',
    headers: { 'X-Forwarded-For': `198.${18 + (network >> 8)}.${network & 255}.1` },
    body: JSON.stringify({ code, url: 'https://partner.example/landing' }),
  })
  const from = (code: string): LoadRequest[] => Array.from({ length: NETWORKS }, (_, n) => click(code, n))
  const flood = (requests: LoadRequest[], during: number, connections = FLOODERS): Promise<LoadResult> =>
    runLoad({ port, connections, requests, seconds: during, warmupSeconds: 0.5 })
  const writes = (name: string, during: number): Promise<LoadResult> =>
    runLoad({
      port,
      connections: WRITERS,
      requests: [
        {
          method: 'POST',
          path: '/v1/traders',
          headers: { Cookie: headers.cookie, Origin: base },
          body: `{"email":"${name}{n}@example.com","firstName":"Anna","lastName":"Bench","country":"DE"}`,
        },
      ],
      seconds: during,
      warmupSeconds: 0.5,
      everyMs: WRITE_EVERY_MS,
    })
  const rows = (): number => {
    const reader = openReader(join(directory, 'brokerbase.db'))
    const [row] = reader.all<{ n: number }>('SELECT count(*) AS n FROM affiliate_clicks')
    reader.close()
    return row?.n ?? 0
  }

  const quiet = await writes('quiet', seconds)
  const before = rows()
  const since = performance.now()
  const [beside, flooded] = await Promise.all([
    writes('flood', seconds),
    // most codes are unknown, and some exist
    flood([...from('nobody{n}'), ...from('unknown{n}'), ...from(CODE)], seconds),
  ])
  const rowsPerSecond = ((rows() - before) / (performance.now() - since)) * 1000
  const medians: { known: number[]; unknown: number[] } = { known: [], unknown: [] }
  for (let round = 0; round < rounds; round += 1) {
    for (const kind of round % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)) {
      const code = kind === 'known' ? CODE : CODE.replace(/./g, 'x')
      medians[kind].push((await flood(from(code), Math.max(0.5, seconds / 15), 1)).p50)
    }
  }
  return {
    perSecond: flooded.rps,
    refused: [refusals(flooded), refusals(quiet), refusals(beside)].filter((text) => text !== '').join('; '),
    rowsPerSecond,
    quiet,
    beside,
    known: median(medians.known),
    unknown: median(medians.unknown),
  }
}
