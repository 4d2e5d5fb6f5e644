import { toIso } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { say } from '../../../words/say.ts'
import { COUNTS_FOR } from '../../firm/independence/independence.service.ts'
import { clientActs, SHOWN_ACTS } from '../../firm/independence/independence.table.ts'
import { namesThen } from '../../firm/users/users.names.ts'

/** At most this many acts are listed, since there are some every day at a client of a busy desk. */
const MOST_TOLD = 10

/**
 * Lists colleagues' acts of the last 30 days that could give another person access to the client's money, or that
 * lifted a block: who did what, and when last. `db` must see the whole firm. RULES “Withdrawals”.
 */
export function checkAccess(db: Reader, traderId: string, now: number): [state: 'fine' | 'look_closer', text: string] {
  const acts = db.list(clientActs, { traderId, act: [...SHOWN_ACTS] }, { orderBy: 'createdAt', descending: true })
  const recent = acts.filter(({ createdAt }) => now - createdAt < COUNTS_FOR)
  if (recent.length === 0) return ['fine', say('withdrawals.check.access_none')]
  const last = [...Map.groupBy(recent, ({ act, userId }) => `${act} ${userId}`).values()].flatMap(([act]) => act ?? [])
  const nameThen = namesThen(
    db,
    last.map(({ userId }) => userId),
  )
  const told = last.slice(0, MOST_TOLD).map(({ act, userId, createdAt }) => {
    const name = nameThen(userId, createdAt) ?? ''
    return say('withdrawals.check.access', { act, name, date: toIso(createdAt).slice(0, 10) })
  })
  const more = last.length - told.length
  return ['look_closer', [...told, ...(more > 0 ? [say('withdrawals.check.more', { more })] : [])].join('; ')]
}
