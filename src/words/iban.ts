import { countrySpecs, ValidationErrorsIBAN, validateIBAN } from 'ibantools'

/** A bank reference is a valid IBAN, a wrong one, or a text without check digits. */
type IbanFinding = { state: 'valid' | 'wrong'; country: string } | { state: 'none' }

/** Some countries have further check digits inside the account number, which not all of their banks follow. */
const NATIONAL = ValidationErrorsIBAN.WrongAccountBankBranchChecksum

/** The library knows the form of these countries' IBANs, but not yet that the registry has them. */
const REGISTERED = new Set(['BI', 'DJ', 'FK', 'HN'])
const isRegistered = (country: string): boolean =>
  countrySpecs[country]?.IBANRegistry === true || REGISTERED.has(country)
const isValid = (plain: string): boolean => validateIBAN(plain).errorCodes.every((error) => error === NATIONAL)

/** Returns the words of a bank reference in capitals, without invisible characters and `IBAN` before a number. */
const listWords = (reference: string): string[] =>
  reference
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .toUpperCase()
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word.replace(/^IBAN(?=[A-Z]{2}\d{2})/, ''))

/** Returns the letters and digits of a bank reference, so that two ways to write the same account are equal. */
export const joinReference = (reference: string): string =>
  listWords(reference)
    .join('')
    .replace(/^IBAN(?=.)/, '')

/** Returns the valid IBANs in a bank reference, whatever is around them: `IBAN GB29 …`, `GB29 … (bank)`. */
export function listIbans(reference: string): string[] {
  const words = listWords(reference)
  const found = words.flatMap((word, start) => {
    const country = word.slice(0, 2)
    const { chars = 0 } = countrySpecs[country] ?? {}
    let iban = ''
    for (let next = start; iban.length < chars && next < words.length; next += 1) iban += words[next]
    return isRegistered(country) && iban.length === chars && isValid(iban) ? [iban] : []
  })
  return [...new Set(found)]
}

/** Returns what identifies a bank reference: the IBAN in it, else its letters and digits. */
export const plainBankReference = (reference: string): string => listIbans(reference)[0] ?? joinReference(reference)

/** Checks a bank reference as an IBAN of the registry. ISO 13616. */
export function checkIban(reference: string): IbanFinding {
  const plain = plainBankReference(reference)
  const country = plain.slice(0, 2)
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(plain) || !isRegistered(country)) return { state: 'none' }
  return { state: isValid(plain) ? 'valid' : 'wrong', country }
}
