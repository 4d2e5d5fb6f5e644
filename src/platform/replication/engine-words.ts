import { MINUTE } from '../clock.ts'
import type { Log } from '../log.ts'

/** It calls this an error: it begins to compact a snapshot before the first one is there, and does so soon after. */
const NOTHING_YET = 'maximum transaction id required'

/** What it says of its own failure at its end, in plain words beside its log. */
const failureIn = (line: string): string | undefined => /^Error: (.+)/.exec(line)?.[1]?.slice(0, 500)

/**
 * Hears what the engine says on a stream until that ends; answers what it said of its own failure last. What it warns
 * of goes to the log, once a minute over all streams, everything else with `debug`.
 */
export function createEngineWords(log: Log): (stream: ReadableStream<Uint8Array>) => Promise<string | undefined> {
  let warnedAt = Number.NEGATIVE_INFINITY
  const warn = (line: string): void => {
    if (performance.now() - warnedAt < MINUTE) return
    warnedAt = performance.now()
    log.warn({ engine: line.slice(0, 1000) }, 'the engine warns')
  }
  return async (stream) => {
    let failure: string | undefined
    const decoder = new TextDecoder()
    let rest = ''
    for await (const piece of stream) {
      const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        failure = failureIn(line) ?? failure
        // one bad disk is told of each second; what it is said once a minute is enough to mend it
        if (/"level":"(WARN|ERROR)"/.test(line) && !line.includes(NOTHING_YET)) warn(line)
        else log.debug({ engine: line.slice(0, 1000) }, 'the engine says')
      }
    }
    return failureIn(rest) ?? failure
  }
}
