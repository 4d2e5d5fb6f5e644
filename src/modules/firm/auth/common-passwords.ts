import { readTable } from '../../../platform/embedded.ts'
import { invalid, type Problem } from '../../../platform/problem.ts'
import { foldEmail } from '../../../platform/wire/formats.ts'
import { say } from '../../../words/say.ts'

let unpacked: ReadonlySet<string> | undefined

/** Returns the passwords that guessers try first; unpacked at first use, since most requests do not need them. */
const commonPasswords = (): ReadonlySet<string> => {
  unpacked ??= new Set(readTable('common-passwords').split('\n'))
  return unpacked
}

/** A common word with up to this many digits and signs around it is still common: `password`, `Password2024!`. */
const AROUND = 6
const squeeze = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** Returns the text without the digits and signs around it, in linear time, since strangers send it. */
function extractCore(text: string): string {
  const letter = /\p{L}/u
  const letters = [...text]
  const first = letters.findIndex((one) => letter.test(one))
  return first === -1 ? '' : letters.slice(first, letters.findLastIndex((one) => letter.test(one)) + 1).join('')
}

/** Returns whether a short text repeats: `aaaaaaaaaa`, `abcabcabcabc`, `1212121212`. */
const isRepeated = (text: string): boolean =>
  [1, 2, 3, 4].some((length) => text === text.slice(0, length).repeat(text.length).slice(0, text.length))

/** Returns whether each character is the next of the one before, up or down: `abcdefghij`, `9876543210`. */
function isRun(text: string): boolean {
  const steps = new Set<number>()
  // after nine comes zero
  for (let index = 1; index < text.length; index += 1)
    steps.add((text.charCodeAt(index) - text.charCodeAt(index - 1) + 10) % 10)
  return steps.size === 1 && (steps.has(1) || steps.has(9)) && /^(\d+|[a-z]+)$/.test(text)
}

/** The holder's address and the firm's name, which must not be the password. */
export type Names = { email?: string | null; firm?: string | null }

const REASONS = {
  common: 'auth.field.password_common',
  own_name: 'auth.field.password_own_name',
} as const

/** Returns why guessers would try a password early; null if they would not. */
export function findWeakness(password: string, { email, firm }: Names): keyof typeof REASONS | null {
  const text = password.toLowerCase()
  const list = commonPasswords()
  const core = extractCore(text)
  const dressed = core.length >= 4 && text.length - core.length <= AROUND && list.has(core)
  if (list.has(text) || dressed || isRepeated(text) || isRun(text)) return 'common'
  const names = [email && foldEmail(email), email && foldEmail(email).split('@')[0], firm]
  const squeezed = squeeze(password)
  return names.some((name) => name && squeeze(name) !== '' && squeeze(name) === squeezed) ? 'own_name' : null
}

/** Refuses a password that guessers would try early; the 422 names its field. RULES “Sign-in”. */
export function refuseWeakPassword(path: string, password: string, names: Names): void {
  const weakness = findWeakness(password, names)
  if (weakness) throw weakPassword(path, weakness)
}

const weakPassword = (path: string, weakness: keyof typeof REASONS): Problem =>
  invalid(path, weakness, say(REASONS[weakness]))
