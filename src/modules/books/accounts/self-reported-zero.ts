import type { Reader } from '../../../platform/db/reader.ts'
import { readPeople } from '../../firm/independence/people.ts'
import type { AccountRow } from './accounts.table.ts'

/** Returns the colleagues as whose word the balance of an account counts. */
export const listReporters = ({ balanceBy }: Pick<AccountRow, 'balanceBy'>): string[] => balanceBy?.split(' ') ?? []

/** Returns whether only this person, and not the platform, reported that an account is empty. */
export function isOwnZero(db: Reader, me: string | null, account: AccountRow, now: number): boolean {
  const { balance, balanceBy, byBridge } = account
  if (me === null || balance !== 0n || balanceBy === null || byBridge) return false
  const people = readPeople(db, now)
  return listReporters(account).some((id) => id === me || people.samePerson(me, id))
}
