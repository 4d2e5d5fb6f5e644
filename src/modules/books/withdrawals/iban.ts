import { countrySpecs, ValidationErrorsIBAN, validateIBAN } from 'ibantools'

/** A bank reference is a valid IBAN, a wrong one, or a text without check digits. */
type IbanFinding = { state: 'valid' | 'wrong'; country: string } | { state: 'none' }

/** Some countries have further check digits inside the account number, which not all of their banks follow. */
const NATIONAL = ValidationErrorsIBAN.WrongAccountBankBranchChecksum

/** Checks a bank reference as an IBAN of the registry; spaces, dashes and case do not count. ISO 13616. */
export function checkIban(reference: string): IbanFinding {
  const plain = reference.replace(/[\s-]/g, '').toUpperCase()
  const country = plain.slice(0, 2)
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(plain) || !countrySpecs[country]?.IBANRegistry) return { state: 'none' }
  const isRight = validateIBAN(plain).errorCodes.every((error) => error === NATIONAL)
  return { state: isRight ? 'valid' : 'wrong', country }
}
