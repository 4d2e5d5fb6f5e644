/** One request of a job. `{n}` in path or body becomes a ten-digit number that no other request of the job has. */
export type LoadRequest = { method: string; path: string; headers?: Record<string, string>; body?: string }

/** The job of a load process: a closed loop over keep-alive connections to one port of this machine. */
export type LoadJob = {
  port: number
  connections: number
  /** Chosen at random with a fixed seed; a request that is listed several times is sent more often. */
  requests: readonly LoadRequest[]
  /** The measured time; the job ends earlier once `count` answers have come. */
  seconds: number
  count?: number
  warmupSeconds: number
  /**
   * The request of a connection is due this many milliseconds after the one before was due, and its latency counts from
   * then. By default it is due at once.
   */
  everyMs?: number
  /** The first value of `{n}`. */
  start?: number
}

/** The results after the warm-up. Latencies are milliseconds; `cpu` is the load process's own share of a core. */
export type LoadResult = {
  requests: number
  seconds: number
  rps: number
  p50: number
  p99: number
  /** This one is not cut off, unlike the percentiles. */
  max: number
  bytes: number
  non2xx: Record<string, number>
  /** The number of connections that broke. */
  errors: number
  cpu: number
  /** The first unused `{n}`. */
  next: number
}

/** Returns repeatable pseudo-random numbers in [0, 1): mulberry32. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** The measurement begins after this time, when connections are open and the server is warm. */
export const SETTLE_SECONDS = 0.5

/**
 * Returns a job that gets single traders with a session at an even pace, each due `everyMs` after the one before.
 * `clients` connections take turns: over one connection, gets would wait for each other and not for the server.
 */
export const steadyGets = (
  { traderIds, token }: { traderIds: readonly string[]; token: string },
  { port, seconds, everyMs, clients }: { port: number; seconds: number; everyMs: number; clients: number },
): Promise<LoadResult> =>
  runLoad({
    port,
    connections: clients,
    requests: traderIds.map((id) => ({
      method: 'GET',
      path: `/v1/traders/${id}`,
      headers: { Cookie: `crm_session=${token}` },
    })),
    seconds,
    warmupSeconds: SETTLE_SECONDS,
    everyMs: everyMs * clients,
  })

/** Runs a job in its own process, so that it takes no time from the servers' event loops. */
export async function runLoad(job: LoadJob): Promise<LoadResult> {
  const child = Bun.spawn([process.execPath, `${import.meta.dir}/load.ts`], {
    stdin: new Blob([JSON.stringify(job)]),
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const output = await new Response(child.stdout).text()
  if ((await child.exited) !== 0) throw new Error('the load process failed')
  return JSON.parse(output)
}
