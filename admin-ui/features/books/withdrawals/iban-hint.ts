import { say } from './words.ts'

/** Returns the remainder of ISO 7064: the first four signs go to the end, and letters count from 10. */
const remainder = (iban: string): number => {
  let rest = 0
  for (const sign of iban.slice(4) + iban.slice(0, 4))
    for (const digit of String(Number.parseInt(sign, 36))) rest = (rest * 10 + Number(digit)) % 97
  return rest
}

/** Says of a bank reference, while it is typed, whether it is an IBAN and its check digits are right. */
export const ibanHint = (reference: string): string | undefined => {
  const plain = reference.replace(/[\s-]/g, '').toUpperCase().replace(/^IBAN/, '')
  if (plain === '') return undefined
  if (!/^[A-Z]{2}\d{2}/.test(plain)) return plain.length < 4 ? undefined : say('withdrawals.iban.none')
  // the shortest IBAN, of Norway, has 15 signs
  if (plain.length < 15) return say('withdrawals.iban.short')
  return /^[A-Z0-9]+$/.test(plain) && remainder(plain) === 1
    ? say('withdrawals.iban.right')
    : say('withdrawals.iban.wrong')
}
