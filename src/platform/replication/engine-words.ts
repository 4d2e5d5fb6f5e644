import { MINUTE } from '../clock.ts'
import type { Log } from '../log.ts'

/** The engine logs this as an error when it compacts before the first snapshot exists; a later attempt succeeds. */
const NOTHING_YET = 'maximum transaction id required'

/** Returns the failure in one of the last lines of the engine, which is plain text unlike its log. */
const failureIn = (line: string): string | undefined => /^Error: (.+)/.exec(line)?.[1]?.slice(0, 500)

/**
 * Makes a reader of the engine's output, which returns the last failure once a stream ends. Warnings of the engine are
 * logged once a minute over all streams, its other lines with `debug`; `told` is called with each line.
 */
export function createEngineWords(
  log: Log,
  told: (line: string) => void = () => {},
): (stream: ReadableStream<Uint8Array>) => Promise<string | undefined> {
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
        told(line)
        // the engine reports a bad disk each second, and one line a minute is enough for the operator
        if (/"level":"(WARN|ERROR)"/.test(line) && !line.includes(NOTHING_YET)) warn(line)
        else log.debug({ engine: line.slice(0, 1000) }, 'the engine says')
      }
    }
    return failureIn(rest) ?? failure
  }
}
