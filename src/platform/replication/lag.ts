import { MINUTE, SECOND } from '../clock.ts'
import type { Log } from '../log.ts'

/** A replica that is this far behind (ms) is logged. */
export const LAG_WARNS = 30 * SECOND
/** A replica that is this far behind (ms) raises an alarm. */
export const LAG_ALARMS = 5 * MINUTE

/** Makes a function that logs once that the replica is behind, and why, and once that it is up to date again. */
export function createLagLog(log: Log): (lagMs: number, why: string | null) => void {
  let isBehind = false
  return (lagMs, why) => {
    if (lagMs > LAG_WARNS && !isBehind) log.warn({ lagMs: Math.round(lagMs), why }, 'the replica is behind')
    if (lagMs < LAG_WARNS && isBehind) log.info('the replica is up to date again')
    isBehind = lagMs > LAG_WARNS
  }
}
