import { type FaultCode, TerminalFault } from '../contract/fault.ts'
import type { Outcome } from '../contract/terminal.ts'

/** What a code means for an instruction: it was done, it was certainly not, or nobody knows. */
type Fate = 'done' | 'refused' | 'unclear'
/** What a code means: for a read its fault, if it is one; for money; for a change of a login. */
type Meaning = { read: FaultCode | null; money: Fate; change: Fate }

const of = (read: FaultCode | null, money: Fate = 'unclear', change: Fate = money): Meaning => ({ read, money, change })

/**
 * What the codes of an answer mean. Money is refused by very few of them only: whatever else comes may have been booked
 * all the same. `too_large` of 14 says that the terminal left rows out.
 */
const MEANINGS: Readonly<Record<number, Meaning>> = {
  0: of(null, 'done'),
  1: of(null, 'done'),
  2: of('unexpected_code'),
  3: of('bad_request', 'refused'),
  4: of('bad_request'),
  5: of('unexpected_code'),
  6: of('unexpected_code'),
  7: of('busy'),
  8: of('no_right', 'refused'),
  9: of('busy'),
  10: of('busy'),
  11: of('busy'),
  12: of('busy'),
  13: of('unexpected_code', 'refused'),
  14: of('too_large'),
  15: of('busy'),
  16: of('busy'),
  17: of('unexpected_code'),
  1000: of('wrong_account_type'),
  1001: of('wrong_account'),
  1002: of('account_disabled'),
  1010: of('version_too_old'),
  1011: of('no_manager'),
  1012: of('address_not_allowed'),
  1018: of('busy'),
  1020: of('wrong_account'),
  1024: of('connection_not_allowed'),
  1026: of('password_must_change'),
  1027: of('one_time_password'),
  1034: of('api_disabled'),
  3002: of('unexpected_code', 'unclear', 'refused'),
  3003: of('unexpected_code', 'unclear', 'refused'),
  3004: of('unexpected_code', 'unclear', 'refused'),
  3005: of('unexpected_code', 'unclear', 'refused'),
  3006: of('unexpected_code', 'unclear', 'refused'),
  3007: of('unexpected_code', 'unclear', 'refused'),
  3008: of('unexpected_code', 'unclear', 'refused'),
  3009: of('unexpected_code', 'unclear', 'refused'),
  3010: of('unexpected_code', 'unclear', 'refused'),
  3019: of('unexpected_code', 'unclear', 'refused'),
  4005: of('bad_request', 'refused'),
  4006: of('unexpected_code'),
  10009: of(null, 'done'),
  10019: of('unexpected_code', 'refused'),
  10024: of('busy'),
  12001: of('unexpected_code'),
  12002: of('unexpected_code'),
  12003: of('busy'),
  12004: of('busy'),
}
const UNKNOWN = of('unexpected_code')

/** The code of an answer that says: there is none. */
export const NOT_FOUND = 13
/** The code of a password that is not the login's, and of one that is too simple. */
export const WRONG_PASSWORD = 3006

export type Said = { code: number; text: string }

/** Returns why an answer with this code is none; null if it is one. */
export function judgeRead({ code, text }: Said, path: string): TerminalFault | null {
  const { read } = MEANINGS[code] ?? UNKNOWN
  return read === null ? null : new TerminalFault(read, { code: String(code), text, path }, true)
}

/** Returns what became of an instruction. `id` is the number that its whole answer gave. */
export function judgeInstruction(kind: 'money' | 'change', { code, text }: Said, id: string | undefined): Outcome {
  const fate = (MEANINGS[code] ?? UNKNOWN)[kind]
  if (fate === 'refused') return { is: 'refused', code: String(code) }
  if (fate === 'unclear') return { is: 'unclear', why: `${code} ${text}`.trim() }
  return id === undefined ? { is: 'unclear', why: 'no_number' } : { is: 'done', id }
}

/** Returns in a few words why a call has no answer. Whatever is no fault is thrown on. */
export function explainFault(error: unknown): string {
  if (!(error instanceof TerminalFault)) throw error
  return [error.code, ...Object.values(error.detail)].join(' ').slice(0, 300)
}

/** Returns what became of an instruction whose answer did not come. */
export function judgeSilence(error: unknown): Outcome {
  const why = explainFault(error)
  return error instanceof TerminalFault && error.wasSent ? { is: 'unclear', why } : { is: 'not_sent', why }
}
