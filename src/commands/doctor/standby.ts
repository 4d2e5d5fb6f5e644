import { CLOCKS_APART, SILENT_AFTER } from '../../modules/box/standby/primary-watch.ts'
import { SECOND } from '../../platform/clock.ts'
import { askStandby } from '../standby-control.ts'
import { isOfStandby } from '../standby-directory.ts'
import { type Check, type Finding, fail, ok, warn } from './finding.ts'

/** Checks the standby of the directory, if it is one of a standby. */
export const standby: Check = {
  name: 'standby',
  look: async ({ config: { dataDir } }) => {
    if (!isOfStandby(dataDir)) return []
    const seen = await askStandby(dataDir)
    if (!seen) return [warn('standby', `none runs on ${dataDir}`, 'brokerbase standby, where it should run')]
    const { ageSeconds, isStale, silentMs, clockAheadMs, doubt, failure } = seen
    const age = ageSeconds === null ? 'nothing to read yet' : `its data is ${ageSeconds} s old`
    const why = failure === null ? '' : `: ${failure}`
    const found: Finding[] = [
      isStale
        ? fail('standby', `${age}${why}`, 'see its log; does the other server run?')
        : failure === null
          ? ok('standby', age)
          : warn('standby', `${age}${why}`, 'see its log'),
    ]
    if (doubt !== null)
      found.push(fail('standby', `its copy is not good: ${doubt}`, 'brokerbase drill, on the other machine'))
    if (silentMs >= SILENT_AFTER)
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
