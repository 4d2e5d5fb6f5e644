import type { Reader } from '../../../platform/db/reader.ts'
import { Problem } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'
import { type AccountRow, accounts } from './accounts.table.ts'

type Place = Pick<AccountRow, 'platform' | 'server' | 'accountNumber'>

/** Returns whether an account may be on a server: it names this server or none. */
export const isOnServer = (account: Pick<AccountRow, 'server'>, server: string): boolean =>
  account.server === '' || account.server === server

/**
 * Finds the account that already has a number. A number is unique on its server, or on the whole platform if an account
 * with it names no server, since a report of any server would then reach both. RULES “Accounts”.
 */
export const findByNumber = (db: Reader, { platform, server, accountNumber }: Place): AccountRow | undefined =>
  accountNumber === null
    ? undefined
    : db.list(accounts, { platform, accountNumber }).find((account) => isOnServer(account, server) || server === '')

/** Makes the refusal of a number that another account has. */
export const numberTaken = () =>
  new Problem(409, 'duplicate', say('accounts.error.number_taken'), [
    { path: 'accountNumber', code: 'duplicate', message: say('problems.field.taken') },
  ])

/** Refuses a number that another account has. */
export function mustBeFreeNumber(db: Reader, place: Place, exceptId?: string): void {
  const there = findByNumber(db, place)
  if (there && there.id !== exceptId) throw numberTaken()
}
