import type { Reader } from '../../../platform/db/reader.ts'
import { readPeople } from '../../firm/independence/people.ts'
import type { AccountRow } from './accounts.table.ts'

/** Returns whether only this person, and not the platform, reported that an account is empty. */
export function isOwnZero(db: Reader, me: string | null, account: AccountRow, now: number): boolean {
  const { balance, balanceBy, byBridge } = account
  if (me === null || balance !== 0n || balanceBy === null || byBridge) return false
  return me === balanceBy || readPeople(db, now).samePerson(me, balanceBy)
}
