import { join } from 'node:path'
import { openReader } from '../platform/sqlite.ts'
import type { Dataset } from './dataset.ts'
import { type LoadResult, SETTLE_SECONDS, steadyGets } from './load-job.ts'
import { median } from './rounds.ts'
import { STREAM } from './rows-desk.ts'

const PER_CALL = 10_000
/** The other client asks at this interval, even if an answer is late: a share of answers is a share of the time. */
const EVERY_MS = 5
const CLIENTS = 10

type Open = { ticket: string; number: string; symbol: string; side: string; price: string; openedAt: number }

const OPEN = `SELECT ticket, account_number AS number, symbol, side, open_price AS price, opened_at AS openedAt FROM positions
  WHERE tenant_id = ?1 AND platform = ?2 AND server = ?3 AND status = 'open' ORDER BY ticket`

/** The times of a call and of the other client, in milliseconds; `quiet` is that client without any calls. */
type IngestFigure = {
  calls: number
  perSecond: number
  callMs: number
  updated: number
  refused: string
  beside: LoadResult
  quiet: LoadResult
}

/** Returns the open positions of the data set in `directory`, split into parts of one call each. */
function batches(directory: string, tenantId: string): Open[][] {
  const reader = openReader(join(directory, 'brokerbase.db'))
  const open = reader.all<Open>(OPEN, [tenantId, STREAM.platform, STREAM.server])
  reader.close()
  return Array.from({ length: Math.floor(open.length / PER_CALL) }, (_, index) =>
    open.slice(index * PER_CALL, (index + 1) * PER_CALL),
  )
}

/** Returns a delta in which every price has moved. */
const buildBody = (part: readonly Open[], sequence: number): string =>
  JSON.stringify({
    ...STREAM,
    sequence,
    mode: 'delta',
    positions: part.map(({ ticket, number, symbol, side, price, openedAt }, index) => ({
      ticket,
      accountNumber: number,
      symbol,
      side,
      volume: '1.5',
      openPrice: price,
      currentPrice: (1 + ((index + sequence * 7) % 99_991) / 100_000).toFixed(5),
      profit: (((index * 31 + sequence * 17) % 100_000) / 100).toFixed(2),
      openedAt: new Date(openedAt).toISOString(),
    })),
  })

/**
 * Sends deltas of 10,000 positions, one call after another for some seconds, while another client gets one trader every
 * 5 ms. `directory` has the database of the server on `port`.
 */
export async function measureIngest(
  set: Dataset,
  port: number,
  directory: string,
  seconds: number,
): Promise<IngestFigure> {
  const base = `http://127.0.0.1:${port}`
  const parts = batches(directory, set.tenantId)
  if (parts.length === 0) throw new Error('the data set has no open positions')
  const headers = { cookie: `crm_session=${set.token}`, origin: base, 'content-type': 'application/json' }
  let sequence = 0
  let refused = ''
  /** Sends one delta and returns how many positions it changed. */
  const send = async (body: string): Promise<number> => {
    const answer = await fetch(`${base}/v1/positions/sync`, { method: 'POST', headers, body })
    const report: { updated?: number } = await answer.json()
    if (!answer.ok) refused = String(answer.status)
    return report.updated ?? 0
  }
  const next = (): string => {
    sequence += 1
    return buildBody(parts[sequence % parts.length] ?? [], sequence)
  }
  const client = (during: number): Promise<LoadResult> =>
    steadyGets(set, { port, seconds: during, everyMs: EVERY_MS, clients: CLIENTS })

  await send(next())
  const quiet = await client(Math.min(seconds, 3))
  const beside = client(seconds)
  // bodies are prepared in advance if possible, so that the time of the client is not measured
  let body = next()
  await Bun.sleep(SETTLE_SECONDS * 1000)
  const taken: number[] = []
  let updated = 0
  const until = performance.now() + seconds * 1000
  while (performance.now() < until && refused === '') {
    const started = performance.now()
    updated += await send(body)
    taken.push(performance.now() - started)
    body = next()
  }
  const busy = taken.reduce((sum, ms) => sum + ms, 0) / 1000
  return {
    calls: taken.length,
    perSecond: (taken.length * PER_CALL) / busy,
    callMs: median(taken),
    updated,
    refused,
    beside: await beside,
    quiet,
  }
}
