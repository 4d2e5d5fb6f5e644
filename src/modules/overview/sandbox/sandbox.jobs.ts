import { SECOND } from '../../../platform/clock.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { LARGE_LOG, LONG_QUERY, runningOf } from './sandbox.running.ts'

/**
 * Warns the operator, while it lasts, of a query that keeps the database's log from being begun anew and of a log that
 * has grown large: both end in a full disk where nobody looks. Ends what keeps a large one so for too long.
 */
export const watchQueries = defineJob({
  name: 'sandbox.watch',
  every: 5 * SECOND,
  run: ({ platform: { capabilities, log } }) => {
    const ended = runningOf(capabilities).makeWay()
    const facts = { oldestQueryMs: Math.round(runningOf(capabilities).oldestMs()), logBytes: capabilities.logBytes() }
    if (ended > 0)
      log.warn({ ...facts, ended }, 'queries were ended that kept the large database log from being begun anew')
    else if (facts.oldestQueryMs > LONG_QUERY) log.warn(facts, 'a query keeps the database log from being begun anew')
    else if (facts.logBytes > LARGE_LOG) log.warn(facts, 'the database log is large')
    return Promise.resolve(null)
  },
})
