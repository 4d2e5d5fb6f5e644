import { MINUTE, SECOND } from '../clock.ts'
import type { Log } from '../log.ts'

/** A replica so far behind is worth a line in the log, milliseconds. */
export const LAG_WARNS = 30 * SECOND
/** A replica so far behind is worth waking somebody, milliseconds. */
export const LAG_ALARMS = 5 * MINUTE

/** Tells the log once that the replica falls behind, with why it does not run, and once that it is up to date again. */
export function createLagLog(log: Log): (lagMs: number, why: string | null) => void {
  let isBehind = false
  return (lagMs, why) => {
    if (lagMs > LAG_WARNS && !isBehind) log.warn({ lagMs: Math.round(lagMs), why }, 'the replica is behind')
    if (lagMs < LAG_WARNS && isBehind) log.info('the replica is up to date again')
    isBehind = lagMs > LAG_WARNS
  }
}
