import { SECOND } from '../../../platform/clock.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { getRunningQueries, LARGE_LOG, LONG_QUERY } from './sandbox.running.ts'

/**
 * Warns the operator about a query that keeps SQLite from restarting its log, and about a large log, since both may
 * fill the disk. Ends such a query if it takes too long.
 */
export const watchQueries = defineJob({
  name: 'sandbox.watch',
  every: 5 * SECOND,
  run: ({ platform: { capabilities, log } }) => {
    const ended = getRunningQueries(capabilities).makeWay()
    const facts = {
      oldestQueryMs: Math.round(getRunningQueries(capabilities).oldestMs()),
      logBytes: capabilities.logBytes(),
    }
    if (ended > 0)
      log.warn({ ...facts, ended }, 'queries were ended that kept the large database log from being begun anew')
    else if (facts.oldestQueryMs > LONG_QUERY) log.warn(facts, 'a query keeps the database log from being begun anew')
    else if (facts.logBytes > LARGE_LOG) log.warn(facts, 'the database log is large')
    return Promise.resolve(null)
  },
})
