import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { SECOND } from '../../platform/clock.ts'
import { askStandby } from '../standby-control.ts'
import { type Check, type Finding, fail, ok, warn } from './finding.ts'

/** Clocks that are further apart than this (ms) are told; they can be compared to a second. */
const CLOCKS_APART = 2 * SECOND

/** Checks the standby of the directory, if it is one of a standby. */
export const standby: Check = {
  name: 'standby',
  look: async ({ config: { dataDir } }) => {
    const isServer = existsSync(join(dataDir, 'brokerbase.db'))
    if (isServer || !existsSync(join(dataDir, 'standby', 'id'))) return []
    const seen = await askStandby(dataDir)
    if (!seen) return [warn('standby', `none runs on ${dataDir}`, 'brokerbase standby, where it should run')]
    const { ageSeconds, isStale, silentMs, clockAheadMs, doubt, failure } = seen
    const age = ageSeconds === null ? 'nothing to read yet' : `its data is ${ageSeconds} s old`
    const why = failure === null ? '' : `: ${failure}`
    const found: Finding[] = [
      isStale ? fail('standby', `${age}${why}`, 'see its log; does the other server run?') : ok('standby', age),
    ]
    if (doubt !== null)
      found.push(fail('standby', `its copy is not good: ${doubt}`, 'brokerbase drill, on the other machine'))
    if (silentMs > 60 * SECOND)
      found.push(
        fail('primary', `no sign of it for ${Math.round(silentMs / SECOND)} s`, 'if it is gone: brokerbase promote'),
      )
    if (Math.abs(clockAheadMs ?? 0) > CLOCKS_APART)
      found.push(
        warn(
          'clocks',
          `that of the primary is ${Math.round((clockAheadMs ?? 0) / SECOND)} s ahead`,
          'set both: timedatectl',
        ),
      )
    return found
  },
}
