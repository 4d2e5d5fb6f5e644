import { checkIban, joinReference } from '../../../../src/words/iban.ts'
import { say } from './words.ts'

/** The shortest IBAN, that of Norway, has this many characters. */
const SHORTEST = 15

/** Says while a bank reference is typed whether it is an IBAN and whether its check digits are right. */
export const ibanHint = (reference: string): string | undefined => {
  const plain = joinReference(reference)
  if (!/^[A-Z]{2}\d{2}/.test(plain)) return plain.length < 4 ? undefined : say('withdrawals.iban.none')
  if (plain.length < SHORTEST) return say('withdrawals.iban.short')
  const { state } = checkIban(reference)
  if (state === 'none') return say('withdrawals.iban.none')
  return state === 'valid' ? say('withdrawals.iban.right') : say('withdrawals.iban.wrong')
}
