import type { Reader } from '../../../platform/db/reader.ts'
import { peopleOf } from '../../firm/independence/people.ts'
import type { AccountRow } from './accounts.table.ts'

/** Whether only one's own word, not the platform's, says that nothing is on an account. */
export function isOwnZero(db: Reader, me: string | null, account: AccountRow, now: number): boolean {
  const { balance, balanceBy, byBridge } = account
  if (me === null || balance !== 0n || balanceBy === null || byBridge) return false
  return me === balanceBy || peopleOf(db, now).samePerson(me, balanceBy)
}
