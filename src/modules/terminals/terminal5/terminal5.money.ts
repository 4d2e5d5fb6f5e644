import { HOUR } from '../../../platform/clock.ts'
import type { Deal, Outcome } from '../contract/terminal.ts'
import { findAnyCase, findNumber, isRow } from './terminal5.answers.ts'
import { judgeInstruction, judgeSilence } from './terminal5.codes.ts'
import { PATHS } from './terminal5.paths.ts'
import type { Reader } from './terminal5.reader.ts'
import { readDeals } from './terminal5.reading.ts'

/** A deposit or withdrawal moves the balance; other types move credit, or ask nothing about margin. */
const BALANCE = '2'
const CHECKS_MARGIN = '1'
const LOGIN = /^[1-9][0-9]{0,19}$/
const AMOUNT = /^-?[0-9]{1,24}(\.[0-9]{1,12})?$/
/** A comment has 31 letters, and some letters have a meaning in it. */
const REFERENCE = /^[A-Z0-9-]{1,31}$/

/** Returns the number in the answer to an instruction; undefined where there is none that can be read. */
export function findAnswered(answer: unknown, name: string): string | undefined {
  const rows: unknown[] = Array.isArray(answer) ? answer : [answer]
  const [row] = rows
  if (rows.length !== 1 || !isRow(row)) return undefined
  try {
    const number = findNumber({ [name]: findAnyCase(row, name.toLowerCase()) }, name)
    return number === '0' ? undefined : number
  } catch {
    return undefined
  }
}

/** Books an amount, once. */
export async function moveMoney(
  { session }: Reader,
  { login, amount, reference }: { login: string; amount: string; reference: string },
): Promise<Outcome> {
  if (!LOGIN.test(login) || !AMOUNT.test(amount) || !REFERENCE.test(reference))
    return { is: 'refused', code: 'bad_request' }
  const query = { login, type: BALANCE, balance: amount, comment: reference, check_margin: CHECKS_MARGIN }
  try {
    const said = await session.write({ path: PATHS.balance, query })
    return judgeInstruction('money', said, findAnswered(said.answer, 'Ticket'))
  } catch (error) {
    return judgeSilence(error)
  }
}

/**
 * It is looked for from so long before, since the clock of a terminal may be behind ours, or may just have been put
 * back without anybody having read it since. An earlier deal with the same reference is the one that is meant, too.
 */
const BEFORE = 2 * HOUR

/** Returns the deals of a login since a moment whose comment begins with a reference, by a session made anew. */
export async function findMoney(
  reader: Reader,
  { login, reference, since }: { login: string; reference: string; since: number },
): Promise<Deal[]> {
  await reader.session.renew()
  const found: Deal[] = []
  const query = { logins: [login], from: Math.max(0, since - BEFORE), to: Number.MAX_SAFE_INTEGER }
  for await (const deals of readDeals(reader, query))
    found.push(...deals.filter((deal) => deal.login === login && deal.comment.startsWith(reference)))
  return found
}
