import { readFares } from '../../modules/terminals/reading/fares.ts'
import { MINUTE } from '../../platform/clock.ts'
import { findLacking, isUpgrade } from '../../platform/db/migrate.ts'
import { ask } from './ask.ts'
import { type Check, fail, ok, warn } from './finding.ts'

/** Checks that connections to trading servers are read. */
export const terminals: Check = {
  name: 'terminals',
  look: ({ config: { dataDir }, now, list }) =>
    ask(dataDir, (db) => {
      if (isUpgrade(findLacking(db, list))) return []
      const fares = readFares(db, now).filter(({ state }) => state !== 'paused')
      if (fares.length === 0) return []
      const faults = fares.flatMap(({ name, state, silent, isLate }) => {
        const last = `${name} was read ${Math.round(silent / MINUTE)} min ago`
        if (state === 'stopped')
          return [fail('terminals', `${last}, and is stopped`, 'mend what its page in the console says, and test it')]
        return isLate ? [warn('terminals', last, 'see whether the server runs, and the connection’s page')] : []
      })
      return faults.length > 0 ? faults : [ok('terminals', `${fares.length} read`)]
    }),
}
