import { countrySpecs, ValidationErrorsIBAN, validateIBAN } from 'ibantools'

/** A bank reference is a valid IBAN, a wrong one, or a text without check digits. */
type IbanFinding = { state: 'valid' | 'wrong'; country: string } | { state: 'none' }

/** Some countries have further check digits inside the account number, which not all of their banks follow. */
const NATIONAL = ValidationErrorsIBAN.WrongAccountBankBranchChecksum

/** The library knows the form of these, and not yet that they are in the registry. */
const REGISTERED = new Set(['BI', 'DJ', 'FK', 'HN'])
const isRegistered = (country: string): boolean =>
  countrySpecs[country]?.IBANRegistry === true || REGISTERED.has(country)
const isValid = (plain: string): boolean => validateIBAN(plain).errorCodes.every((error) => error === NATIONAL)

/**
 * Returns what identifies a bank reference: the IBAN in it, whatever stands around it (`IBAN GB29 …`, `GB29 … (bank)`),
 * else its letters and digits. Signs that nobody sees, spaces, dashes and case do not count.
 */
export function plainBankReference(reference: string): string {
  const words = reference
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .toUpperCase()
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word.replace(/^IBAN(?=[A-Z]{2}\d{2})/, ''))
  for (const [start, word] of words.entries()) {
    const country = word.slice(0, 2)
    const { chars = 0 } = countrySpecs[country] ?? {}
    let iban = ''
    for (let next = start; iban.length < chars && next < words.length; next += 1) iban += words[next]
    if (isRegistered(country) && iban.length === chars && isValid(iban)) return iban
  }
  return words.join('').replace(/^IBAN(?=.)/, '')
}

/** Checks a bank reference as an IBAN of the registry. ISO 13616. */
export function checkIban(reference: string): IbanFinding {
  const plain = plainBankReference(reference)
  const country = plain.slice(0, 2)
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(plain) || !isRegistered(country)) return { state: 'none' }
  return { state: isValid(plain) ? 'valid' : 'wrong', country }
}
