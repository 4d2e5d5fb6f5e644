import { useQuery } from '@tanstack/react-query'
import { type Answer, call } from '../../../api.ts'
import { isApiError } from '../../../lib/api/http.ts'
import { compareDecimal, subtractDecimal } from '../../../lib/text/decimal.ts'

export type TerminalAccount = Answer<'accounts.terminal'>

/** Answers null if no trading server that is read has the account. */
async function fetchTerminalAccount(id: string): Promise<TerminalAccount | null> {
  try {
    return await call('accounts.terminal', { params: { id } })
  } catch (error) {
    if (isApiError(error, 409) && error.problem.code === 'not_on_terminal') return null
    throw error
  }
}

/** Reads what the terminal says now of an account. */
export const useTerminalAccount = (id: string) =>
  useQuery({ queryKey: ['accounts', 'terminal', id], queryFn: () => fetchTerminalAccount(id) })

const NOTHING = '0'
/** Returns what can be taken out: the lesser of the balance and the free margin without credit, never below zero. */
export function findFree({ balance, credit, marginFree }: TerminalAccount['theirs']): string {
  const margin = marginFree === null ? balance : subtractDecimal(marginFree, credit)
  const least = compareDecimal(margin, balance) < 0 ? margin : balance
  return compareDecimal(least, NOTHING) < 0 ? subtractDecimal(balance, balance) : least
}
